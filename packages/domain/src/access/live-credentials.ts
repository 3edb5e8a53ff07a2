import { type Timestamp, toTimestamp } from '../clock.ts'
import { assert, DomainError } from '../errors.ts'
import { limits } from '../limits.ts'
import type { ReadTx } from '../store.ts'
import type { Actor, KnownActor } from './actor.ts'

/** Whether a credential is what it was when it was looked up. */
type IsStillGood = (tx: ReadTx, now: Timestamp) => Promise<boolean>

/** By which credential an actor came. Who an embedding program vouches for came by none. */
interface LookedUp {
  atMs: number
  /** Whether the call itself is to look it up again, however short a while ago that was. */
  isDue: boolean
  readonly isStillGood: IsStillGood
}

/** Where an actor has it. Not a weak map: with an entry made for each call, those take the garbage collector a fifth of the time. */
const lookedUp = Symbol('looked up')

type WithCredential = KnownActor & { readonly [lookedUp]?: LookedUp }

/** Remembers that the credential of the actor was looked up at the time (milliseconds since 1970-01-01 UTC), and how to look again. */
export function rememberCredential<Known extends KnownActor>(
  actor: Known,
  atMs: number,
  isStillGood: IsStillGood,
): Known {
  return withCredential(actor, { atMs, isDue: false, isStillGood })
}

/** The actor as of a credential that nobody has looked up again: the call that they make does, as its first question. */
export function toUnverified<Known extends KnownActor>(actor: Known): Known {
  const credential = credentialOf(actor)
  assert(credential, 'whoever came by a credential can be looked up')
  return withCredential({ ...actor }, { ...credential, isDue: true })
}

function withCredential<Known extends KnownActor>(actor: Known, credential: LookedUp): Known {
  return Object.defineProperty(actor, lookedUp, { value: credential })
}

/** Whether the credential of the actor still is to be looked up. */
export function isUnverified(actor: Actor): boolean {
  return credentialOf(actor)?.isDue ?? false
}

/** What calls are refused with whose session or token has ended, or was changed, since it was looked up. */
export class CredentialEnded extends DomainError {
  constructor() {
    super(
      'unauthorized',
      'The session or access token has ended, or was changed, since the request began: sign in again',
    )
  }
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
  const credential = credentialOf(actor)
  if (!credential || isLive(actor, nowMs)) return
  if (!(await credential.isStillGood(tx, toTimestamp(nowMs)))) throw new CredentialEnded()
  credential.atMs = nowMs
  credential.isDue = false
}

/**
 * What is known of the credential of the actor, as a function that goes back to it: a transaction that comes to nothing, and is
 * run again, has looked up nothing.
 */
export function credentialState(actor: Actor): () => void {
  const credential = credentialOf(actor)
  if (!credential) return () => {}
  const { atMs, isDue } = credential
  return () => {
    credential.atMs = atMs
    credential.isDue = isDue
  }
}

/** Whether the credential was looked up a short while ago, or there is none to look up. */
export function isLive(actor: Actor, nowMs: number): boolean {
  const credential = credentialOf(actor)
  return !credential || (!credential.isDue && nowMs - credential.atMs < limits.credentialMs)
}

/**
 * Throws CredentialEnded where the credential is no longer good, however short a while ago it was looked up: for what gives
 * a new way in. With the account held, nobody can end its sessions until the transaction has ended.
 */
export async function requireCredentialNow(tx: ReadTx, actor: Actor): Promise<void> {
  const credential = credentialOf(actor)
  if (!credential) return
  if (!(await credential.isStillGood(tx, toTimestamp(credential.atMs)))) throw new CredentialEnded()
}

function credentialOf(actor: Actor): LookedUp | undefined {
  return (knownOf(actor) as WithCredential | undefined)?.[lookedUp]
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
