import { reserveProof } from '../accounts/attempts/try-limits.ts'
import { later, type Timestamp } from '../clock.ts'
import type { DomainError } from '../errors.ts'
import { idSchema } from '../ids.ts'
import { limits } from '../limits.ts'
import type { OAuthClient } from '../oauth-clients/oauth-client.ts'
import type { WriteTx } from '../store.ts'
import { textUpTo } from '../values/storable-text.ts'
import type { GrantContext } from './grant-tokens.ts'
import { oauthError } from './oauth-error.ts'

/** A secret text of ours, as it is sent. */
export const secretText = textUpTo(limits.shortTextLength)

/** What an app says to prove itself. */
export const clientProof = {
  client_id: idSchema,
  client_secret: secretText
    .optional()
    .describe('A secret of the app; both may be sent as `Authorization: Basic` as well'),
}

/** An app that called, as far as it has proven who it is. */
export interface ProvenClient {
  readonly client: OAuthClient
  /** Whether it sent a secret of its own. */
  readonly isProven: boolean
  /** Takes the guess back that is counted for who has proven nothing: to be called once they have. */
  readonly forgive: () => Promise<void>
}

/**
 * The app that the call says it is, where it sent one of its secrets, or has none; else the refusal, the same whether or not
 * there is such an app. Who sent no secret may still guess at codes: that stays counted until it is forgiven.
 */
export async function proveClient(
  context: GrantContext,
  sent: { readonly client_id: string; readonly client_secret?: string | undefined },
): Promise<ProvenClient | DomainError> {
  const { tx, now, secrets } = context
  const forgive = await reserveProof(context)
  const client = await tx.oauthClients.find(sent.client_id)
  const digest = secrets.digest(sent.client_secret ?? '')
  const used = client?.secrets.find(({ hash }) => secrets.equal(hash, digest))
  const isPublic = client?.secrets.length === 0 && !sent.client_secret
  if (!client || !(used || isPublic)) {
    return oauthError('invalid_client', 'There is no OAuth app of this id with this secret')
  }
  if (!used) return { client, isProven: false, forgive }
  await forgive()
  if (!(used.lastUsedTime && used.lastUsedTime > later(now, -noteMs))) {
    await noteUse(tx, client.id, { secretId: used.id, now })
  }
  return { client, isProven: true, forgive: async () => {} }
}

const noteMs = limits.tokenUseNotedSeconds * 1_000

/** Notes the use of a secret with the app held: another may be added or dropped at the same time. */
async function noteUse(
  { oauthClients }: Pick<WriteTx, 'oauthClients'>,
  clientId: string,
  { secretId, now }: { readonly secretId: string; readonly now: Timestamp },
): Promise<void> {
  const held = await oauthClients.find(clientId, 'update')
  const secrets = held?.secrets.map((one) =>
    one.id === secretId ? { ...one, lastUsedTime: now } : one,
  )
  if (held && secrets) await oauthClients.update({ ...held, secrets })
}
