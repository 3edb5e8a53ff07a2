import { z } from 'zod'

/** Bytes as they come, from where somebody may count what is held of them. */
export interface ReceivedBytes extends AsyncIterable<Uint8Array> {
  /** Says that so many bytes more of memory are held for them until the call is answered; throws where that is too much. */
  hold?(bytes: number): void
}

/** The bytes of a file, as programs hand them over. */
type Content = string | Uint8Array | ReceivedBytes

/** The bytes of a file that come with a call: they are read once, as they come. */
class FileContent implements ReceivedBytes {
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

  hold(bytes: number): void {
    const content = this.#content
    if (typeof content === 'object' && 'hold' in content) content.hold?.(bytes)
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
  .transform((content): ReceivedBytes => new FileContent(content))
  .describe('The bytes')
  .meta({ type: 'string', format: 'binary' })

function isContent(value: unknown): boolean {
  if (typeof value === 'string' || value instanceof Uint8Array) return true
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
