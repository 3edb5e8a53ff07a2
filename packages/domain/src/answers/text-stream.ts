/**
 * An answer that is a text of any length, which is never in memory as a whole: `for await (const part of stream)` reads it.
 * Each part is read when it is asked for, and nothing is held between two of them, so that who stops reading owes
 * nothing. It is read once.
 */
export class TextStream implements AsyncIterable<string> {
  /** What a file with the text is called, such as `Books.csv`. */
  readonly fileName: string
  /** What kind of text it is, such as `text/csv`. */
  readonly mediaType: string
  readonly #parts: AsyncIterable<string>

  /** Takes what to tell of the text, and its parts. */
  constructor(
    about: { readonly fileName: string; readonly mediaType: string },
    parts: AsyncIterable<string>,
  ) {
    this.fileName = about.fileName
    this.mediaType = about.mediaType
    this.#parts = parts
  }

  /** The parts in their order; throws DomainError where what follows can't be read. */
  [Symbol.asyncIterator](): AsyncIterator<string> {
    return this.#parts[Symbol.asyncIterator]()
  }
}
