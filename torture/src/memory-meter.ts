import { readFile } from 'node:fs/promises'

/** Milliseconds between two looks at a process. */
const everyMs = 100

/** Watches how much memory a process holds; knows nothing where there is no `/proc`. */
export class MemoryMeter {
  readonly #processId: () => number | undefined
  readonly #timer: NodeJS.Timeout
  #mostBytes = 0

  constructor(processId: () => number | undefined) {
    this.#processId = processId
    this.#timer = setInterval(() => void this.#look(), everyMs)
  }

  /** Ends it. Answers the most bytes that the process held. */
  stop(): number {
    clearInterval(this.#timer)
    return this.#mostBytes
  }

  async #look(): Promise<void> {
    // A process that is gone, or a system without /proc, has nothing to look at.
    const status = await readFile(`/proc/${this.#processId()}/status`, 'utf8').catch(() => '')
    const kilobytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0)
    this.#mostBytes = Math.max(this.#mostBytes, kilobytes * 1024)
  }
}
