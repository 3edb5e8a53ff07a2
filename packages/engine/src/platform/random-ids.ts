import { randomFillSync } from 'node:crypto'
import type { Ids } from '@gateleg/domain/ids'
import { type IdKind, idPrefixes } from '@gateleg/domain/ids/id-prefixes'

const alphabet = Buffer.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
/** Bytes at or above it would make some characters likelier than others. */
const fairBelow = 256 - (256 % alphabet.length)
/** Random bytes fetched at a time: a call of the source costs as much as a thousand of its bytes. */
const poolBytes = 8_192

/** Characters in which ids that are made together differ: two of 20,000 are alike once in 4 billion tries. */
const ownCharacters = 10

/** Ids from the cryptographic source of the system. */
export class RandomIds implements Ids {
  readonly #pool = new Uint8Array(poolBytes)
  #used = poolBytes

  next(kind: IdKind): string {
    return idPrefixes[kind] + this.#characters(16)
  }

  many(kind: IdKind, count: number): readonly string[] {
    if (count === 1) return [this.next(kind)]
    const beginning = idPrefixes[kind] + this.#characters(16 - ownCharacters)
    const id = Buffer.from(beginning.padEnd(beginning.length + ownCharacters))
    const made: string[] = []
    while (made.length < count) {
      this.#fill(id, beginning.length)
      made.push(id.toString('latin1'))
    }
    return made.sort()
  }

  choice(): string {
    return `cho${this.#characters(8)}`
  }

  revision(): string {
    return this.#characters(16)
  }

  #characters(count: number): string {
    const text = Buffer.alloc(count)
    this.#fill(text, 0)
    return text.toString('latin1')
  }

  /** Writes characters from that place on: a text that grows by one at a time would be a new one each time. */
  #fill(text: Buffer, start: number): void {
    for (let end = start; end < text.length; ) {
      if (this.#used === poolBytes) {
        randomFillSync(this.#pool)
        this.#used = 0
      }
      const byte = this.#pool[this.#used++] as number
      if (byte < fairBelow) text[end++] = alphabet[byte % alphabet.length] as number
    }
  }
}
