import {
  OtherFilesError,
  type SweepPorts,
  sweepBlobs,
} from '@gateleg/domain/attachments/unused/sweep-blobs'

/** Milliseconds from the opening to the first sweep, and from each to the next. */
const pauses = { firstMs: 60_000, nextMs: 3_600_000 }

/** Removes unused blobs for as long as `mayGoOn` returns true. */
type Sweep = (mayGoOn: () => boolean) => Promise<unknown>

/** Sweeps the blob store again and again, until it is stopped. Does not keep the process alive. */
export class BlobSweeper {
  readonly #sweep: Sweep
  readonly #onFailure: (error: unknown) => void
  readonly #nextMs: number
  #timer: NodeJS.Timeout
  #isStopped = false
  #sweeping: Promise<void> | undefined

  /** What the sweep throws goes to `onFailure`, which must not throw. */
  constructor(sweep: Sweep, onFailure: (error: unknown) => void, { firstMs, nextMs } = pauses) {
    this.#sweep = sweep
    this.#onFailure = onFailure
    this.#nextMs = nextMs
    this.#timer = this.#wait(firstMs)
  }

  /** Resolves when the sweep under way, if any, has ended. No other one begins. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#sweeping
  }

  #wait(pauseMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#sweeping = this.#run()
    }, pauseMs).unref()
  }

  async #run(): Promise<void> {
    try {
      await this.#sweep(() => !this.#isStopped)
    } catch (error) {
      // The storage or the disk is out of reach; the next sweep may find it back.
      this.#onFailure(error)
    }
    if (!this.#isStopped) this.#timer = this.#wait(this.#nextMs)
  }
}

/** Sweeps the blob store with what is loaded for each sweep; of blobs that are of other data it tells once. */
export function sweepingIn(
  loadPorts: () => Promise<SweepPorts>,
  onError: (error: unknown) => void,
  waits = pauses,
): BlobSweeper {
  let isTold = false
  const onOthers = (count: number) => {
    if (!isTold) onError(new OtherFilesError(count))
    isTold = true
  }
  const sweep: Sweep = async (mayGoOn) => sweepBlobs({ ...(await loadPorts()), onOthers }, mayGoOn)
  return new BlobSweeper(sweep, onError, waits)
}
