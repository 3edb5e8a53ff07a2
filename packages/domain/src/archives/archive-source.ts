import type { Base } from '../bases/base.ts'
import { DomainError } from '../errors.ts'
import type { Ports } from '../ports.ts'
import type { TableSchema } from '../schemas/table-schema.ts'
import type { ReadTx } from '../store.ts'
import type { Table } from '../tables/table.ts'
import type { View } from '../views/view.ts'

/** Reads what one part of an archive needs, on a snapshot of its own, for who may export the base then. */
export type Reading = <T>(work: (tx: ReadTx, base: Base) => Promise<T>) => Promise<T>

/** What an archive is written with. */
export interface ArchiveSource extends Pick<Ports, 'blobs' | 'secrets'> {
  readonly read: Reading
  /** Whether records come along, with their links and files and the orders of rows. */
  readonly includeData: boolean
}

/** A table whose settings are in the archive. */
export interface WrittenTable {
  readonly table: Table
  readonly schema: TableSchema
  /** The views whose rows were put into an order. */
  readonly ordered: readonly View[]
}

/** What is said where tables or fields aren't any more what they were at the beginning. */
export function changedMeanwhile(): DomainError {
  const message = 'Tables or fields of the base were changed meanwhile: export it again'
  return new DomainError('conflict', message)
}
