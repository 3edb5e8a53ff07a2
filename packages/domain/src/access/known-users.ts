import { DomainError } from '../errors.ts'
import type { ReadTx, Store } from '../store.ts'
import type { Actor } from './actor.ts'

/** Users that were found; nobody is ever forgotten, so that they needn't be looked up again. */
const knownByStore = new WeakMap<Store, Set<string>>()

/** So many are remembered that a program with that many users of its own looks up few of them twice. */
const rememberedMost = 10_000

/**
 * Refuses with `unauthorized` when an embedding program calls as a user who doesn't exist, as for an unknown session.
 * The users of sessions and tokens are known to exist.
 */
export async function requireKnownUser(tx: ReadTx, store: Store, actor: Actor): Promise<void> {
  if (actor.kind !== 'user' || actor.sessionId !== undefined) return
  const known = knownByStore.get(store) ?? new Set()
  knownByStore.set(store, known)
  if (known.has(actor.userId)) return
  if (!(await tx.users.namesOf([actor.userId])).has(actor.userId)) {
    throw new DomainError(
      'unauthorized',
      'There is no such user: sign up, or register a user of your program with ensureUser',
    )
  }
  if (known.size >= rememberedMost) known.clear()
  known.add(actor.userId)
}
