import { availableParallelism } from 'node:os'
import type { PasswordHasher } from '@gateleg/domain/accounts/password-hasher'
import { limits } from '@gateleg/domain/limits'
import { type Algorithm, hash, verify } from '@node-rs/argon2'
import { type TwoLaneOptions, TwoLaneQueue } from './two-lane-queue.ts'

/** What argon2id spends on one password: 19 MiB and two passes, as OWASP recommends at least. */
export interface Argon2Cost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

const recommended: Argon2Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** So many passwords at one time on so many processors: one of these stays for all else. */
export function passwordsAtOnce(processors: number): number {
  return Math.max(1, Math.min(limits.passwordsAtOnce, processors - 1))
}

const shippedQueue: TwoLaneOptions = {
  atOnce: passwordsAtOnce(availableParallelism()),
  waiting: { urgent: limits.signInsWaiting, other: limits.signUpsWaiting },
}

/**
 * Passwords by argon2id, on the thread pool: a few at a time, so that the others of the process get threads
 * too. Who signs in goes before who signs up; where too many wait, `service_busy`.
 */
export class Argon2PasswordHasher implements PasswordHasher {
  readonly #queue: TwoLaneQueue
  readonly #options: Argon2Cost & { algorithm: Algorithm }
  /** What a password is compared with when there is no account, so that it takes as long. */
  #decoy: Promise<string> | undefined

  constructor(cost: Argon2Cost = recommended, queue: TwoLaneOptions = shippedQueue) {
    this.#queue = new TwoLaneQueue(queue)
    this.#options = { ...cost, algorithm: 2 satisfies Algorithm.Argon2id }
  }

  hash(password: string): Promise<string> {
    return this.#queue.run('other', () => hash(password, this.#options))
  }

  verify(passwordHash: string | undefined, password: string): Promise<boolean> {
    return this.#queue.run('urgent', async () => {
      this.#decoy ??= hash('a decoy', this.#options)
      const matches = await verify(passwordHash ?? (await this.#decoy), password)
      return passwordHash !== undefined && matches
    })
  }
}
