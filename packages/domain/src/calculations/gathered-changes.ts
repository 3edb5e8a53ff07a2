import { limits } from '../limits.ts'
import type { RecordsToChange } from '../records/reading/record-reader.ts'
import type { RecordChange } from '../records/record-writer.ts'
import type { Column, TableSchema } from '../schemas/table-schema.ts'
import type { WriteTx } from '../store.ts'

/** Records whose changes wait for those of others: a statement of more takes longer than others should wait. */
const recordsGathered = 5_000

/** Records of them that are added together. */
const recordsAtOnce = 500

/**
 * Changes of computed cells of one table that are stored by as few statements as can be, though the records were read
 * batch by batch: what many records show alike is written to all of them at once.
 */
export class GatheredChanges {
  readonly #tx: Pick<WriteTx, 'recordWriter'>
  readonly #schema: TableSchema
  #columns: readonly Column[] = []
  #changes: RecordChange[] = []
  #bytes = 0

  constructor(tx: Pick<WriteTx, 'recordWriter'>, schema: TableSchema) {
    this.#tx = tx
    this.#schema = schema
  }

  /**
   * Takes changes of one batch, whose cells have no more characters than it took steps to work them out. Stores those
   * before where all would be too many, or too long, for one statement.
   */
  async add(
    columns: readonly Column[],
    changes: readonly RecordChange[],
    steps: number,
  ): Promise<void> {
    const bytes = changes.reduce((sum, change) => sum + (change.bytes ?? 0), steps)
    const isAlike =
      columns.length === this.#columns.length && columns.every((one, i) => one === this.#columns[i])
    const isRoom =
      this.#changes.length + changes.length <= recordsGathered &&
      this.#bytes + bytes <= limits.lengthRewrittenAtOnce / 2
    if (!isAlike || !isRoom) await this.store()
    this.#columns = columns
    for (const change of changes) this.#changes.push(change)
    this.#bytes += bytes
  }

  /** Takes the same values for many records; what they hold has no more characters than the number. */
  async addShared(
    columns: readonly Column[],
    { autoNumbers, bytes }: Pick<RecordsToChange, 'autoNumbers' | 'bytes'>,
    values: RecordChange['values'],
    length: number,
  ): Promise<void> {
    for (let start = 0; start < autoNumbers.length; start += recordsAtOnce) {
      const some = autoNumbers.slice(start, start + recordsAtOnce)
      const changes = some.map((autoNumber, index): RecordChange => {
        return { autoNumber, values, bytes: bytes[start + index] }
      })
      await this.add(columns, changes, length * changes.length)
    }
  }

  /** Stores what waits. */
  async store(): Promise<void> {
    const changes = this.#changes
    if (changes.length === 0) return
    this.#changes = []
    this.#bytes = 0
    await this.#tx.recordWriter.setCells(this.#schema, this.#columns, changes)
  }
}
