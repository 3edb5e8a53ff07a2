import type { Timestamp } from '../../clock.ts'

/** A code that was mailed to prove an address. The code is known to its receiver alone, the token to who asked for it. */
export interface AddressCode {
  readonly tokenHash: string
  readonly email: string
  /** Keyed: a million codes would be no riddle to who reads a plain digest. */
  readonly codeHash: string
  /** Wrong tries that it still takes. */
  readonly triesLeft: number
  readonly expiresTime: Timestamp
}
