import type { ServerResponse } from 'node:http'
import { limits } from '@gateleg/domain/limits'
import { byteParts } from '@gateleg/domain/values/bytes/byte-parts'
import { ConnectionLost } from '../connections/connection-lost.ts'

/** Bytes that are handed over at once. */
const pieceBytes = 64 * 1024

/** Sends a text part by part, like `sendPieces`; `next` makes the parts. */
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
 * Sends bytes piece by piece, each once the one before was sent, so that only one is in memory. Resolves when
 * everything was sent. Closes the connection and fails with `ConnectionLost` when the caller has gone, reads nothing
 * for `limits.answerStalledSeconds`, or reads more slowly than the minimum pace during the time in which the server
 * waited for them; fails with the error of the source where that fails. The answer then breaks off without its end,
 * so that nobody takes it for complete. `length`, where it is given, is the number of bytes that the headers announce: an
 * answer that has fewer, or more, breaks off like that, too, and no byte goes out beyond it. It would be read as the
 * beginning of the next answer on the connection, or the next answer as its end.
 */
export async function sendPieces(
  response: ServerResponse,
  pieces: AsyncIterable<Uint8Array>,
  length?: number,
): Promise<void> {
  const reader = new PacedReader(response)
  let sent = 0
  for await (const piece of pieces) {
    sent += piece.length
    if (length !== undefined && sent > length) throw otherLength(length, sent)
    for (const part of byteParts(piece, pieceBytes)) await reader.give(part)
  }
  if (length !== undefined && sent < length) throw otherLength(length, sent)
  reader.end()
}

function otherLength(length: number, come: number): Error {
  return new Error(`An answer of ${length} bytes was begun, of which ${come} came`)
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
