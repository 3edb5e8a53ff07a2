import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto'
import type { Digester, Secrets } from '@gateleg/domain/secrets'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/**
 * Makes, seals and signs secrets with node:crypto. Signing and sealing use separate keys, both derived from the
 * instance key.
 */
export class NodeSecrets implements Secrets {
  /** As an object that is made once: to make one of bytes for each signature takes several times as long as to sign. */
  readonly #signingKey: KeyObject
  readonly #sealingKey: Buffer

  /** Takes the instance key: any text with enough randomness in it. */
  constructor(instanceKey: string) {
    this.#signingKey = createSecretKey(deriveKey(instanceKey, 'sign'))
    this.#sealingKey = deriveKey(instanceKey, 'seal')
  }

  /** A new instance key. */
  static newInstanceKey(): string {
    return randomBytes(32).toString('base64url')
  }

  /** Tells an instance key from others, and says nothing else about it. */
  static fingerprintOf(instanceKey: string): string {
    return deriveKey(instanceKey, 'fingerprint').toString('hex')
  }

  token(): string {
    return randomBytes(32).toString('hex')
  }

  code(digits: number): string {
    return String(randomInt(10 ** digits)).padStart(digits, '0')
  }

  digest(text: string): string {
    return hash('sha256', text)
  }

  digester(): Digester {
    const whole = createHash('sha256')
    return { add: (part) => whole.update(part), end: () => whole.digest('hex') }
  }

  sign(text: string): string {
    return createHmac('sha256', this.#signingKey).update(text).digest('hex')
  }

  equal(a: string, b: string): boolean {
    return timingSafeEqual(Buffer.from(this.sign(a), 'hex'), Buffer.from(this.sign(b), 'hex'))
  }

  seal(text: string): string {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, this.#sealingKey, nonce)
    const sealed = Buffer.concat([
      nonce,
      cipher.update(text, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ])
    return sealed.toString('base64url')
  }

  unseal(sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url')
    if (bytes.length < nonceBytes + tagBytes) return undefined
    const decipher = createDecipheriv(algorithm, this.#sealingKey, bytes.subarray(0, nonceBytes))
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes))
    try {
      return Buffer.concat([text, decipher.final()]).toString('utf8')
    } catch {
      // The only failure of final() is a tag that doesn't fit: another key, or changed bytes.
      return undefined
    }
  }
}

function deriveKey(instanceKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', instanceKey, 'gateleg', purpose, 32))
}
