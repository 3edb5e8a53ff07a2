import { type Timestamp, toTimestamp } from '../clock.ts'
import { DomainError } from '../errors.ts'
import { limits } from '../limits.ts'
import type { ReadTx } from '../store.ts'
import type { Actor, KnownActor } from './actor.ts'

/** Whether a credential is what it was when it was looked up. */
type IsStillGood = (tx: ReadTx, now: Timestamp) => Promise<boolean>

interface LookedUp {
  readonly atMs: number
  readonly isStillGood: IsStillGood
}

/** By which credentials actors came. Who an embedding program vouches for came by none. */
const lookedUpOf = new WeakMap<KnownActor, LookedUp>()

/** Remembers that the credential of the actor was looked up at the time (milliseconds since 1970-01-01 UTC), and how to look again. */
export function rememberCredential<Known extends KnownActor>(
  actor: Known,
  atMs: number,
  isStillGood: IsStillGood,
): Known {
  lookedUpOf.set(actor, { atMs, isStillGood })
  return actor
}

/**
 * Refuses with `unauthorized` an actor whose session or token has ended, or was changed, since it was looked up. A request may
 * take minutes to come, to have its turn and to be answered, and its credential is looked at before all that. It is looked up
 * again where that was longer ago than `credentialMs`.
 */
export async function requireLiveCredential(
  tx: ReadTx,
  actor: Actor,
  nowMs: number,
): Promise<void> {
  const known = knownOf(actor)
  const lookedUp = known && lookedUpOf.get(known)
  if (!lookedUp || nowMs - lookedUp.atMs < limits.credentialMs) return
  if (!(await lookedUp.isStillGood(tx, toTimestamp(nowMs)))) throw ended()
  rememberCredential(known, nowMs, lookedUp.isStillGood)
}

/**
 * The same, however short a while ago it was looked up: for what gives a new way in. With the account held, nobody can end
 * its sessions until the transaction has ended.
 */
export async function requireCredentialNow(tx: ReadTx, actor: Actor): Promise<void> {
  const known = knownOf(actor)
  const lookedUp = known && lookedUpOf.get(known)
  if (lookedUp && !(await lookedUp.isStillGood(tx, toTimestamp(lookedUp.atMs)))) throw ended()
}

function ended(): DomainError {
  return new DomainError(
    'unauthorized',
    'The session or access token has ended, or was changed, since the request began: sign in again',
  )
}

function knownOf(actor: Actor): KnownActor | undefined {
  switch (actor?.kind) {
    case 'user':
    case 'token':
      return actor
    case 'share':
      return actor.user
    default:
      return undefined
  }
}
