import type { Timestamp } from '../../clock.ts'
import type { AddressCode } from './address-code.ts'

/** Keeps the codes that were mailed to prove addresses. */
export interface AddressCodeRepository {
  insert(code: AddressCode): Promise<void>
  /**
   * Takes one of the tries that a code has left, and returns its hash. Undefined when there is no such
   * code for the address, it has expired, or has no try left. Tries at the same time each take one.
   */
  takeTry(tokenHash: string, email: string, now: Timestamp): Promise<string | undefined>
  /** Forgets a code, and tells whether it was there: of those who do so at the same time, one is told so. */
  delete(tokenHash: string): Promise<boolean>
  /** Forgets at most `most` codes that expired before the time. Returns how many. */
  deleteExpired(before: Timestamp, most: number): Promise<number>
}
