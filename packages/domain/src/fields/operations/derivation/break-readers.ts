import { calculateFields } from '../../../calculations/calculate-fields.ts'
import { SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { TableContext } from '../../../tables/table-context.ts'
import { type ReadTable, Rederivation } from './rederivation.ts'

/** Lets the fields know that read tables which are gone: they have errors, and what follows from them is computed. */
export async function breakReaders(
  context: TableContext,
  tables: readonly ReadTable[],
): Promise<void> {
  if (tables.every(({ inboundTableIds }) => inboundTableIds.length === 0)) return
  const graph = new SchemaGraph(context.tx, 'update')
  const rederivation = new Rederivation(context, graph)
  for (const table of tables) await rederivation.deriveReadersOfTable(table)
  await calculateFields(context, graph, await rederivation.store())
}
