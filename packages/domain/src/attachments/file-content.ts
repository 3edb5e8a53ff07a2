import { z } from 'zod'

/** The bytes of a file, as programs hand them over. */
type Content = string | Uint8Array | AsyncIterable<Uint8Array>

/** The bytes of a file that come with a call: they are read once, as they come. */
class FileContent implements AsyncIterable<Uint8Array> {
  readonly #content: Content

  constructor(content: Content) {
    this.#content = content
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const content = this.#content
    if (typeof content === 'string') yield new TextEncoder().encode(content)
    else if (content instanceof Uint8Array) yield content
    else yield* content
  }

  /** No part of what tells a repeated call from another one. */
  toJSON(): undefined {
    return undefined
  }
}

/** A member of an input that is the bytes of a file. */
export const fileContent = z
  .custom<Content>(isContent, {
    error: ({ input }) =>
      input === undefined
        ? 'is required: send the bytes as the body of the request'
        : 'must be a text, bytes, or an async iterable of bytes, such as a stream',
  })
  .transform((content): AsyncIterable<Uint8Array> => new FileContent(content))
  .describe('The bytes')
  .meta({ type: 'string', format: 'binary' })

function isContent(value: unknown): boolean {
  if (typeof value === 'string' || value instanceof Uint8Array) return true
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
