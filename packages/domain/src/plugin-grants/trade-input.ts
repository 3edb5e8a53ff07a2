import { z } from 'zod'
import { actions } from '../access/roles.ts'
import { findTokenId, toTokenText } from '../access-tokens/token-text.ts'
import { reserveProof } from '../accounts/attempts/try-limits.ts'
import { isInLife } from '../accounts/sessions/is-in-life.ts'
import { later, type Timestamp } from '../clock.ts'
import { DomainError } from '../errors.ts'
import { idSchema } from '../ids.ts'
import { limits } from '../limits.ts'
import { findPlugin } from '../plugins/find-plugin.ts'
import type { Secrets } from '../secrets.ts'
import type { WriteTx } from '../store.ts'
import type { CallContext } from '../use-case.ts'
import { textUpTo } from '../values/storable-text.ts'
import { isAlive } from './grant-actor.ts'
import type { PluginGrant } from './plugin-grant.ts'

/** Seconds for which tokens are good. */
const accessSeconds = limits.pluginTokenMinutes * 60
const refreshSeconds = limits.pluginRefreshDays * 86_400

/** A secret text of ours, as it is sent. */
const secretText = textUpTo(limits.shortTextLength).min(1)

/** What a plugin sends with its code. */
export const codeTradeSchema = z.object({
  pluginId: idSchema,
  baseId: idSchema,
  secret: secretText.describe("The plugin's secret"),
  scopes: z
    .array(z.enum(actions))
    .min(1)
    .max(actions.length)
    .transform((scopes) => [...new Set(scopes)])
    .describe('The actions that the plugin asks for'),
  authCode: secretText,
})

/** What it sends with a refresh token. */
export const refreshTradeSchema = z.object({
  pluginId: idSchema,
  secret: secretText.describe("The plugin's secret"),
  refreshToken: secretText,
})

/** What it gets for either. */
export const tradedOutput = z
  .object({
    accessToken: z.string().describe('Shown this once'),
    refreshToken: z.string().describe('Shown this once'),
    scopes: z.array(z.string()).describe('The actions that the access token may be used for'),
    expiresIn: z.int().describe('Seconds for which the access token is good'),
    refreshExpiresIn: z.int().describe('Seconds for which the refresh token is good'),
  })
  .meta({ id: 'PluginTokens' })

type TradeContext = CallContext & { readonly tx: WriteTx; readonly secrets: Secrets }

/** What a plugin says to prove itself. */
interface Trade {
  readonly pluginId: string
  readonly secret: string
  /** The code, or the refresh token. */
  readonly traded: string
}

/**
 * A new code or refresh token of the grant. Its last part is signed, which tells one that was good once from a guess: the
 * grant keeps the newest alone.
 */
export function toTradeText(secrets: Pick<Secrets, 'token' | 'sign'>, grantId: string): string {
  const text = toTokenText(grantId, secrets.token())
  return `${text}_${signatureOf(secrets, text)}`
}

/** Whether we gave the text out, some time, as a code or refresh token. */
function wasGiven(secrets: Pick<Secrets, 'sign' | 'equal'>, traded: string): boolean {
  const end = traded.lastIndexOf('_')
  return secrets.equal(traded.slice(end + 1), signatureOf(secrets, traded.slice(0, end)))
}

function signatureOf(secrets: Pick<Secrets, 'sign'>, text: string): string {
  return secrets.sign(JSON.stringify(['plugin trade', text]))
}

/**
 * The living grant that the code or refresh token is of, held for update, where the secret is that of its plugin and the
 * user still has a role in the base; else the refusal, which is the same for each of these. Guesses are counted before
 * they are looked at: `too_many_requests` from an address that sent too many wrong ones. What was good once and is no more
 * is no guess: somebody has copied it, so the grant ends.
 */
export async function findTraded(
  { tx, now, origin, secrets }: TradeContext,
  { pluginId, secret, traded }: Trade,
  isRight: (grant: PluginGrant) => boolean,
): Promise<PluginGrant | DomainError> {
  const forgive = await reserveProof({ tx, now, origin })
  const grant = await tx.pluginGrants.find(findTokenId(traded) ?? '', 'update')
  const isOfPlugin =
    grant?.pluginId === pluginId && secrets.equal(grant.secretHash, secrets.digest(secret))
  const isNewest = grant && secrets.equal(grant.tradeHash, secrets.digest(traded))
  if (isOfPlugin && !isNewest && wasGiven(secrets, traded)) {
    await forgive()
    await tx.pluginGrants.delete(grant.id)
    return notGood()
  }
  const isGood =
    isOfPlugin &&
    isNewest &&
    isInLife(grant.expiresTime, refreshSeconds * 1_000, now) &&
    isRight(grant) &&
    isAlive(await findPlugin(tx, pluginId), grant) &&
    (await tx.access.findBase(grant.baseId, grant.userId, 'none'))?.role !== undefined
  if (!isGood) return notGood()
  await forgive()
  return grant
}

function notGood(): DomainError {
  return new DomainError(
    'invalid_credentials',
    'The code or refresh token is wrong, used or expired, or the secret is not that of its plugin: ask for a new code',
  )
}

/** Gives a grant new tokens, in the place of those that it had, and answers them. */
export async function giveTokens(
  { tx, now, secrets }: TradeContext,
  grant: PluginGrant,
  scopes: PluginGrant['scopes'],
): Promise<z.output<typeof tradedOutput>> {
  const accessToken = toTokenText(grant.id, secrets.token())
  const refreshToken = toTradeText(secrets, grant.id)
  await tx.pluginGrants.update({
    ...grant,
    scopes,
    tradeHash: secrets.digest(refreshToken),
    accessHash: secrets.digest(accessToken),
    accessExpiresTime: inSeconds(now, accessSeconds),
    expiresTime: inSeconds(now, refreshSeconds),
  })
  return {
    ...{ accessToken, refreshToken, scopes: [...scopes] },
    ...{ expiresIn: accessSeconds, refreshExpiresIn: refreshSeconds },
  }
}

function inSeconds(now: Timestamp, seconds: number): Timestamp {
  return later(now, seconds * 1_000)
}
