import type { SchemaGraph } from '../../schemas/schema-graph.ts'
import type { Table } from '../../tables/table.ts'
import type { TableContext } from '../../tables/table-context.ts'
import type { Field } from '../field.ts'
import { makeLinks } from './make-links.ts'

/**
 * Adds a field to a table, with its column and its links; the graph has the table with it. Returns the table as it is now.
 * Listeners are told, and what follows from it is worked out, by the caller.
 */
export async function insertField(
  context: TableContext & { readonly table: Table },
  graph: SchemaGraph,
  field: Field,
): Promise<Table> {
  const { tx, table, now, ids } = context
  await tx.fields.insert(table, field)
  const changed = await tx.tables.changeSchema(table.id, ids.revision(), now)
  await graph.put(changed)
  await makeLinks(context, graph, table.id, [field])
  return changed
}
