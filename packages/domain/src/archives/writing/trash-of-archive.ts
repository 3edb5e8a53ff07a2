import { limits } from '../../limits.ts'
import type { StoredRecord } from '../../records/stored/stored-record.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { placeOfRecords, type Table } from '../../tables/table.ts'
import { findEntries } from '../../trash/find-entries.ts'
import type { TrashEntry } from '../../trash/trash-entry.ts'
import type { ArchiveWriter } from '../format/archive-writer.ts'
import { toArchivedEntry } from './write-settings.ts'

/** Records as they were read, and which operation deleted those that lie in the trash. */
export interface RecordsOfTrash {
  /** Without those that are on their way out. */
  readonly records: readonly StoredRecord[]
  /** The operations by the ids of records. */
  readonly deletions: ReadonlyMap<string, string>
  /** The entries of these that weren't told yet. */
  readonly entries: readonly TrashEntry[]
  /** The last record that was looked at; undefined where there is none any more. */
  readonly last: StoredRecord | undefined
}

/** Those of the records that were deleted, and are in no entry of the trash any more. */
export async function purgedOf(
  tx: Pick<ReadTx, 'records' | 'trash'>,
  schema: TableSchema,
  recordIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const operations = await tx.records.deletionsOf(schema, recordIds)
  if (operations.size === 0) return new Set()
  const entries = await tx.trash.deletionsIn([...new Set(operations.values())])
  const listed = new Set(entries.map(({ operationId }) => operationId))
  return new Set([...operations].flatMap(([id, operation]) => (listed.has(operation) ? [] : id)))
}

/** Writes what deleted records of a table before those that it deleted. */
export class TrashOfArchive {
  readonly #writer: ArchiveWriter
  readonly #table: Table
  /** The numbers of the entries that were written, by operation. */
  readonly #entries = new Map<string, number>()

  /** Takes what makes the lines, and whose trash it is. */
  constructor(writer: ArchiveWriter, table: Table) {
    this.#writer = writer
    this.#table = table
  }

  /** What deleted those of the records that are: of as many records as have so many entries that aren't told yet. */
  async read(
    tx: Pick<ReadTx, 'records' | 'trash'>,
    read: readonly StoredRecord[],
  ): Promise<RecordsOfTrash> {
    const operations = await tx.records.deletionsOf(
      placeOfRecords(this.#table),
      read.map(({ id }) => id),
    )
    const untold = new Set<string>()
    let end = 0
    for (const { id } of read) {
      const operation = operations.get(id)
      if (operation !== undefined && !this.#entries.has(operation)) untold.add(operation)
      // Each entry names many records.
      if (untold.size > limits.trashEntriesReadAtOnce) break
      end++
    }
    const known = await findEntries(tx, untold)
    const looked = read.slice(0, end)
    const records = looked.filter(({ id }) => {
      const operation = operations.get(id)
      return operation === undefined || this.#entries.has(operation) || known.has(operation)
    })
    const deleted = records.flatMap(({ id }) => operations.get(id) ?? [])
    // In the order of the records: storages find entries in orders of their own.
    const entries = [...new Set(deleted)].flatMap((operation) => known.get(operation) ?? [])
    return { records, deletions: operations, entries, last: looked.at(-1) }
  }

  /** The lines of entries that aren't told yet. */
  told(entries: readonly TrashEntry[]): string {
    let text = ''
    for (const entry of entries) {
      this.#entries.set(entry.id, this.#entries.size)
      text += this.#writer.said('trash', toArchivedEntry(entry, entry.resourceIds))
    }
    return text
  }

  /** The number of the entry of an operation that is told. */
  entryOf(operationId: string | undefined): number | undefined {
    return operationId === undefined ? undefined : this.#entries.get(operationId)
  }
}
