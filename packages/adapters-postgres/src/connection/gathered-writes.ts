import type { Duplex } from 'node:stream'

/** Bytes up to which what was gathered is copied into one packet: beyond it copying costs more than it saves. */
const copiedBytesMax = 64 * 1024

/**
 * Has a stream send what is written in one turn of the event loop at once: a transaction's beginning with its first
 * statement, and the statements of all who share a connection. To send a packet takes longer than what is in it, as it wakes who
 * reads it. Takes over `write` of the stream, which may be a socket or what encrypts for one.
 */
export class GatheredWrites {
  readonly #stream: Duplex
  readonly #write: Duplex['write']
  #gathered: Uint8Array[] = []
  #bytes = 0
  #turn = 0

  constructor(stream: Duplex) {
    this.#stream = stream
    this.#write = stream.write.bind(stream)
    stream.write = this.#take as Duplex['write']
  }

  /** A number for each packet: what is written before it changes is not sent yet. */
  get turn(): number {
    return this.#turn
  }

  readonly #take = (data: string | Uint8Array, ...how: never[]): boolean => {
    if (typeof data === 'string' || how.length > 0) {
      // The last message, of whose end somebody wants to hear.
      this.#send()
      return this.#write(data, ...how)
    }
    if (this.#gathered.length === 0) setImmediate(this.#send)
    this.#gathered.push(data)
    this.#bytes += data.length
    return this.#bytes + this.#stream.writableLength < this.#stream.writableHighWaterMark
  }

  readonly #send = (): void => {
    const gathered = this.#gathered
    if (gathered.length === 0) return
    const isShort = this.#bytes <= copiedBytesMax
    this.#turn++
    this.#gathered = []
    this.#bytes = 0
    if (isShort) {
      this.#write(gathered.length === 1 ? (gathered[0] as Uint8Array) : Buffer.concat(gathered))
      return
    }
    this.#stream.cork()
    for (const data of gathered) this.#write(data)
    this.#stream.uncork()
  }
}
