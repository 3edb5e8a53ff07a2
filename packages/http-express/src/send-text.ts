import type { ServerResponse } from 'node:http'
import { limits } from '@gateleg/domain/limits'
import { ConnectionLost } from './body-reader.ts'

/** Bytes that are handed over at once. */
const pieceBytes = 64 * 1024

/** Sends a text part by part, as `sendPieces` does; `next` makes the parts. */
export function sendText(
  response: ServerResponse,
  next: () => Promise<string | undefined>,
): Promise<void> {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (let text = await next(); text !== undefined; text = await next()) yield Buffer.from(text)
  }
  return sendPieces(response, bytes())
}

/**
 * Sends bytes piece by piece, the next one when the caller has taken the one before: no more than one is in memory. Ends
 * when all was sent. Fails with `ConnectionLost`, the line cut, when the caller has gone, or takes nothing for
 * `limits.answerStalledSeconds`, or less than the least pace of the time in which they were waited for; and with what the
 * source fails with. The answer ends without its end then, so that nobody takes it for whole.
 */
export async function sendPieces(
  response: ServerResponse,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  const reader = new PacedReader(response)
  for await (const piece of pieces) {
    for (let start = 0; start < piece.length; start += pieceBytes) {
      await reader.give(piece.subarray(start, start + pieceBytes))
    }
  }
  reader.end()
}

/** Who takes an answer, and how fast. */
class PacedReader {
  readonly #response: ServerResponse
  #given = 0
  /** Milliseconds in which they were waited for. */
  #waitedMs = 0
  #goOn: () => void = () => {}

  constructor(response: ServerResponse) {
    this.#response = response
    // Once for all times: what compresses answers forgets to take such listeners off.
    response.on('drain', () => this.#goOn())
    response.once('close', () => this.#goOn())
  }

  async give(piece: Uint8Array): Promise<void> {
    this.#requireOpen()
    this.#given += piece.length
    if (!this.#response.write(piece)) await this.#wait()
  }

  end(): void {
    this.#requireOpen()
    this.#response.end()
  }

  #wait(): Promise<void> {
    const { answerSeconds, answerBytesPerSecond, answerStalledSeconds } = limits
    const startMs = performance.now()
    const paceMs = (answerSeconds + this.#given / answerBytesPerSecond) * 1_000 - this.#waitedMs
    const mostMs = Math.max(0, Math.min(answerStalledSeconds * 1_000, paceMs))
    return new Promise((resolve, reject) => {
      const cut = setTimeout(() => {
        this.#goOn = () => {}
        this.#response.destroy()
        reject(new ConnectionLost())
      }, mostMs)
      this.#goOn = () => {
        clearTimeout(cut)
        this.#goOn = () => {}
        this.#waitedMs += performance.now() - startMs
        resolve()
      }
      if (this.#response.closed) this.#goOn()
    })
  }

  #requireOpen(): void {
    if (this.#response.closed || this.#response.destroyed) throw new ConnectionLost()
  }
}
