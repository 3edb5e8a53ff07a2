import type { ServerResponse } from 'node:http'
import { limits } from '@gateleg/domain/limits'
import { byteParts } from '@gateleg/domain/values/bytes/byte-parts'

/** Bytes that are handed over at once: what was handed over before has been taken by then. */
const pieceBytes = 256 * 1024

/** How often in the time without progress the answer is looked at. */
const looks = 60

/**
 * Sends a body and closes the connection when the caller reads nothing for a while or, after the first seconds, reads
 * more slowly than the minimum pace, because the body stays in memory until it is read.
 */
export function sendAtPace(response: ServerResponse, body: readonly Buffer[]): void {
  const { answerSeconds, answerBytesPerSecond, answerStalledSeconds } = limits
  const startMs = performance.now()
  let takenMs = startMs
  let taken = 0
  const isTooSlow = (nowMs: number) =>
    nowMs - takenMs > answerStalledSeconds * 1_000 ||
    taken < ((nowMs - startMs) / 1_000 - answerSeconds) * answerBytesPerSecond
  const watch = setInterval(
    () => {
      if (isTooSlow(performance.now())) response.destroy()
    },
    (answerStalledSeconds * 1_000) / looks,
  )
  response.once('close', () => clearInterval(watch))
  const pieces = inPieces(body)
  let handedOver = 0
  const sendMore = () => {
    taken = handedOver
    takenMs = performance.now()
    let goesOn = true
    while (goesOn && !response.destroyed) {
      const { value: piece, done } = pieces.next()
      if (done) {
        response.end()
        return
      }
      handedOver += piece.length
      goesOn = response.write(piece)
    }
  }
  // Once for all times: what compresses answers forgets to take such a listener off.
  response.on('drain', sendMore)
  sendMore()
}

function* inPieces(body: readonly Buffer[]): Generator<Buffer, undefined> {
  for (const part of body) yield* byteParts(part, pieceBytes)
}
