import type { Filter } from '../fields/filter.ts'
import type { ReadTx } from '../store.ts'
import { toChoiceIds } from './choice-names.ts'
import { withValues } from './filter-values.ts'
import { SchemaGraph } from './schema-graph.ts'

/**
 * A filter of the records of a table, with the ids of choices in the place of their names; as it is where the table is gone.
 * Nothing is held for it: names alone are looked up.
 */
export async function filterByChoiceIds(
  tx: ReadTx,
  tableId: string,
  filter: Filter,
): Promise<Filter> {
  const table = await new SchemaGraph(tx, 'none').find(tableId)
  return table ? withValues(filter, toChoiceIds(table.schema)) : filter
}
