import { calculateFields } from '../../calculations/calculate-fields.ts'
import { SchemaGraph } from '../../calculations/schema-graph.ts'
import type { TableContext } from '../../tables/table-context.ts'
import type { TableSchema } from '../table-schema.ts'
import { rederiveReadersOfTable } from './rederive.ts'

/** A table that fields of others read. */
export type ReadTable = Pick<TableSchema, 'tableId' | 'inboundTableIds'>

/** Lets the fields know that read tables which are gone: they have errors, and what follows from them is worked out. */
export async function breakReaders(
  context: TableContext,
  tables: readonly ReadTable[],
): Promise<void> {
  if (tables.every(({ inboundTableIds }) => inboundTableIds.length === 0)) return
  const graph = new SchemaGraph(context.tx, 'update')
  const dirty = new Map<string, Set<string>>()
  for (const table of tables) {
    for (const [tableId, fieldIds] of await rederiveReadersOfTable(context, graph, table)) {
      dirty.set(tableId, new Set([...(dirty.get(tableId) ?? []), ...fieldIds]))
    }
  }
  await calculateFields(context, graph, dirty)
}
