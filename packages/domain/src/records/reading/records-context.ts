import type { Base } from '../../bases/base.ts'
import type { FileFacts } from '../../fields/field-type.ts'
import type { Table } from '../../tables/table.ts'
import type { TableContext } from '../../tables/table-context.ts'

/** The table to which the records belong, and the caller who changes them. */
export type RecordsContext = TableContext & {
  readonly base: Base
  readonly table: Table
  /**
   * Files that cells of these records may name without being asked for, by their tokens: the same transaction
   * has stored them, or they are in what is copied.
   */
  readonly storedFiles?: ReadonlyMap<string, FileFacts>
}
