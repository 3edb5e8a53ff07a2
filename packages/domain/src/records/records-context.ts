import type { Base } from '../bases/base.ts'
import type { Table } from '../tables/table.ts'
import type { TableContext } from '../tables/table-context.ts'

/** Which table the records belong to, and who changes them. */
export type RecordsContext = TableContext & { readonly base: Base; readonly table: Table }
