import { limits } from '../limits.ts'

/**
 * A text that is made line by line, in pieces of some `limits.exportPieceLength` characters. The lines of a piece are joined
 * at once: thousands of them that live on by themselves keep the garbage collector busy, and others waiting.
 */
export class TextPieces {
  readonly #pieces: string[] = []
  #lines: string[]
  #lengthOfLines: number
  #lengthOfPieces = 0

  /** Takes what stands before the first line. */
  constructor(head: string) {
    this.#lines = [head]
    this.#lengthOfLines = head.length
  }

  /** The characters of the text. */
  get length(): number {
    return this.#lengthOfPieces + this.#lengthOfLines
  }

  add(line: string): void {
    this.#lines.push(line)
    this.#lengthOfLines += line.length
    if (this.#lengthOfLines >= limits.exportPieceLength) this.#join()
  }

  /** The whole text. */
  end(): readonly string[] {
    this.#join()
    return this.#pieces
  }

  #join(): void {
    this.#pieces.push(this.#lines.join(''))
    this.#lengthOfPieces += this.#lengthOfLines
    this.#lines = []
    this.#lengthOfLines = 0
  }
}
