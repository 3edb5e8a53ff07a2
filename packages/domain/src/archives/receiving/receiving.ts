import { DomainError } from '../../errors.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import { wholeSchemaOf } from '../../schemas/whole-schema.ts'
import type { ReadTx, WriteTx } from '../../store.ts'
import type { Table } from '../../tables/table.ts'
import type { TableContext } from '../../tables/table-context.ts'
import type { Deletion } from '../../trash/deletion.ts'
import type { ArchiveReader, Hold } from '../format/archive-reader.ts'
import type { KnownPeople } from '../planning/known-people.ts'
import type { MadeSettings } from '../planning/made-settings.ts'
import type { ReceivingContext } from '../planning/receiving-context.ts'

/** What one call deleted of the records of a table. */
export interface ReceivedEntry {
  readonly deletion: Deletion
  /** Those of the records that are still to come; undefined where the archive, which is of version 3, doesn't say which. */
  readonly missing: Set<string> | undefined
  /** All that are named, in the order of the entry; or all that have come. */
  readonly recordIds: string[]
}

/** An archive that is coming in. */
export interface Receiving {
  readonly context: ReceivingContext
  readonly reader: ArchiveReader
  readonly made: MadeSettings
  readonly people: KnownPeople & { has(userId: string): boolean }
  within(tx: WriteTx): TableContext
  /** The fields whose links, and the views whose orders, have come. */
  readonly begun: Set<string>
  /** The number of the last record of each table. */
  readonly last: Map<string, number>
  /** The ids of entries of the trash that have come, in lower case. */
  readonly entryIds: Set<string>
  /** What was deleted of each table, by its id here, in the order in which it came. */
  readonly trash: Map<string, ReceivedEntry[]>
  readonly hold: Hold
  /** The last schemas with deleted fields, by the tags of their tables. */
  readonly schemas: Map<string, TableSchema>
  /** Records that have come, those of the trash, too. */
  records: number
  /** Those of them that do not lie in the trash. */
  living: number
}

/** A table that was made, in the trash or not; `conflict` where the base was given up meanwhile. */
export async function loadTable(tx: Pick<ReadTx, 'tables'>, tableId: string): Promise<Table> {
  const table = await tx.tables.findInBase(tableId)
  if (!table) throw tookTooLong()
  return table
}

/** Schemas with deleted fields that are remembered: records come table by table, links between two. */
const schemasRemembered = 4

/** The schema of a table that was made, as it is now, with the fields in its trash. Throws as `loadTable` does. */
export async function loadSchema(
  { schemas }: Pick<Receiving, 'schemas'>,
  tx: Pick<ReadTx, 'tables' | 'fields'>,
  tableId: string,
): Promise<TableSchema> {
  const table = await loadTable(tx, tableId)
  const known = schemas.get(table.schemaTag)
  if (known) return known
  const { schema, deletions } = await wholeSchemaOf(tx, table, tookTooLong)
  if (deletions.size > 0) schemas.set(table.schemaTag, schema)
  const [oldest] = schemas.keys()
  if (schemas.size > schemasRemembered && oldest !== undefined) schemas.delete(oldest)
  return schema
}

/**
 * The token that a file of an archive gets here: nobody else can tell it, and it follows from the token that it has in the
 * archive, so that nothing needs to be remembered. Where ids are kept, it is the same, if it is one of the product's.
 */
export function tokenHere({ context, reader }: Receiving, token: string): string {
  const { secrets, baseId, keepsIds } = context
  if (keepsIds) {
    if (!/^[0-9a-zA-Z]{64}$/.test(token)) throw reader.wrong('the token of a file must be as given')
    return token
  }
  return secrets.sign(JSON.stringify(['archive', baseId, token]))
}

/** What is said where the base that was being made was given up. */
export function tookTooLong(): DomainError {
  return new DomainError('conflict', 'The archive took too long to come: try again')
}
