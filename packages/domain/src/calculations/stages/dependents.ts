import type { SchemaField, TableSchema } from '../../schemas/table-schema.ts'

/** Which fields of a table follow from which, directly. */
interface Dependents {
  /** By field of the table: those whose cells depend on its cell in the same record. */
  readonly own: ReadonlyMap<string, readonly SchemaField[]>
  /** By field of a linked table: those whose cells depend on its cells in linked records. */
  readonly through: ReadonlyMap<string, readonly SchemaField[]>
  /** The fields that depend on when and by whom the record was changed. */
  readonly onEveryChange: readonly SchemaField[]
}

const known = new WeakMap<TableSchema, Dependents>()

/** Which fields of the table follow from which; computed once per schema. */
export function dependentsIn(schema: TableSchema): Dependents {
  let dependents = known.get(schema)
  if (!dependents) {
    dependents = findDependents(schema)
    known.set(schema, dependents)
  }
  return dependents
}

function findDependents(schema: TableSchema): Dependents {
  const own = new Map<string, SchemaField[]>()
  const through = new Map<string, SchemaField[]>()
  const onEveryChange: SchemaField[] = []
  for (const field of schema.fields) {
    const { computation } = field
    if (!computation) continue
    for (const id of computation.ownFieldIds) note(own, id, field)
    for (const id of computation.through?.fieldIds ?? []) note(through, id, field)
    if (computation.reads.has('lastModifiedTime')) onEveryChange.push(field)
  }
  return { own, through, onEveryChange }
}

function note(map: Map<string, SchemaField[]>, id: string, field: SchemaField): void {
  const fields = map.get(id)
  if (fields) fields.push(field)
  else map.set(id, [field])
}

/** The ids of fields that show a column which every change of a record changes. */
export function changedWithEveryRecord(schema: TableSchema): readonly string[] {
  return schema.fields.flatMap(({ field, systemColumn, trackedFieldIds }) =>
    systemColumn?.startsWith('lastModified') && !trackedFieldIds ? [field.id] : [],
  )
}
