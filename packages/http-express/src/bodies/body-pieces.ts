import type { IncomingMessage, ServerResponse } from 'node:http'
import { invalidAt } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import { GatheredPieces } from '@gateleg/engine/platform/blobs/gathered-pieces'
import { stopParsing } from './stop-parsing.ts'

/** Requests whose pieces are too short to go on with. */
const wasteful = new WeakSet<IncomingMessage>()

/** Bytes that pieces have at least on average: one in five may be the rest of one that a network has cut. */
function leastOnAverage(): number {
  return limits.bodyPieceBytes * 0.8
}

/**
 * Puts together the short pieces in which the body of a request comes. Pieces that are too short on average are thrown away from
 * then on; where there are many, their connections are read one after another.
 */
export function gatherPieces(request: IncomingMessage, response: ServerResponse): void {
  // What a network cuts into pieces is not the caller's doing.
  if (request.headers['transfer-encoding'] === undefined) return
  const pieces = new GatheredPieces(request)
  let count = 0
  let bytes = 0
  let waitsForTurn = false
  request.push = (piece: Buffer | null) => {
    if (piece === null) return pieces.handOn(null)
    if (wasteful.has(request)) return false
    const areMany = ++count % limits.bodyPiecesInOneTurn === 0
    bytes += piece.length
    if (areMany && bytes < count * leastOnAverage()) {
      // Whoever reads the body is told with this piece.
      wasteful.add(request)
      stopParsing(request.socket)
      // No next request is parsed, either.
      if (!response.headersSent) response.setHeader('Connection', 'close')
    }
    waitsForTurn ||= areMany
    // Node reads nothing more of a connection once that is false, until it is asked to.
    return pieces.handOn(piece) && !areMany
  }
  request._read = (size) => {
    if (!waitsForTurn) return pieces.read(size)
    waitsForTurn = false
    readInTurn(() => request.destroyed || pieces.read(size))
  }
}

const waiting: (() => void)[] = []

/** Runs it in a turn of the event loop in which no other one of these runs. */
function readInTurn(run: () => void): void {
  if (waiting.push(run) === 1) setImmediate(runNext)
}

function runNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(runNext)
}

/** The pieces in which a body is read. */
export class BodyPieces {
  readonly #request: IncomingMessage
  #count = 0

  constructor(request: IncomingMessage) {
    this.#request = request
  }

  /** Counts a piece, and lets others have their turn after some; `validation_error` when they are too short on average. */
  take(): void {
    this.requireWorthwhile()
    this.#count++
    const request = this.#request
    if (this.#count % limits.bodyPiecesInOneTurn !== 0 || request.isPaused()) return
    request.pause()
    setImmediate(() => request.resume())
  }

  /** Throws `validation_error` when the pieces that have come are too short on average. */
  requireWorthwhile(): void {
    if (!wasteful.has(this.#request)) return
    throw invalidAt(
      [],
      `The body comes in pieces of less than ${limits.bodyPieceBytes} bytes: send longer ones`,
    )
  }
}
