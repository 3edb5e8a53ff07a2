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

  remove(path: string): Promise<void> {
    return this.#store.remove(path)
  }

  async *list() {
    for await (const page of this.#store.list()) {
      yield page.map(({ path }) => ({ path, putTime: toTimestamp(this.#putMs.get(path) ?? 0) }))
    }
  }

  /** The paths of all blobs. */
  async paths(): Promise<ReadonlySet<string>> {
    const found = new Set<string>()
    for await (const page of this.list()) for (const { path } of page) found.add(path)
    return found
  }
}
