import type { PasswordHasher } from '@gateleg/domain/accounts/password-hasher'
import { type Algorithm, hash, verify } from '@node-rs/argon2'

/** What argon2id spends on one password: 19 MiB and two passes, as OWASP recommends at least. */
export interface Argon2Cost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

const recommended: Argon2Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Passwords by argon2id, on the thread pool. */
export class Argon2PasswordHasher implements PasswordHasher {
  readonly #options: Argon2Cost & { algorithm: Algorithm }
  /** What a password is compared with when there is no account, so that it takes as long. */
  #decoy: Promise<string> | undefined

  constructor(cost: Argon2Cost = recommended) {
    this.#options = { ...cost, algorithm: 2 satisfies Algorithm.Argon2id }
  }

  hash(password: string): Promise<string> {
    return hash(password, this.#options)
  }

  async verify(passwordHash: string | undefined, password: string): Promise<boolean> {
    this.#decoy ??= this.hash('a decoy')
    const matches = await verify(passwordHash ?? (await this.#decoy), password)
    return passwordHash !== undefined && matches
  }
}
