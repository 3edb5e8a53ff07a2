import type { SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { Table } from '../../../tables/table.ts'
import type { TableContext } from '../../../tables/table-context.ts'
import type { Field } from '../../field.ts'
import { makeLinks } from './make-links.ts'

/**
 * Adds fields to a table, with their columns and links; the graph has the table with them. Returns the table as it is now.
 * Listeners are told, and what follows from the fields is computed, by the caller.
 */
export async function insertFields(
  context: TableContext & { readonly table: Table },
  graph: SchemaGraph,
  fields: readonly Field[],
): Promise<Table> {
  const { tx, table, now, ids } = context
  for (const field of fields) await tx.fields.insert(table, field)
  const changed = await tx.tables.changeSchema(table.id, ids.revision(), now)
  await graph.put(changed)
  await makeLinks(context, graph, table.id, fields)
  return changed
}
