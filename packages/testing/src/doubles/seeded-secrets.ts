import type { Digester, Secrets } from '@gateleg/domain/secrets'
import type { SeededRandom } from './seeded-random.ts'

/** Secrets that anybody can foretell, for replays; digests and signatures are those of others. */
export class SeededSecrets implements Secrets {
  readonly #random: SeededRandom
  readonly #others: Secrets

  constructor(random: SeededRandom, others: Secrets) {
    this.#random = random
    this.#others = others
  }

  token(): string {
    return this.#random.unique(64)
  }

  code(digits: number): string {
    return this.#random.digits(digits)
  }

  digest(text: string): string {
    return this.#others.digest(text)
  }

  digester(): Digester {
    return this.#others.digester()
  }

  sign(text: string): string {
    return this.#others.sign(text)
  }

  equal(a: string, b: string): boolean {
    return this.#others.equal(a, b)
  }

  seal(text: string): string {
    return this.#others.seal(text)
  }

  unseal(sealed: string): string | undefined {
    return this.#others.unseal(sealed)
  }
}
