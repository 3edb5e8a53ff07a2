import { choicesNamedBy, toNamesOfToday } from '../../../../schemas/choice-names.ts'
import { valuesIn, withValues } from '../../../../schemas/filter-values.ts'
import type { SchemaGraph } from '../../../../schemas/schema-graph.ts'
import type { TableSchema } from '../../../../schemas/table-schema.ts'
import type { NamedChoice } from '../../../../undo/undo-step.ts'
import { filterOf, foreignTableIdOf, withFilter } from '../../../link-of.ts'
import type { KeptDefinition } from './kept-definition.ts'

/** The choices that the filter of a kept definition names, as they are called now. */
export async function choicesInFilter(
  graph: SchemaGraph,
  kept: KeptDefinition,
): Promise<readonly NamedChoice[]> {
  const filter = filterOf(kept)
  const schema = filter && (await foreignSchema(graph, kept))
  return schema ? choicesNamedBy(valuesIn(filter), schema) : []
}

/** The definition with the names in its filter that choices have by now, of those as they were called when it was kept. */
export async function withNamesOfToday(
  graph: SchemaGraph,
  kept: KeptDefinition,
  choices: readonly NamedChoice[],
): Promise<KeptDefinition> {
  const filter = choices.length > 0 ? filterOf(kept) : undefined
  const schema = filter && (await foreignSchema(graph, kept))
  return schema ? withFilter(kept, withValues(filter, toNamesOfToday(choices, schema))) : kept
}

async function foreignSchema(
  graph: SchemaGraph,
  kept: KeptDefinition,
): Promise<TableSchema | undefined> {
  const tableId = foreignTableIdOf(kept)
  return tableId === undefined ? undefined : (await graph.find(tableId))?.schema
}
