import type { IncomingMessage } from 'node:http'
import { invalidAt } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import { stopParsing } from './stop-parsing.ts'

/**
 * The pieces in which a body comes. A caller decides how long they are (`Transfer-Encoding: chunked`), and each takes a few
 * microseconds however short it is: megabytes that come byte by byte would hold everybody up.
 */
export class BodyPieces {
  readonly #request: IncomingMessage
  #count = 0
  #bytes = 0

  constructor(request: IncomingMessage) {
    this.#request = request
  }

  /** Counts a piece, and lets others have their turn after some; `validation_error` when they are too short on average. */
  take({ length }: Uint8Array): void {
    this.#count++
    this.#bytes += length
    if (this.#count % limits.bodyPiecesInOneTurn !== 0) return
    if (this.#bytes < this.#count * limits.bodyPieceBytes) {
      // What a network cuts into pieces is not the caller's doing.
      if (this.#request.headers['transfer-encoding'] !== undefined) {
        stopParsing(this.#request.socket)
        throw tooShort()
      }
    }
    const request = this.#request
    if (request.isPaused()) return
    request.pause()
    setImmediate(() => request.resume())
  }
}

function tooShort() {
  return invalidAt(
    [],
    `The body comes in pieces of less than ${limits.bodyPieceBytes} bytes: send longer ones`,
  )
}
