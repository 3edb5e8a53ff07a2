import { Worker } from 'node:worker_threads'

/** How long answers took while an attack was on, in milliseconds. */
export interface Waits {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
  /** p99 without the time for which threads waited for a processor. */
  readonly ownP99: number
  /** Answers that were none, or not 200. */
  readonly failures: number
}

export interface Watched {
  readonly health: Waits
  readonly read: Waits
}

/** What the watching thread asks for. */
export interface WatchOrder {
  readonly url: string
  readonly token: string
  /** A page of records of a base that the attack has nothing to do with. */
  readonly path: string
  /** The server's process, as it is when the watch begins. */
  readonly processId: number | undefined
}

/** What one answer took, in milliseconds. */
export interface WatchedTime {
  readonly wholeMs: number
  /** Without the time for which the server's thread and the asking one waited for a processor. */
  readonly ownMs: number
}

/** What it found: times by request, none for a failure. */
export interface WatchedTimes {
  readonly health: readonly (WatchedTime | undefined)[]
  readonly read: readonly (WatchedTime | undefined)[]
}

/**
 * Asks a server again and again, from a thread of its own: what the attack does in this one must not
 * look like a server that is slow.
 */
export class Watcher {
  readonly #worker: Worker

  constructor(order: WatchOrder) {
    this.#worker = new Worker(new URL('./watch-thread.ts', import.meta.url), { workerData: order })
  }

  /** Ends it and answers what it saw. */
  async stop(): Promise<Watched> {
    const found = await new Promise<WatchedTimes>((resolve, reject) => {
      this.#worker.once('message', resolve)
      this.#worker.once('error', reject)
      this.#worker.postMessage('stop')
    })
    await this.#worker.terminate()
    return { health: toWaits(found.health), read: toWaits(found.read) }
  }
}

function toWaits(times: WatchedTimes['health']): Waits {
  const answered = times.filter((time) => time !== undefined)
  const whole = answered.map(({ wholeMs }) => wholeMs).toSorted((a, b) => a - b)
  const own = answered.map(({ ownMs }) => ownMs).toSorted((a, b) => a - b)
  return {
    count: times.length,
    p50: percentile(whole, 0.5),
    p99: percentile(whole, 0.99),
    longest: whole.at(-1) ?? 0,
    ownP99: percentile(own, 0.99),
    failures: times.length - answered.length,
  }
}

function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.ceil(sorted.length * part) - 1] ?? 0
}
