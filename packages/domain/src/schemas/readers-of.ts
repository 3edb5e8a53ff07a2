import type { Field } from '../fields/field.ts'
import { referencesOf } from '../fields/field-values.ts'
import { fieldIdsReadThroughLink, foreignTableIdOf } from '../fields/link-of.ts'
import type { LoadedTable, SchemaGraph } from './schema-graph.ts'
import type { TableSchema } from './table-schema.ts'

/** A field, there or not. */
export interface FieldPlace {
  readonly tableId: string
  readonly fieldId: string
}

/** The fields that name the field as what their cells follow from, whether or not that works. */
export async function readersOf(
  graph: SchemaGraph,
  { tableId, fieldId }: FieldPlace,
): Promise<readonly { readonly place: LoadedTable; readonly field: Field }[]> {
  const own = await graph.find(tableId)
  if (!own) return []
  const places = await graph.load([...new Set([tableId, ...own.schema.inboundTableIds])])
  return places.flatMap((place) =>
    (readersIn(place.schema).get(keyOf(tableId, fieldId)) ?? []).map((field) => ({ place, field })),
  )
}

type ReadersByField = ReadonlyMap<string, readonly Field[]>

const known = new WeakMap<TableSchema, ReadersByField>()

/** The fields of a table by what they read, in their order; found once per schema. */
function readersIn(schema: TableSchema): ReadersByField {
  let readers = known.get(schema)
  if (!readers) {
    readers = findReaders(schema)
    known.set(schema, readers)
  }
  return readers
}

function findReaders({ tableId, fields }: TableSchema): ReadersByField {
  const readers = new Map<string, Field[]>()
  for (const { field } of fields) {
    const keys = new Set(referencesOf(field).map((id) => keyOf(tableId, id)))
    const foreignTableId = foreignTableIdOf(field)
    if (foreignTableId !== undefined) {
      for (const id of fieldIdsReadThroughLink(field)) keys.add(keyOf(foreignTableId, id))
    }
    for (const key of keys) {
      const of = readers.get(key)
      if (of) of.push(field)
      else readers.set(key, [field])
    }
  }
  return readers
}

function keyOf(tableId: string, fieldId: string): string {
  return `${tableId} ${fieldId}`
}
