import { later, type Timestamp } from '../clock.ts'
import { DomainError } from '../errors.ts'
import type { ReadTx, Store, WriteTx } from '../store.ts'
import type { Actor, UserActor } from './actor.ts'

/** Users that were found, so that they needn't be looked up again; until when, and after which end of an account. */
interface Known {
  readonly ids: Set<string>
  readonly until: Timestamp
  readonly end: number
}

const knownByStore = new WeakMap<Store, Known>()

/** How often an account has come to its end in this process. */
let ends = 0

/** Another process may delete the account of somebody who is remembered here. */
const rememberedMs = 60_000

/** So many are remembered that a program with that many users of its own looks up few of them twice. */
const rememberedMost = 10_000

/**
 * Refuses with `unauthorized` when an embedding program calls as a user who doesn't exist, as for an unknown session.
 */
export async function requireKnownUser(
  tx: ReadTx,
  { store, now }: { readonly store: Store; readonly now: Timestamp },
  actor: Actor,
): Promise<void> {
  if (!isVouchedFor(actor)) return
  const known = knownIn(store, now)
  if (known.has(actor.userId)) return
  if (!(await tx.users.livingAmong([actor.userId])).has(actor.userId)) {
    throw new DomainError(
      'unauthorized',
      'There is no such user: sign up, or register a user of your program with ensureUser',
    )
  }
  if (known.size >= rememberedMost) known.clear()
  known.add(actor.userId)
}

/** Whether only the embedding program says that there is such a user: the users of sessions and tokens are known to exist. */
export function isVouchedFor(actor: Actor): actor is UserActor {
  return actor.kind === 'user' && actor.sessionId === undefined
}

/**
 * Has everybody looked up again once the transaction, in which an account comes to its end, has ended: before that, another
 * call would find the user, and remember them. However it ends: of a commit nobody may know whether it was made.
 */
export function forgetKnownUsers(tx: Pick<WriteTx, 'onEnd'>): void {
  tx.onEnd(() => {
    ends += 1
  })
}

function knownIn(store: Store, now: Timestamp): Set<string> {
  const found = knownByStore.get(store)
  if (found?.end === ends && now <= found.until) return found.ids
  const ids = new Set<string>()
  knownByStore.set(store, { ids, until: later(now, rememberedMs), end: ends })
  return ids
}
