import type { Operation } from '@gateleg/contract/operation'
import type { KnownActor } from '@gateleg/domain/access/actor'
import { limits } from '@gateleg/domain/limits'
import { toAddressBlock } from '@gateleg/domain/values/address-block'
import { type CountForAll, RateLimit, type Tell } from './rate-limit.ts'

/** How often callers may call; 0 means that there is no limit. */
export interface CallLimitOptions {
  /** Calls per second of one user, or of one address that has not said who it is. */
  readonly perSecond: number
  /** Calls per second with one token, which count as calls of its user as well. */
  readonly perSecondOfToken: number
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
  perSecondOfToken: 0,
  signUpsPerMinute: limits.signUpsPerMinute,
  signInsPerMinute: limits.signInsPerMinute,
  shareCallsPerMinute: limits.shareCallsPerMinute,
  sharedFormsPerMinute: limits.sharedFormsPerMinute,
}

/**
 * Enforces the limits of callers. A caller is the user to whom a credential belongs, or else the address of the
 * socket (or the one that a trusted proxy names), never anything that a request merely claims. All are counted for all
 * servers of a storage: each call of which a minute allows few, and which costs more than to count it, by itself, all others
 * some together.
 */
export class CallLimits {
  readonly #perSecond: RateLimit | undefined
  readonly #ofTokens: RateLimit | undefined
  readonly #byOperation: ReadonlyMap<string, RateLimit>
  readonly #ofShares: RateLimit | undefined

  constructor(given: Partial<CallLimitOptions> = {}, countForAll?: CountForAll) {
    const { perSecond, perSecondOfToken, ...perMinute } = { ...defaults, ...given }
    const limit = (name: string, calls: number, seconds: number, countedTogether = 1) =>
      calls > 0 ? new RateLimit({ name, calls, seconds, countForAll, countedTogether }) : undefined
    const rare = (name: string, calls: number) => limit(name, calls, 60)
    const frequent = (name: string, calls: number, seconds: number) =>
      limit(name, calls, seconds, Math.ceil((calls * limits.callsCountedTogetherPercent) / 100))
    this.#perSecond = frequent('calls', perSecond, 1)
    this.#ofTokens = frequent('calls-of-token', perSecondOfToken, 1)
    this.#ofShares = frequent('shares', perMinute.shareCallsPerMinute, 60)
    const signUps = rare('sign-ups', perMinute.signUpsPerMinute)
    const signIns = rare('sign-ins', perMinute.signInsPerMinute)
    const forms = rare('forms', perMinute.sharedFormsPerMinute)
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
  async takeOfUser(actor: KnownActor, tell: Tell): Promise<void> {
    // First: what a token may no more doesn't take calls from its user.
    if (actor.kind === 'token') await this.#ofTokens?.take(`token:${actor.tokenId}`, tell)
    await this.#perSecond?.take(`user:${actor.userId}`, tell)
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
