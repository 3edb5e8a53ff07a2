import type { FieldPlace } from '../../../schemas/readers-of.ts'
import type { SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { TableContext } from '../../../tables/table-context.ts'
import { type FieldsByTable, Rederivation } from './rederivation.ts'

/**
 * Computes again what those fields are that read fields which changed, came or went, and stores it.
 * Returns the fields whose cells are to be computed again.
 */
export async function rederive(
  context: TableContext,
  graph: SchemaGraph,
  changed: Iterable<FieldPlace>,
): Promise<FieldsByTable> {
  const rederivation = new Rederivation(context, graph)
  await rederivation.deriveReaders(changed)
  return rederivation.store()
}
