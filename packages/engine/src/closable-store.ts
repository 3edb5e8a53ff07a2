import { DomainError } from '@gateleg/domain/errors'
import type { ReadOptions, ReadTx, Store, WriteOptions, WriteTx } from '@gateleg/domain/store'

/**
 * A store that refuses transactions once it is closed. The storage behind it stays open for those under way, and for
 * the background, whose current job must end first.
 */
export class ClosableStore implements Store {
  readonly #store: Store
  #isClosed = false

  constructor(store: Store) {
    this.#store = store
  }

  /** Refuses transactions that begin from now on, with `database_connection_unavailable`. */
  close(): void {
    this.#isClosed = true
  }

  read<T>(work: (tx: ReadTx) => Promise<T>, options?: ReadOptions): Promise<T> {
    return this.#isClosed ? Promise.reject(closed()) : this.#store.read(work, options)
  }

  write<T>(work: (tx: WriteTx) => Promise<T>, options?: WriteOptions): Promise<T> {
    return this.#isClosed ? Promise.reject(closed()) : this.#store.write(work, options)
  }

  giveWay(): Promise<void> {
    return this.#store.giveWay()
  }

  accessState(): number | undefined {
    return this.#isClosed ? undefined : this.#store.accessState?.()
  }
}

function closed(): DomainError {
  return new DomainError('database_connection_unavailable', 'The engine is closed')
}
