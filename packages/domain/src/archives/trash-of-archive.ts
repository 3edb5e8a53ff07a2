import type { StoredRecord } from '../records/stored-record.ts'
import type { ReadTx } from '../store.ts'
import type { Table } from '../tables/table.ts'
import type { Deletion } from '../trash/deletion.ts'
import type { ArchiveWriter } from './archive-writer.ts'

/** Records as they were read, and what deleted those that lie in the trash, by id; undefined for what is on its way out. */
interface ReadRecords {
  readonly records: readonly StoredRecord[]
  readonly deletions: ReadonlyMap<string, Deletion | undefined>
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

  /** What deleted those of the records that are. */
  async read(
    tx: Pick<ReadTx, 'records' | 'trash'>,
    records: readonly StoredRecord[],
  ): Promise<ReadRecords['deletions']> {
    const ids = records.map(({ id }) => id)
    const operations = await tx.records.deletionsOf(this.#table, ids)
    const entries = await tx.trash.deletionsIn([...new Set(operations.values())])
    const byId = new Map(entries.map((entry) => [entry.operationId, entry]))
    return new Map([...operations].map(([id, operationId]) => [id, byId.get(operationId)]))
  }

  /** The records that an archive has, and the lines of what deleted some of them, where it isn't told yet. */
  told({ records, deletions }: ReadRecords): {
    readonly records: readonly StoredRecord[]
    readonly text: string
  } {
    let text = ''
    // In the order of the records: storages find deletions in orders of their own.
    for (const { id } of records) {
      const deletion = deletions.get(id)
      if (!deletion || this.#entries.has(deletion.operationId)) continue
      const { operationId, time: deletedTime, userId: deletedBy } = deletion
      this.#entries.set(operationId, this.#entries.size)
      text += this.#writer.said('trash', { table: this.#table.id, deletedTime, deletedBy })
    }
    const isLeft = ({ id }: StoredRecord) => !deletions.has(id) || deletions.get(id) !== undefined
    return { records: records.filter(isLeft), text }
  }

  /** The number of the entry of a deletion that is told. */
  entryOf(deletion: Deletion | undefined): number | undefined {
    return deletion && this.#entries.get(deletion.operationId)
  }
}
