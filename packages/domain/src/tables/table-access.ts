import type { BaseAccess } from '../bases/base-access.ts'
import type { Table } from './table.ts'

export interface TableAccess extends BaseAccess {
  readonly table: Table
}
