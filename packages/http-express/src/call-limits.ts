import type { Operation } from '@gateleg/contract/operation'
import type { KnownActor } from '@gateleg/domain/access/actor'
import { limits } from '@gateleg/domain/limits'
import { toAddressBlock } from '@gateleg/domain/values/address-block'
import { type CountForAll, RateLimit, type Tell } from './rate-limit.ts'

/** How often callers may call; 0 means that there is no limit. */
export interface CallLimitOptions {
  /** Calls per second of one user, or of one address that has not said who it is. */
  readonly perSecond: number
  /** Sign-ups, and codes for one, per minute from one address. */
  readonly signUpsPerMinute: number
  /** Sign-ins, and mails and codes for a new password, per minute from one address. */
  readonly signInsPerMinute: number
  /** Calls per minute from one address about shares, of which nobody says who they are. */
  readonly shareCallsPerMinute: number
  /** Forms per minute that are sent from one address by visitors of shares. */
  readonly sharedFormsPerMinute: number
}

const defaults: CallLimitOptions = {
  perSecond: 0,
  signUpsPerMinute: limits.signUpsPerMinute,
  signInsPerMinute: limits.signInsPerMinute,
  shareCallsPerMinute: limits.shareCallsPerMinute,
  sharedFormsPerMinute: limits.sharedFormsPerMinute,
}

/**
 * Enforces the limits of callers. A caller is the user to whom a credential belongs, or else the address of the
 * socket (or the one that a trusted proxy names), never anything that a request merely claims. Calls of which a minute allows
 * few, and which cost more than to count them, are counted for all servers of a storage.
 */
export class CallLimits {
  readonly #perSecond: RateLimit | undefined
  readonly #byOperation: ReadonlyMap<string, RateLimit>
  readonly #ofShares: RateLimit | undefined

  constructor(given: Partial<CallLimitOptions> = {}, countForAll?: CountForAll) {
    const { perSecond, ...perMinute } = { ...defaults, ...given }
    this.#perSecond =
      perSecond > 0 ? new RateLimit({ name: 'calls', calls: perSecond, seconds: 1 }) : undefined
    const signUps = minutely('sign-ups', perMinute.signUpsPerMinute, countForAll)
    const signIns = minutely('sign-ins', perMinute.signInsPerMinute, countForAll)
    const forms = minutely('forms', perMinute.sharedFormsPerMinute, countForAll)
    this.#ofShares = minutely('shares', perMinute.shareCallsPerMinute)
    this.#byOperation = new Map([
      ...(signUps ? ([['accounts.signUp', signUps]] as const) : []),
      ...(signUps ? ([['accounts.sendSignUpCode', signUps]] as const) : []),
      ...(signIns ? ([['accounts.signIn', signIns]] as const) : []),
      ...(signIns ? ([['accounts.sendPasswordReset', signIns]] as const) : []),
      ...(signIns ? ([['accounts.resetPassword', signIns]] as const) : []),
      ...(signIns ? ([['identities.startSignIn', signIns]] as const) : []),
      // It may make an account.
      ...(signUps ? ([['identities.finishSignIn', signUps]] as const) : []),
      ...(forms ? ([['shares.submitSharedForm', forms]] as const) : []),
    ])
  }

  /** Counts a call of a known user, and tells how they stand with each limit. */
  async takeOfUser({ userId }: KnownActor, tell: Tell): Promise<void> {
    await this.#perSecond?.take(`user:${userId}`, tell)
  }

  /** Counts a call, of the operation, by somebody of whom no more than the address is known. */
  async takeOfAddress(
    { name, isOfShare }: Pick<Operation, 'name' | 'isOfShare'>,
    address: string | undefined,
    tell: Tell,
  ): Promise<void> {
    const ofOperation = this.#byOperation.get(name)
    const ofShares = isOfShare ? this.#ofShares : undefined
    if (!this.#perSecond && !ofOperation && !ofShares) return
    const caller = `address:${address === undefined ? 'unknown' : toAddressBlock(address)}`
    await this.#perSecond?.take(caller, tell)
    await ofShares?.take(caller, tell)
    await ofOperation?.take(caller, tell)
  }
}

/** A limit of so many calls in a minute; none for 0. */
function minutely(name: string, most: number, countForAll?: CountForAll): RateLimit | undefined {
  return most > 0 ? new RateLimit({ name, calls: most, seconds: 60, countForAll }) : undefined
}
