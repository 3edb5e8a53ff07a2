import type { Actor } from '@gateleg/domain/access/actor'
import type { Authenticate } from '@gateleg/domain/accounts/operations/authenticate'
import type { KnownUser, OwnUser } from '@gateleg/domain/accounts/operations/ensure-user'
import type { Api, PublicApi, UseCaseName } from '@gateleg/domain/api'
import type { CallOptions } from '@gateleg/domain/calls/call-options'
import type { Clock } from '@gateleg/domain/clock'
import type { DomainEvent } from '@gateleg/domain/events/event'
import type { Ports } from '@gateleg/domain/ports'
import type { Store } from '@gateleg/domain/store'
import { describe } from 'vitest'

/** The engine, as far as tests use it. */
export interface TestEngine {
  /** The door to the data, past every right: for looking, and for what no operation does. */
  readonly store: Store
  as(caller: { readonly userId: string } | Actor): Api
  readonly public: PublicApi
  readonly authenticate: Authenticate
  call(name: UseCaseName, actor: Actor, input: unknown, options?: CallOptions): Promise<unknown>
  ensureUser(user: OwnUser): Promise<KnownUser>
  subscribe(listener: (event: DomainEvent) => void): () => void
  isHealthy(): Promise<boolean>
  giveWay(): Promise<void>
  close(): Promise<void>
}

/** Ports that a test replaces. */
export type TestPorts = Partial<Omit<Ports, 'store'>> & { readonly clock?: Clock }

/** A storage that the suite runs on: opens engines, each on an empty storage of its own. */
export interface TestStorage {
  readonly name: string
  open(ports?: TestPorts, wrapStore?: (store: Store) => Store): Promise<TestEngine>
  /**
   * The same storage without a file, where there is such a one: all reads and writes are on one connection. For tests of thousands
   * of calls that have nothing to do with files, threads and readers.
   */
  readonly inMemory?: TestStorage
}

const storages: TestStorage[] = []

/** Names the storages that the suite runs on; a setup file calls it once per test file. */
export function runSuiteOn(chosen: readonly TestStorage[]): void {
  storages.splice(0, storages.length, ...chosen)
}

/** The storages that the suite runs on. */
export function suiteStorages(): readonly TestStorage[] {
  return storages
}

/** Declares the tests once for every storage of the suite. */
export function describeOnEveryStorage(
  title: string,
  declare: (storage: TestStorage) => void,
): void {
  for (const storage of storages) describe(`${title} on ${storage.name}`, () => declare(storage))
}
