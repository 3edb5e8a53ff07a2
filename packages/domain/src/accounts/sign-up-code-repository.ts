import type { Timestamp } from '../clock.ts'
import type { SignUpCode } from './sign-up-code.ts'

/** Keeps the sign-up codes that were mailed. */
export interface SignUpCodeRepository {
  insert(code: SignUpCode): Promise<void>
  /**
   * Takes one of the tries that a code has left, and returns its hash. Undefined when there is no such
   * code for the address, it has expired, or has no try left. Tries at the same time each take one.
   */
  takeTry(tokenHash: string, email: string, now: Timestamp): Promise<string | undefined>
  /** Forgets at most `most` codes that expired before the time. Returns how many. */
  deleteExpired(before: Timestamp, most: number): Promise<number>
}
