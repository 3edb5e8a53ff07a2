import type { IncomingMessage } from 'node:http'

/** Pieces of fewer bytes are put together with those beside them. */
const shortBytes = 1_024

/**
 * Hands on the pieces of a message, where they are parsed, and puts the short ones together: who sends it decides how long they are
 * (`Transfer-Encoding: chunked`), ten thousand are in one packet, which Node parses whole, and each would take 200 bytes and some
 * microseconds of whoever reads them.
 */
export class GatheredPieces {
  readonly #message: IncomingMessage
  readonly #push: IncomingMessage['push']
  readonly #read: IncomingMessage['_read']
  readonly #gathered: Buffer[] = []
  #isFull = false

  /** Takes the message before its own `push` and `_read` are replaced. */
  constructor(message: IncomingMessage) {
    this.#message = message
    this.#push = message.push.bind(message)
    this.#read = message._read.bind(message)
  }

  /** Hands on a piece, or null at the end; false where no more is wanted until it is asked for. */
  handOn(piece: Buffer | null): boolean {
    if (piece === null || piece.length >= shortBytes) {
      this.#flush()
      return this.#push(piece)
    }
    // Not in the next tick, which comes before the next piece: when the packets that are there have been parsed.
    if (this.#gathered.push(piece) === 1) setImmediate(() => this.#flush())
    return !this.#isFull
  }

  /** Asks for more. */
  read(size: number): void {
    this.#isFull = false
    this.#read(size)
  }

  #flush(): void {
    const [first, ...others] = this.#gathered.splice(0)
    if (!first || this.#message.destroyed) return
    this.#isFull = !this.#push(others.length === 0 ? first : Buffer.concat([first, ...others]))
  }
}
