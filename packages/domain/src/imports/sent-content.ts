import { z } from 'zod'
import { DomainError, invalidAt } from '../errors.ts'
import { limits } from '../limits.ts'
import { byteParts } from '../values/bytes/byte-parts.ts'
import { textParts } from '../values/text-parts.ts'

/** The content of a file, as programs hand it over. */
type Content = string | Uint8Array | AsyncIterable<string | Uint8Array>

/** The content of a file that comes with a call: it is read once, as it comes, and counted. */
export class SentContent implements AsyncIterable<Uint8Array> {
  readonly #content: Content

  /** Takes the content, whole or in parts. */
  constructor(content: Content) {
    this.#content = content
  }

  /** The bytes in their order; `payload_too_large` beyond `limits.importBytes`. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    let size = 0
    for await (const part of toParts(this.#content)) {
      size += part.length
      if (size > limits.importBytes) throw tooLarge()
      yield part
    }
  }

  /** No part of what tells a repeated call from another one: it can be read once. */
  toJSON(): undefined {
    return undefined
  }
}

/** A member of an input that is the content of a file. */
export const sentContent = z
  .custom<Content>(isContent, {
    error: ({ input }) =>
      input === undefined
        ? 'is required: send the file as the body of the request, with the header Content-Type: text/csv'
        : 'must be a text, bytes, or an async iterable of texts or bytes, such as a stream',
  })
  .transform((content) => new SentContent(content))
  .describe('The file')

function isContent(value: unknown): boolean {
  if (typeof value === 'string' || value instanceof Uint8Array) return true
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** Characters of a text that are made bytes at a time, and bytes of a part. */
const partLength = 64 * 1024

async function* toParts(content: Content): AsyncGenerator<Uint8Array> {
  if (typeof content === 'string') {
    const encoder = new TextEncoder()
    for (const part of textParts(content, partLength)) yield encoder.encode(part)
  } else if (content instanceof Uint8Array) {
    yield* byteParts(content, partLength)
  } else {
    const encoder = new TextEncoder()
    for await (const part of content) {
      if (typeof part === 'string') yield encoder.encode(part)
      else if (part instanceof Uint8Array) yield part
      else throw invalidAt(['content'], 'must consist of texts or bytes')
    }
  }
}

function tooLarge(): DomainError {
  return new DomainError(
    'payload_too_large',
    `The file may have ${limits.importBytes} bytes at most: import it in parts`,
  )
}
