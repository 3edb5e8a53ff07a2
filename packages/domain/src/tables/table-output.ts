import { z } from 'zod'
import type { Table } from './table.ts'

/** A table as callers see it. */
export const tableOutput = z
  .object({
    id: z.string(),
    name: z.string(),
    dbTableName: z.string(),
    description: z.string().optional(),
    icon: z.string().optional(),
    order: z.number().optional(),
    lastModifiedTime: z.string(),
    defaultViewId: z.string().optional(),
  })
  .meta({ id: 'Table' })
export type TableOutput = z.output<typeof tableOutput>

/** What a table's view draws from elsewhere. */
export interface TableSurroundings {
  /** The order of the table's node. */
  readonly order?: number | undefined
  readonly defaultViewId?: string | undefined
}

/** The table as callers see it; its physical name stands after the base it lies in. */
export function toTableOutput(
  table: Table,
  { order, defaultViewId }: TableSurroundings,
): TableOutput {
  return {
    id: table.id,
    name: table.name,
    dbTableName: `${table.baseId}.${table.dbTableName}`,
    ...(table.description === null ? {} : { description: table.description }),
    ...(table.icon === null ? {} : { icon: table.icon }),
    ...(order === undefined ? {} : { order }),
    lastModifiedTime: table.lastModifiedTime,
    ...(defaultViewId === undefined ? {} : { defaultViewId }),
  }
}
