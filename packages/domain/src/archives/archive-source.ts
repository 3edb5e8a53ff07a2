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
  /** Whether it comes along who changed which cell; with the records alone. */
  readonly includeHistory: boolean
  /** Whether the records in the trash of the tables come along; with the records alone. */
  readonly includeTrash: boolean
}

/** A table whose settings are in the archive. */
export interface WrittenTable {
  readonly table: Table
  readonly schema: TableSchema
  /** The views whose rows were put into an order. */
  readonly ordered: readonly View[]
  /** The tags of schemas that were found to have the same fields: others keep indexes of a table meanwhile. */
  readonly sameTags: Set<string>
}

/** Whether the table has the fields with which it is written, each in its column and with its settings. */
export async function isAsWritten(
  tx: Pick<ReadTx, 'fields'>,
  { table, schema, sameTags }: WrittenTable,
  now: Table | undefined,
): Promise<boolean> {
  if (!now || now.dbTableName !== table.dbTableName || now.baseId !== table.baseId) return false
  if (now.schemaTag === table.schemaTag || sameTags.has(now.schemaTag)) return true
  const isSame = fieldsIn(await tx.fields.schemaOf(now)) === fieldsIn(schema)
  if (isSame) sameTags.add(now.schemaTag)
  return isSame
}

function fieldsIn({ fields }: TableSchema): string {
  return JSON.stringify(fields.map(({ field, column }) => [field, column]))
}

/** What is said where tables or fields aren't any more what they were at the beginning. */
export function changedMeanwhile(): DomainError {
  const message = 'Tables or fields of the base were changed meanwhile: export it again'
  return new DomainError('conflict', message)
}
