import type { IncomingMessage } from 'node:http'
import { invalidAt } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import { stopParsing } from './stop-parsing.ts'

/** Bytes that had come over the connection of a request when its head had. */
const receivedBefore = new WeakMap<IncomingMessage, number>()

/** Notes the arrival of a request whose body comes in pieces: it may have come whole before somebody reads it. */
export function noteArrival(request: IncomingMessage): void {
  if (request.headers['transfer-encoding'] === undefined) return
  receivedBefore.set(request, request.socket.bytesRead)
}

/**
 * The pieces in which a body comes. A caller decides how long they are (`Transfer-Encoding: chunked`), and each takes a few
 * microseconds however short it is: megabytes that come byte by byte would hold everybody up.
 */
export class BodyPieces {
  readonly #request: IncomingMessage
  /** Whether the caller cuts it: what a network cuts into pieces is not the caller's doing. */
  readonly #isChunked: boolean
  /** What had come over the connection before the body. */
  readonly #receivedBefore: number
  #count = 0
  #bytes = 0

  constructor(request: IncomingMessage) {
    this.#request = request
    this.#isChunked = request.headers['transfer-encoding'] !== undefined
    this.#receivedBefore = receivedBefore.get(request) ?? request.socket.bytesRead
  }

  /** Counts a piece, and lets others have their turn after some; `validation_error` when they are too short on average. */
  take({ length }: Uint8Array): void {
    this.#count++
    this.#bytes += length
    if (this.#count % limits.bodyPiecesInOneTurn !== 0) return
    if (this.#isChunked && this.#bytes < this.#count * limits.bodyPieceBytes) this.#refuse()
    const request = this.#request
    if (request.isPaused()) return
    request.pause()
    setImmediate(() => request.resume())
  }

  /**
   * The same for a body that is read as it is asked for, where several pieces are read as one: by how much more has come
   * than the body itself, since each piece brings its length and two ends of lines.
   */
  takeRead({ length }: Uint8Array): void {
    this.#bytes += length
    const { socket, readableLength } = this.#request
    const body = this.#bytes + readableLength
    const most = body + (body / limits.bodyPieceBytes) * bytesAroundPiece + slackBytes
    if (this.#isChunked && socket.bytesRead - this.#receivedBefore > most) this.#refuse()
  }

  #refuse(): never {
    stopParsing(this.#request.socket)
    throw tooShort()
  }
}

/** Bytes that a short piece brings beside its own. */
const bytesAroundPiece = 5

/** Bytes that may have come of what isn't parsed yet. */
const slackBytes = 64 * 1024

function tooShort() {
  return invalidAt(
    [],
    `The body comes in pieces of less than ${limits.bodyPieceBytes} bytes: send longer ones`,
  )
}
