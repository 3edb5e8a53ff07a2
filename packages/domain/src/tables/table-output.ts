import { z } from 'zod'
import type { Table } from './table.ts'

/** A table as callers see it. */
export const tableOutput = z
  .object({
    id: z.string().describe('The id of the table'),
    name: z.string().describe('Its name'),
    dbTableName: z
      .string()
      .describe('Its place in the database: the base, a point, and the name there'),
    description: z.string().optional().describe('What people note about it'),
    icon: z.string().optional().describe('An emoji'),
    order: z.number().optional().describe('The place of its node among those with the same parent'),
    lastModifiedTime: z.string().describe('When its settings or fields were last changed'),
    defaultViewId: z.string().optional().describe('The first of its views'),
  })
  .meta({ id: 'Table' })
type TableOutput = z.output<typeof tableOutput>

/** What a table's view draws from elsewhere. */
interface TableSurroundings {
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
