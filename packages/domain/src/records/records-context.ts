import type { Base } from '../bases/base.ts'
import type { Table } from '../tables/table.ts'
import type { TableContext } from '../tables/table-context.ts'

/** The table to which the records belong, and the caller who changes them. */
export type RecordsContext = TableContext & { readonly base: Base; readonly table: Table }
