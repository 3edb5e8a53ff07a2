import type { Store } from '../store.ts'
import { toAddressBlock } from '../values/address-block.ts'
import type { Actor } from './actor.ts'

/**
 * Who takes turns with others, as a text: a user, whichever credentials they come with, else the address
 * that a call came from.
 */
export function callerOf(actor: Actor, address: string | undefined): string {
  return actor.kind === 'anonymous' || actor.kind === 'share'
    ? `${visitorPrefix}${address && toAddressBlock(address)}`
    : `user:${actor.userId}`
}

/** Whether the caller, as `callerOf` has it, is nobody who signed in: a visitor of a share, say. */
export function isVisitor(caller: string | undefined): boolean {
  return caller?.startsWith(visitorPrefix) ?? false
}

const visitorPrefix = 'address:'

/** Everything that the background does takes turns with callers as one of them. */
export const backgroundCaller = 'background'

/** The store, each of whose transactions is the caller's. */
export function storeOf(caller: string, store: Store): Store {
  return {
    read: (work, options) => store.read(work, { ...options, caller }),
    write: (work, options) => store.write(work, { ...options, caller }),
    giveWay: () => store.giveWay(),
  }
}
