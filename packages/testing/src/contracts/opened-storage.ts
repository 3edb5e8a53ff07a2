import type { DomainEvent } from '@gateleg/domain/events/event'
import type { OpenStorage, Storage, Store } from '@gateleg/domain/store'
import { afterEach, beforeEach } from 'vitest'

/** A storage that the contracts are checked on. */
export interface StorageUnderTest {
  /** What the titles of its tests begin with. */
  readonly name: string
  /**
   * Whether all work shares one connection, as with data in memory: a read and a write wait for one another, and
   * nothing but types keeps a snapshot from writing. Tests of work inside other work are left out then.
   */
  readonly hasOneConnection?: boolean
  /** Makes an empty storage, each time another one. Called before every test. */
  open(): Promise<{
    readonly first: Storage
    /** The same data, opened once more: another process's way to it. Left out where there is none. */
    readonly second?: Storage
  }>
}

/** A storage that is opened before each test and closed after it: what every contract begins with. */
export interface OpenedStorage {
  /** The data of the test that runs. */
  readonly store: Store
  /** The data by another way, which remembers nothing of the first one; by the same where there is none. */
  readonly other: Store
  /** See StorageUnderTest. */
  readonly hasOneConnection: boolean
  /** The two ways themselves; one of them where there is no other. */
  ways(): readonly [OpenStorage, ...OpenStorage[]]
  /** The events of the test so far, of each transaction that the store committed. */
  events(): readonly (readonly DomainEvent[])[]
}

/** Declares what every storage promises of one repository, or of the store itself. */
export type StorageContract = (opened: OpenedStorage) => void

/** Has every test of the block that is being declared begin with an empty storage. */
export function openForEachTest({
  hasOneConnection = false,
  open,
}: StorageUnderTest): OpenedStorage {
  let ways: OpenStorage[] = []
  let events: (readonly DomainEvent[])[] = []

  beforeEach(async () => {
    ways = []
    events = []
    const { first, second } = await open()
    ways.push(await first.open({ onCommit: (committed) => events.push([...committed]) }))
    if (second) ways.push(await second.open({ onCommit: () => {} }))
  })
  afterEach(async () => {
    for (const way of ways.toReversed()) await way.close()
  })

  const firstWay = () => {
    const [first, ...others] = ways
    if (!first) throw new Error('A storage is open in tests alone, not while they are declared')
    return [first, ...others] as const
  }
  return {
    store: storeOf(() => firstWay()[0]),
    other: storeOf(() => ways[1] ?? firstWay()[0]),
    hasOneConnection,
    ways: () => [...firstWay()],
    events: () => events,
  }
}

/** A store that contracts can hold while they are declared: each call goes to the storage of its test. */
function storeOf(way: () => OpenStorage): Store {
  return {
    read: (work, options) => way().store.read(work, options),
    write: (work, options) => way().store.write(work, options),
    giveWay: () => way().store.giveWay(),
  }
}
