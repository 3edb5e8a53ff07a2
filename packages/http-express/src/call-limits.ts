import type { Operation } from '@gateleg/contract/operation'
import type { Actor } from '@gateleg/domain/access/actor'
import { limits } from '@gateleg/domain/limits'
import { toAddressBlock } from '@gateleg/domain/values/address-block'
import { RateLimit } from './rate-limit.ts'

/** How often callers may call. Each is 0 for as often as they like. */
export interface CallLimitOptions {
  /** Calls per second of one user, or of one address that has not said who it is. */
  readonly perSecond: number
  /** Sign-ups, and codes for one, per minute from one address. */
  readonly signUpsPerMinute: number
  /** Sign-ins per minute from one address. */
  readonly signInsPerMinute: number
}

const defaults: CallLimitOptions = {
  perSecond: 0,
  signUpsPerMinute: limits.signUpsPerMinute,
  signInsPerMinute: limits.signInsPerMinute,
}

/**
 * Holds callers to their limits. A caller is the user whom a credential was found to be of, or else the
 * address of the socket (one that a trusted proxy names), never something that a request merely says.
 */
export class CallLimits {
  readonly #perSecond: RateLimit | undefined
  readonly #byOperation: ReadonlyMap<string, RateLimit>

  constructor(given: Partial<CallLimitOptions> = {}) {
    const { perSecond, signUpsPerMinute, signInsPerMinute } = { ...defaults, ...given }
    this.#perSecond = perSecond > 0 ? new RateLimit(perSecond, 1) : undefined
    const signUps = signUpsPerMinute > 0 ? new RateLimit(signUpsPerMinute, 60) : undefined
    const signIns = signInsPerMinute > 0 ? new RateLimit(signInsPerMinute, 60) : undefined
    this.#byOperation = new Map([
      ...(signUps ? ([['accounts.signUp', signUps]] as const) : []),
      ...(signUps ? ([['accounts.sendSignUpCode', signUps]] as const) : []),
      ...(signIns ? ([['accounts.signIn', signIns]] as const) : []),
    ])
  }

  /** Counts a call of a known user. */
  async takeOfUser({ userId }: Exclude<Actor, { kind: 'anonymous' }>): Promise<void> {
    await this.#perSecond?.take(`user:${userId}`)
  }

  /** Counts a call, of the operation, by somebody of whom no more than the address is known. */
  async takeOfAddress({ name }: Operation, address: string | undefined): Promise<void> {
    const ofOperation = this.#byOperation.get(name)
    if (!this.#perSecond && !ofOperation) return
    const caller = `address:${address === undefined ? 'unknown' : toAddressBlock(address)}`
    await this.#perSecond?.take(caller)
    await ofOperation?.take(caller)
  }
}
