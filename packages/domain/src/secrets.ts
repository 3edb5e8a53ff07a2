/** Computes the digest of a text that is given in parts. */
export interface Digester {
  add(part: string): void
  /** The digest of all parts together; nothing is added after it. */
  end(): string
}

/** Random secrets, digests, and the sealing of what must not be readable at rest. */
export interface Secrets {
  /** A new secret of 256 random bits, in letters and digits. */
  token(): string
  /** A new code of the given number of decimal digits, each as likely as the others. */
  code(digits: number): string
  /** SHA-256 of the text, in lower-case hexadecimal. */
  digest(text: string): string
  /** A digester, for a text that comes in parts. */
  digester(): Digester
  /** HMAC-SHA-256 of the text under the instance key, in lower-case hexadecimal. */
  sign(text: string): string
  /** Whether two texts are equal, in a time that doesn't depend on where they differ. */
  equal(a: string, b: string): boolean
  /** Encrypts the text under the instance key. Two seals of one text differ. */
  seal(text: string): string
  /** The text that was sealed; undefined when it was sealed under another key or was changed. */
  unseal(sealed: string): string | undefined
}

/** The text with its signature behind it, as a token that keeps what it says. */
export function toSigned(secrets: Pick<Secrets, 'sign'>, said: string): string {
  return `${said}.${secrets.sign(said)}`
}

/** What a signed text says; undefined for one that we did not make. */
export function fromSigned(
  secrets: Pick<Secrets, 'sign' | 'equal'>,
  text: string,
): string | undefined {
  const end = text.lastIndexOf('.')
  const said = text.slice(0, end)
  return secrets.equal(text.slice(end + 1), secrets.sign(said)) ? said : undefined
}
