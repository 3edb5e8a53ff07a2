import type { Field } from '@gateleg/domain/fields/field'
import type { FieldTypeName } from '@gateleg/domain/fields/field-type-name'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { Store } from '@gateleg/domain/store'
import { newBase, newField, newTable } from './stored-rows.ts'

let bases = 0

/** The id of a base that no storage has had before: it names a physical schema. */
export function unusedBaseId(): string {
  return `bse${process.pid}x${Date.now()}x${bases++}`
}

/** Adds a table of fields of the types, all with the settings, in a base of its own: `newTable` of that base. */
export async function makeTable(
  store: Store,
  types: readonly FieldTypeName[],
  settings: Partial<Field> = {},
): Promise<TableSchema> {
  const base = newBase(unusedBaseId())
  const table = newTable(base.id)
  const fields = types.map((type, index) => newField(table, index + 1, type, settings))
  return store.write(async (tx) => {
    await tx.bases.insert(base)
    await tx.tables.insert(table, fields)
    return tx.fields.schemaOf(table)
  })
}
