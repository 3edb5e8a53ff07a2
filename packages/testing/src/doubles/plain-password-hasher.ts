import type { PasswordHasher } from '@gateleg/domain/accounts/passwords/password-hasher'

/** One comparison that was asked for. */
export interface Comparison {
  readonly hash: string | undefined
  readonly password: string
}

/** Passwords at no cost, for tests of the rules around them: says what it was asked, in order. */
export class PlainPasswordHasher implements PasswordHasher {
  readonly comparisons: Comparison[] = []
  /** Runs once, after the next comparison and before its answer. */
  afterComparison: (() => Promise<unknown>) | undefined

  async hash(password: string): Promise<string> {
    return `plain:${password}`
  }

  async verify(hash: string | undefined, password: string): Promise<boolean> {
    this.comparisons.push({ hash, password })
    const run = this.afterComparison
    this.afterComparison = undefined
    await run?.()
    return hash === `plain:${password}`
  }
}
