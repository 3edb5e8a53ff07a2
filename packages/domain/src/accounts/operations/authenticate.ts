import type { Actor } from '../../access/actor.ts'
import { type AccessToken, toTokenActor } from '../../access-tokens/access-token.ts'
import { findTokenId } from '../../access-tokens/token-text.ts'
import { later, type Timestamp, toTimestamp } from '../../clock.ts'
import { idPrefixes } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { findGrantActor } from '../../plugin-grants/grant-actor.ts'
import type { Ports } from '../../ports.ts'
import { fromShareToken, isShareToken } from '../../shares/share-token.ts'

/**
 * The actor behind a credential (the token of a session, of a share or of a plugin, or a personal access token), undefined when it
 * is unknown, expired or revoked. Looked up anew on every call, so that a revocation holds at once,
 * whichever process made it.
 */
export type Authenticate = (credential: string) => Promise<Actor | undefined>

type Needed = Pick<Ports, 'store' | 'secrets' | 'clock'>

/** Makes the lookup with the given ports. */
export function authenticateWith(ports: Needed): Authenticate {
  return async (credential) => {
    if (isShareToken(credential)) return fromShareToken(ports, credential)
    const tokenId = findTokenId(credential)
    if (tokenId === undefined) return findSession(ports, credential)
    return tokenId.startsWith(idPrefixes.pluginGrant)
      ? findGrant(ports, tokenId, credential)
      : findAccessToken(ports, tokenId, credential)
  }
}

async function findSession({ store, secrets, clock }: Needed, credential: string) {
  const tokenHash = secrets.digest(credential)
  const session = await store.read((tx) => tx.sessions.findByTokenHash(tokenHash), {
    // Whose it is comes out only then.
    caller: `credential:${tokenHash}`,
  })
  if (!session || session.expiresTime <= toTimestamp(clock.now())) return undefined
  return { kind: 'user', userId: session.userId, sessionId: session.id } as const
}

async function findGrant(
  { store, secrets, clock }: Needed,
  grantId: string,
  credential: string,
): Promise<Actor | undefined> {
  const now = toTimestamp(clock.now())
  return store.read(
    async (tx) => {
      const grant = await tx.pluginGrants.find(grantId)
      const isRight = secrets.equal(grant?.accessHash ?? '', secrets.digest(credential))
      return grant && isRight ? findGrantActor(tx, grant, now) : undefined
    },
    { caller: `credential:${grantId}` },
  )
}

async function findAccessToken(ports: Needed, tokenId: string, credential: string) {
  const { store, secrets, clock } = ports
  const token = await store.read((tx) => tx.accessTokens.find(tokenId), {
    caller: `credential:${tokenId}`,
  })
  const isRight = secrets.equal(token?.tokenHash ?? '', secrets.digest(credential))
  const now = toTimestamp(clock.now())
  if (!token || !isRight || token.expiresTime <= now) return undefined
  const before = later(now, -limits.tokenUseNotedSeconds * 1_000)
  if (token.lastUsedTime === undefined || token.lastUsedTime <= before) {
    // Nobody waits for that: it may have its turn after a long write of somebody else.
    void noteUse(ports, token, { now, before })
  }
  return toTokenActor(token)
}

/** Never fails: a storage that can't note the use may well answer the call that the token came with. */
async function noteUse(
  { store }: Needed,
  { id, userId }: Pick<AccessToken, 'id' | 'userId'>,
  { now, before }: { readonly now: Timestamp; readonly before: Timestamp },
): Promise<void> {
  try {
    await store.write((tx) => tx.accessTokens.noteUse(id, now, before), {
      caller: `user:${userId}`,
    })
  } catch {}
}
