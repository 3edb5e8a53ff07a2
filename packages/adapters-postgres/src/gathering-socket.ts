import { Socket } from 'node:net'

type Written = (error?: Error | null) => void

/**
 * A socket that sends what is written in one step of the event loop at once: a transaction's beginning with its first
 * statement, and the end of the one before. Each packet takes longer than what is in it.
 */
export class GatheringSocket extends Socket {
  #isGathering = false

  override write(data: string | Uint8Array, written?: Written): boolean
  override write(data: string | Uint8Array, encoding?: BufferEncoding, written?: Written): boolean
  override write(data: string | Uint8Array, ...how: never[]): boolean {
    if (!this.#isGathering) {
      this.#isGathering = true
      this.cork()
      process.nextTick(this.#send)
    }
    return super.write(data, ...how)
  }

  readonly #send = (): void => {
    this.#isGathering = false
    this.uncork()
  }
}
