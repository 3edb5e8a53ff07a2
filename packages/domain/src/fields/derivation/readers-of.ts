import type { GraphTable, SchemaGraph } from '../../calculations/schema-graph.ts'
import { foreignTableIdOf, linkAbilityOf } from '../../links/make-links.ts'
import type { Field } from '../field.ts'
import { referencesOf } from '../field-values.ts'

/** The fields that name the field as what their cells follow from, whether or not that works. */
export async function readersOf(
  graph: SchemaGraph,
  { tableId, fieldId }: { readonly tableId: string; readonly fieldId: string },
): Promise<readonly { readonly place: GraphTable; readonly field: Field }[]> {
  const own = await graph.find(tableId)
  if (!own) return []
  const places = await graph.load([...new Set([tableId, ...own.schema.inboundTableIds])])
  return places.flatMap((place) =>
    place.schema.fields.flatMap(({ field }) => {
      const isOwn = place.table.id === tableId && referencesOf(field).includes(fieldId)
      const isThrough = foreignTableIdOf(field) === tableId && readsField(field, fieldId)
      return isOwn || isThrough ? [{ place, field }] : []
    }),
  )
}

function readsField(field: Field, fieldId: string): boolean {
  if (field.lookupOptions) return field.lookupOptions.lookupFieldId === fieldId
  return linkAbilityOf(field)?.titleFieldId(field.options) === fieldId
}
