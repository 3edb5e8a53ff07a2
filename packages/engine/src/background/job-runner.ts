import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds between two looks for jobs that are due. */
const lookEveryMs = 5_000

/** Jobs done in a row before others get a turn on the processor. */
const jobsPerLook = 100

/**
 * Does the jobs that are due, as long as `mayGoOn` returns true after each. Resolves to whether there may be more
 * jobs that are due.
 */
type RunJobs = (mayGoOn: () => boolean) => Promise<boolean>

/** Background work that can be stopped. */
export interface Background {
  /** Has it look for work at once. */
  wake(): void
  /** Resolves when the work under way, if any, has ended. No other begins. */
  stop(): Promise<void>
}

/** Combines several that work at the same time into one. */
export function sideBySide(parts: readonly Background[]): Background {
  return {
    wake: () => {
      for (const part of parts) part.wake()
    },
    stop: async () => {
      await Promise.all(parts.map((part) => part.stop()))
    },
  }
}

/** Looks for due jobs again and again, until it is stopped. Does not keep the process alive. */
export class JobRunner implements Background {
  readonly #runJobs: RunJobs
  readonly #onFailure: (error: unknown) => void
  readonly #stopping = new AbortController()
  readonly #running: Promise<void>
  /** Ends the pause under way. */
  #pausing = new AbortController()
  /** What was left undone when the process before ended is looked at without a pause. */
  #isWoken = true

  /** Starts at once. What `runJobs` throws goes to `onFailure`, which must not throw. */
  constructor(runJobs: RunJobs, onFailure: (error: unknown) => void) {
    this.#runJobs = runJobs
    this.#onFailure = onFailure
    this.#running = this.#run()
  }

  /** Has it look at once: a job was added. */
  wake(): void {
    this.#isWoken = true
    this.#pausing.abort()
  }

  /** Resolves when the job under way, if any, has ended. No other one begins. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await this.#pause(signal)
      await this.#look(signal)
    }
  }

  async #pause(stopping: AbortSignal): Promise<void> {
    this.#pausing = new AbortController()
    const signal = AbortSignal.any([stopping, this.#pausing.signal])
    if (this.#isWoken) this.#pausing.abort()
    this.#isWoken = false
    // An interruption of the pause is its purpose, not a failure.
    await sleep(lookEveryMs, undefined, { ref: false, signal }).catch(() => undefined)
  }

  async #look(signal: AbortSignal): Promise<void> {
    let done = 0
    const mayGoOn = () => ++done < jobsPerLook && !signal.aborted
    try {
      // Those that are left over are no reason to pause: others have had their turn.
      if (await this.#runJobs(mayGoOn)) this.#isWoken = true
    } catch (error) {
      // The storage is out of reach; the next look may find it back.
      this.#onFailure(error)
    }
  }
}
