import type { Actor, TokenActor } from '../../access/actor.ts'
import { rememberCredential } from '../../access/live-credentials.ts'
import { toTokenActor } from '../../access-tokens/access-token.ts'
import { findTokenId } from '../../access-tokens/token-text.ts'
import { later, type Timestamp, toTimestamp } from '../../clock.ts'
import { idPrefixes } from '../../ids/id-prefixes.ts'
import { limits } from '../../limits.ts'
import { findAppActor } from '../../oauth-grants/grant-tokens.ts'
import { findGrantActor } from '../../plugin-grants/grant-actor.ts'
import { findPageActor, isPageToken, readPageToken } from '../../plugin-grants/page-token.ts'
import type { Ports } from '../../ports.ts'
import { fromShareToken, isShareToken } from '../../shares/share-token.ts'
import type { ReadTx, Store, WriteTx } from '../../store.ts'
import { type FoundCredential, KnownCredentials } from '../sessions/known-credentials.ts'
import { isOpen } from '../sessions/session.ts'

/**
 * The actor behind a credential (the token of a session, of a share, of a plugin, of its page or of an OAuth app, or a personal access token), undefined when it
 * is unknown, expired or revoked. Looked up on every call, but for sessions and personal access tokens that were found good a
 * moment ago where the storage knows that nothing has changed since: a revocation holds at once, whichever process made it.
 */
export type Authenticate = (
  credential: string,
  options?: {
    /**
     * Whether the call that follows may look the credential up, in its transaction and before it does anything, which saves a
     * question to the storage. It is refused with `CredentialEnded` then, where an actor whose credential was changed is found anew
     * by authenticating again.
     */
    readonly mayVerifyLater?: boolean
  },
) => Promise<Actor | undefined>

type Needed = Pick<Ports, 'store' | 'secrets' | 'clock'>

/** Makes the lookup with the given ports. */
export function authenticateWith(ports: Needed): Authenticate {
  const known = new KnownCredentials(ports.store)
  return async (credential, { mayVerifyLater = false } = {}) => {
    // A program in plain JavaScript passes on what a request has, which may be none.
    if (typeof credential !== 'string') return undefined
    if (isShareToken(credential)) return fromShareToken(ports, credential)
    if (isPageToken(credential)) return findPage(ports, credential)
    const tokenId = findTokenId(credential)
    const kind = tokenId && grantKinds.find(({ prefix }) => tokenId.startsWith(prefix))
    if (kind) return findGrant(ports, kind, { id: tokenId, credential })
    const nowMs = ports.clock.now()
    return (
      known.find(credential, nowMs) ??
      (mayVerifyLater ? known.recall(credential, nowMs) : undefined) ??
      known.lookUp(credential, nowMs, () =>
        tokenId === undefined
          ? findSession(ports, credential)
          : findAccessToken(ports, tokenId, credential),
      )
    )
  }
}

async function findSession(
  { store, secrets, clock }: Needed,
  credential: string,
): Promise<FoundCredential | undefined> {
  const tokenHash = secrets.digest(credential)
  const session = await store.read((tx) => tx.sessions.findByTokenHash(tokenHash), {
    // Whose it is comes out only then.
    caller: `credential:${tokenHash}`,
    needsNoSnapshot: true,
  })
  const nowMs = clock.now()
  if (!session || !isOpen(session, toTimestamp(nowMs))) return undefined
  const actor = { kind: 'user', userId: session.userId, sessionId: session.id } as const
  rememberCredential(actor, nowMs, async (tx, later) => {
    const found = await tx.sessions.findByTokenHash(tokenHash)
    return found !== undefined && isOpen(found, later)
  })
  return { actor, expiresTime: session.expiresTime }
}

/** What a user lets somebody else do: as much of it as tells who acts. */
interface FoundGrant {
  readonly accessHash: string | undefined
  readonly lastUsedTime: Timestamp | undefined
  /** Who acts, as long as they may. */
  toActor(now: Timestamp): Promise<TokenActor | undefined>
}

/** How what users let others do is found, for each of those. */
interface GrantKind {
  readonly prefix: string
  find(tx: ReadTx, id: string): Promise<FoundGrant | undefined>
  noteUse(tx: WriteTx, id: string, now: Timestamp, before: Timestamp): Promise<void>
}

const grantKinds: readonly GrantKind[] = [
  {
    prefix: idPrefixes.pluginGrant,
    find: async (tx, id) => {
      const grant = await tx.pluginGrants.find(id)
      return grant && { ...grant, toActor: (now) => findGrantActor(tx, grant, now) }
    },
    noteUse: (tx, ...use) => tx.pluginGrants.noteUse(...use),
  },
  {
    prefix: idPrefixes.oauthGrant,
    find: async (tx, id) => {
      const grant = await tx.oauthGrants.find(id)
      return grant && { ...grant, toActor: (now) => findAppActor(tx, grant, now) }
    },
    noteUse: (tx, ...use) => tx.oauthGrants.noteUse(...use),
  },
]

async function findGrant(
  { store, secrets, clock }: Needed,
  kind: GrantKind,
  { id, credential }: { readonly id: string; readonly credential: string },
): Promise<Actor | undefined> {
  const find = async (tx: ReadTx, at: Timestamp) => {
    const grant = await kind.find(tx, id)
    const isRight = secrets.equal(grant?.accessHash ?? '', secrets.digest(credential))
    const actor = grant && isRight ? await grant.toActor(at) : undefined
    return actor && { actor, lastUsedTime: grant?.lastUsedTime }
  }
  const nowMs = clock.now()
  const now = toTimestamp(nowMs)
  const found = await store.read((tx) => find(tx, now), { caller: `credential:${id}` })
  if (found === undefined) return undefined
  noteUse(store, found, now, (tx, ...times) => kind.noteUse(tx, id, ...times))
  return rememberCredential(
    found.actor,
    nowMs,
    async (tx, later) => (await find(tx, later)) !== undefined,
  )
}

async function findPage(
  { store, secrets, clock }: Needed,
  credential: string,
): Promise<Actor | undefined> {
  const token = readPageToken(secrets, credential)
  if (!token) return undefined
  const nowMs = clock.now()
  const caller = `user:${token.userId}`
  const find = (tx: ReadTx, at: Timestamp) => findPageActor(tx, token, at)
  const actor = await store.read((tx) => find(tx, toTimestamp(nowMs)), { caller })
  if (!actor) return undefined
  return rememberCredential(
    actor,
    nowMs,
    async (tx, later) => (await find(tx, later)) !== undefined,
  )
}

async function findAccessToken(
  ports: Needed,
  tokenId: string,
  credential: string,
): Promise<FoundCredential | undefined> {
  const { store, secrets, clock } = ports
  const token = await store.read((tx) => tx.accessTokens.find(tokenId), {
    caller: `credential:${tokenId}`,
    needsNoSnapshot: true,
  })
  const isRight = secrets.equal(token?.tokenHash ?? '', secrets.digest(credential))
  const nowMs = clock.now()
  const now = toTimestamp(nowMs)
  if (!token || !isRight || token.expiresTime <= now) return undefined
  const actor = toTokenActor(token)
  const { lastUsedTime } = token
  noteUse(store, { actor, lastUsedTime }, now, (tx, ...times) =>
    tx.accessTokens.noteUse(tokenId, ...times),
  )
  rememberCredential(actor, nowMs, async (tx, later) => {
    const found = await tx.accessTokens.find(tokenId)
    return found?.version === token.version && found.expiresTime > later
  })
  const notedTime = isNoted(lastUsedTime, now) ? lastUsedTime : now
  const notedUntil = later(notedTime, limits.tokenUseNotedSeconds * 1_000)
  return { actor, expiresTime: token.expiresTime, notedUntil }
}

/**
 * Has the use of a token noted, once a minute at most. Nobody waits for that: it may have its turn after a long write of
 * somebody else. It never fails: a storage that can't note the use may well answer the call that the token came with.
 */
function noteUse(
  store: Store,
  {
    actor,
    lastUsedTime,
  }: { readonly actor: TokenActor; readonly lastUsedTime?: Timestamp | undefined },
  now: Timestamp,
  note: (tx: WriteTx, now: Timestamp, before: Timestamp) => Promise<void>,
): void {
  if (isNoted(lastUsedTime, now)) return
  const before = later(now, -limits.tokenUseNotedSeconds * 1_000)
  const caller = `user:${actor.userId}`
  store.write((tx) => note(tx, now, before), { caller }).catch(() => {})
}

/** Whether the use of a token was noted less than a minute ago. */
function isNoted(lastUsedTime: Timestamp | undefined, now: Timestamp): lastUsedTime is Timestamp {
  const before = later(now, -limits.tokenUseNotedSeconds * 1_000)
  return lastUsedTime !== undefined && lastUsedTime > before
}
