import { z } from 'zod'
import { actions } from '../access/roles.ts'
import { findTokenId, toTokenText } from '../access-tokens/token-text.ts'
import { reserveProof } from '../accounts/try-limits.ts'
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
 * The living grant that the code or refresh token is of, held for update, where the secret is that of its plugin and the
 * user still has a role in the base; else the refusal, which is the same for each of these. Guesses are counted before
 * they are looked at: `too_many_requests` from an address that sent too many wrong ones.
 */
export async function findTraded(
  { tx, now, origin, secrets }: TradeContext,
  { pluginId, secret, traded }: Trade,
  isRight: (grant: PluginGrant) => boolean,
): Promise<PluginGrant | DomainError> {
  const forgive = await reserveProof({ tx, now, origin })
  const grant = await tx.pluginGrants.find(findTokenId(traded) ?? '', 'update')
  const isProven =
    grant !== undefined &&
    secrets.equal(grant.tradeHash, secrets.digest(traded)) &&
    secrets.equal(grant.secretHash, secrets.digest(secret)) &&
    grant.pluginId === pluginId &&
    grant.expiresTime > now &&
    isRight(grant) &&
    isAlive(await findPlugin(tx, pluginId), grant) &&
    (await tx.access.findBase(grant.baseId, grant.userId, 'none'))?.role !== undefined
  if (!isProven) {
    return new DomainError(
      'invalid_credentials',
      'The code or refresh token is wrong, used or expired, or the secret is not that of its plugin: ask for a new code',
    )
  }
  await forgive()
  return grant
}

/** Gives a grant new tokens, in the place of those that it had, and answers them. */
export async function giveTokens(
  { tx, now, secrets }: TradeContext,
  grant: PluginGrant,
  scopes: PluginGrant['scopes'],
): Promise<z.output<typeof tradedOutput>> {
  const accessToken = toTokenText(grant.id, secrets.token())
  const refreshToken = toTokenText(grant.id, secrets.token())
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
