import { mayReadBase } from '../../../bases/may-read-base.ts'
import { misfitOfFilter } from '../../../queries/misfit-of-filter.ts'
import type { SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { TableReadContext } from '../../../tables/table-context.ts'
import type { FieldSources, ForeignTable } from '../../computed/derivation.ts'
import { computationScope } from '../../derivation/formula-field.ts'
import { readThroughLink } from '../../derivation/read-through-link.ts'
import type { Field } from '../../field.ts'
import { typeOf } from '../../field-values.ts'

/** The fields that those of a table may read: its own, and those of linked tables. */
export function fieldSources(
  own: ReadonlyMap<string, Field>,
  baseId: string,
  foreign: FieldSources['foreign'],
): FieldSources {
  return {
    own,
    baseId,
    foreign,
    scope: computationScope(own),
    misfitOfFilter,
    readThroughLink: (field) => readThroughLink(field, { own, foreign, misfitOfFilter }),
  }
}

/** Whether titles of links can come from the field. */
export function isTitle(field: Field): boolean {
  return !typeOf(field).hasNoText
}

/** Linked tables as they are, whoever asks: for fields that are there already. */
export function anyTable(graph: SchemaGraph): FieldSources['foreign'] {
  return async (tableId) => {
    const found = await graph.find(tableId)
    if (!found) return undefined
    const { table, schema } = found
    const fields = new Map(schema.fields.map(({ field }) => [field.id, field]))
    const titleFieldIds = new Set([...fields.values()].filter(isTitle).map(({ id }) => id))
    return { table, fields, titleFieldIds, primary: schema.primary.field }
  }
}

/** Linked tables, but only such as the caller may read, in bases of the space: for what a caller says of fields. */
export function readableTable(
  context: TableReadContext,
  graph: SchemaGraph,
  spaceId: string,
): (tableId: string) => Promise<ForeignTable | undefined> {
  const any = anyTable(graph)
  return async (tableId) => {
    const found = await any(tableId)
    return found && (await mayReadBase(context, found.table.baseId, spaceId)) ? found : undefined
  }
}
