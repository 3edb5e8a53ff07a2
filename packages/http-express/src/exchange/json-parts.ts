import { isLongOutput } from '@gateleg/domain/records/showing/long-outputs'
import { lengthUpTo } from '@gateleg/domain/values/json/json-bytes'
import {
  itemsAtOnce,
  jsonPieces,
  levelsOfLongRecords,
} from '@gateleg/domain/values/json/json-pieces'

/** Bytes of a part, and characters from which on JSON is made bit by bit. */
const partLength = 256 * 1024

/**
 * Characters up to which the pieces are put together as a text. A longer one V8 puts elsewhere than all else, which takes
 * several times as long as to make bytes of each piece.
 */
const textLength = 64 * 1024

/** Bytes that a character takes in UTF-8 at most. */
const bytesPerCharacter = 3

/** The JSON of an answer: one text where it is small, else its bytes in parts. */
export type JsonBody = string | readonly Buffer[]

/**
 * Writes the answer as JSON. An answer that is a list, or has one as its first member, as pages have, is put together
 * piece by piece, and so are a few long records: other work has its turn in between, by `giveWay`, and no text gets
 * longer than JavaScript allows. `onBytes` is called with the number of bytes so far.
 */
export async function toJson(
  value: unknown,
  giveWay: () => Promise<unknown>,
  onBytes?: (bytes: number) => void,
): Promise<JsonBody> {
  const list = Array.isArray(value) ? value : firstListOf(value)
  const areFew = !list || list.length <= itemsAtOnce
  // Nothing at all has no JSON.
  if (areFew && lengthUpTo(partLength, value) < partLength) return JSON.stringify(value) ?? ''
  const parts = new Parts(onBytes)
  let text = ''
  for (const piece of jsonPieces(value, areFew ? levelsOfLongRecords : undefined, isLongOutput)) {
    if (text.length < textLength) text += piece
    else parts.add(piece)
    if (parts.isEmpty && text.length >= textLength) parts.add(text)
    await giveWay()
  }
  return parts.isEmpty ? text : parts.end()
}

function firstListOf(value: unknown): readonly unknown[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const name in value) {
    const first = value[name as never] as unknown
    return Array.isArray(first) ? first : undefined
  }
  return undefined
}

/** Texts as bytes, one after another in parts. */
class Parts {
  readonly #onBytes: ((bytes: number) => void) | undefined
  readonly #parts: Buffer[] = []
  #part = Buffer.alloc(0)
  /** How much of the part is used, and the bytes of those before. */
  #used = 0
  #bytes = 0

  /** Hears how many bytes there are after each part. */
  constructor(onBytes: ((bytes: number) => void) | undefined) {
    this.#onBytes = onBytes
  }

  get isEmpty(): boolean {
    return this.#bytes + this.#used === 0
  }

  add(text: string): void {
    const most = text.length * bytesPerCharacter
    if (most > this.#part.length - this.#used) {
      this.#endPart()
      if (most > partLength) {
        this.#push(Buffer.from(text))
        return
      }
      // Not from the pool of small ones, nor filled before.
      this.#part = Buffer.allocUnsafeSlow(partLength)
    }
    this.#used += this.#part.write(text, this.#used)
  }

  end(): readonly Buffer[] {
    this.#endPart()
    return this.#parts
  }

  /** A part of which little is used would hold the memory of all of it. */
  #endPart(): void {
    const used = this.#part.subarray(0, this.#used)
    if (used.length > 0) this.#push(used.length < partLength / 2 ? Buffer.from(used) : used)
    this.#part = Buffer.alloc(0)
    this.#used = 0
  }

  #push(part: Buffer): void {
    this.#parts.push(part)
    this.#bytes += part.length
    this.#onBytes?.(this.#bytes)
  }
}
