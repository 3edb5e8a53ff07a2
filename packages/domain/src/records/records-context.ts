import type { StoredFile } from '../attachments/attachment-repository.ts'
import type { Base } from '../bases/base.ts'
import type { Table } from '../tables/table.ts'
import type { TableContext } from '../tables/table-context.ts'

/** The table to which the records belong, and the caller who changes them. */
export type RecordsContext = TableContext & {
  readonly base: Base
  readonly table: Table
  /** Files that the same transaction has stored, by their tokens, for a cell of these records: nobody has to ask for them. */
  readonly storedFiles?: ReadonlyMap<string, StoredFile>
}
