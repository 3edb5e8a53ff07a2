import type { BlobStore, ByteRange, PutBlob } from '@gateleg/domain/attachments/blob-store'
import { type Clock, toTimestamp } from '@gateleg/domain/clock'

/** A blob store whose blobs are as old as the clock of a test says, not that of its disk. */
export class ClockedBlobStore implements BlobStore {
  readonly #store: BlobStore
  readonly #clock: Clock
  readonly #putMs = new Map<string, number>()

  constructor(store: BlobStore, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  async put(bytes: AsyncIterable<Uint8Array>): Promise<PutBlob> {
    const put = await this.#store.put(bytes)
    this.#putMs.set(put.path, this.#clock.now())
    return put
  }

  read(path: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    return this.#store.read(path, range)
  }

  async remove(path: string): Promise<void> {
    await this.#store.remove(path)
    this.#putMs.delete(path)
  }

  /** What was put and not removed since: to look for it in hundreds of folders takes longer than all else that is done. */
  async *list() {
    yield [...this.#putMs].map(([path, putMs]) => ({ path, putTime: toTimestamp(putMs) }))
  }

  /** The paths of all blobs that the store itself has. */
  async paths(): Promise<ReadonlySet<string>> {
    const found = new Set<string>()
    for await (const page of this.#store.list()) for (const { path } of page) found.add(path)
    return found
  }

  /** The paths of what was put and not removed since. */
  get known(): ReadonlySet<string> {
    return new Set(this.#putMs.keys())
  }
}
