/** Writes bytes to the log's destination; returns how many were written, throws when it can't. */
type WriteBytes = (bytes: Buffer) => number

/** Bytes of lines that are written together. */
const bytesTogether = 4_096

/** Bytes of lines that are kept for an output that takes none for now: a pipe that nobody reads. */
const bytesKept = 1024 * 1024

/**
 * Writes the lines of the log, many at a time, because writing one line takes as long as a small request. Lines that
 * can't be written are dropped and counted: neither a full disk nor a pipe that nobody reads may stop the service.
 */
export class LogOutput {
  readonly #writeBytes: WriteBytes
  #lines: string[] = []
  #length = 0
  /** What of the lines before is left to be written. */
  #left: Buffer = Buffer.alloc(0)
  #dropped = 0

  constructor(writeBytes: WriteBytes) {
    this.#writeBytes = writeBytes
  }

  /** Takes a line, its line break included. */
  write(line: string): void {
    if (this.#left.length + this.#length > bytesKept) {
      this.#dropped++
      return
    }
    this.#lines.push(line)
    this.#length += line.length
    if (this.#length >= bytesTogether) this.flush()
  }

  /** Writes what there is, as far as the output takes it. Never throws. */
  flush(): void {
    const count = this.#lines.length
    if (count === 0 && this.#left.length === 0) return
    this.#left = Buffer.concat([this.#left, Buffer.from(this.#lines.join(''))])
    this.#lines = []
    this.#length = 0
    try {
      while (this.#left.length > 0) this.#left = this.#left.subarray(this.#writeBytes(this.#left))
      this.#tellOfDropped()
    } catch (error) {
      // The output takes more later: the lines wait for it.
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return
      this.#dropped += count
      this.#left = Buffer.alloc(0)
    }
  }

  #tellOfDropped(): void {
    if (this.#dropped === 0) return
    const msg = `${this.#dropped} lines of the log could not be written`
    this.#writeBytes(Buffer.from(`${JSON.stringify({ level: 40, time: Date.now(), msg })}\n`))
    this.#dropped = 0
  }
}
