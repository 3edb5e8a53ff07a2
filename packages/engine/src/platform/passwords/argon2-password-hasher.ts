import { availableParallelism } from 'node:os'
import type { PasswordHasher } from '@gateleg/domain/accounts/passwords/password-hasher'
import { limits } from '@gateleg/domain/limits'
import type { Argon2Cost } from './password-task.ts'
import { runOnPasswordThread } from './password-thread.ts'
import { type TwoLaneOptions, TwoLaneQueue } from './two-lane-queue.ts'

/** As OWASP recommends at least: 19 MiB and two passes. */
const recommended: Argon2Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * How many passwords may be hashed at the same time on a number of processors: one processor is left for all other
 * work.
 */
export function passwordsAtOnce(processors: number): number {
  return Math.max(1, Math.min(limits.passwordsAtOnce, processors - 1))
}

const shippedQueue: TwoLaneOptions = {
  atOnce: passwordsAtOnce(availableParallelism()),
  waiting: { urgent: limits.signInsWaiting, other: limits.signUpsWaiting },
}

/**
 * Hashes and checks passwords with argon2id, a few at a time, on threads of low priority. Signing in comes before
 * signing up; where too many wait, it throws `service_busy`.
 */
export class Argon2PasswordHasher implements PasswordHasher {
  readonly #queue: TwoLaneQueue
  readonly #cost: Argon2Cost
  /** What a password is compared with when there is no account, so that it takes as long. */
  #decoy: Promise<string> | undefined

  constructor(cost: Argon2Cost = recommended, queue: TwoLaneOptions = shippedQueue) {
    this.#queue = new TwoLaneQueue(queue)
    this.#cost = cost
  }

  hash(password: string): Promise<string> {
    return this.#queue.run('other', () => this.#hash(password))
  }

  verify(passwordHash: string | undefined, password: string): Promise<boolean> {
    return this.#queue.run('urgent', async () => {
      const hash = passwordHash ?? (await this.#decoyHash())
      const matches = await runOnPasswordThread({ kind: 'verify', hash, password })
      return passwordHash !== undefined && matches === true
    })
  }

  async #hash(password: string): Promise<string> {
    return String(await runOnPasswordThread({ kind: 'hash', password, cost: this.#cost }))
  }

  async #decoyHash(): Promise<string> {
    this.#decoy ??= this.#hash('a decoy')
    try {
      return await this.#decoy
    } catch (error) {
      this.#decoy = undefined
      throw error
    }
  }
}
