/**
 * Turns passwords into what may be stored, slowly and with memory, so that guessing is dear. Either way may
 * be refused with `service_busy` when there is too much to do.
 */
export interface PasswordHasher {
  /** A salted hash of the password; two hashes of one password differ. */
  hash(password: string): Promise<string>
  /** Whether the hash was made of the password. Takes as long for `undefined` (no such account). */
  verify(hash: string | undefined, password: string): Promise<boolean>
}
