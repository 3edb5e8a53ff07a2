import { Worker } from 'node:worker_threads'

/** How long answers took while an attack was on, in milliseconds. */
export interface Waits {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
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
}

/** What it found: milliseconds by request, -1 for a failure. */
export interface WatchedTimes {
  readonly health: readonly number[]
  readonly read: readonly number[]
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

function toWaits(times: readonly number[]): Waits {
  const answered = times.filter((time) => time >= 0).toSorted((a, b) => a - b)
  const at = (part: number) => answered[Math.ceil(answered.length * part) - 1] ?? 0
  return {
    count: times.length,
    p50: at(0.5),
    p99: at(0.99),
    longest: answered.at(-1) ?? 0,
    failures: times.length - answered.length,
  }
}
