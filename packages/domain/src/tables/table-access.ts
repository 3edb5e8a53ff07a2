import type { BaseAccess } from '../bases/base-access.ts'
import type { Table } from './table.ts'

/** A table, and where a user stands to its base. */
export interface TableAccess extends BaseAccess {
  readonly table: Table
}
