import type { Store } from '../store.ts'
import { ownCaller } from '../structures/fair-queue.ts'
import { toAddressBlock } from '../values/address-block.ts'
import type { Actor } from './actor.ts'

/**
 * The caller who takes turns with others, as a text: a user, with whichever credential, else the network address of the
 * call.
 */
export function callerOf(actor: Actor, address: string | undefined): string {
  return actor.kind === 'anonymous' || actor.kind === 'share'
    ? `${visitorPrefix}${address && toAddressBlock(address)}`
    : `user:${actor.userId}`
}

/** Whether the caller, as `callerOf` gives it, is not signed in, such as a visitor of a share. */
export function isVisitor(caller: string | undefined): boolean {
  return caller?.startsWith(visitorPrefix) ?? false
}

const visitorPrefix = 'address:'

/** The caller for all background work, which takes turns with other callers as one of them. */
export const backgroundCaller = 'background'

/** Whether what the caller, as `callerOf` gives it, does is a call, and not work of the program itself or of the background. */
export function isOfCall(caller: string | undefined): boolean {
  return caller !== undefined && caller !== ownCaller && caller !== backgroundCaller
}

/** The store with all transactions on behalf of the caller. */
export function storeOf(caller: string, store: Store): Store {
  return {
    read: (work, options) => store.read(work, { ...options, caller }),
    write: (work, options) => store.write(work, { ...options, caller }),
    giveWay: () => store.giveWay(),
    accessState: () => store.accessState?.(),
  }
}
