import { z } from 'zod'
import { invalidAt } from '../errors.ts'
import { idSchema } from '../ids.ts'
import { descriptionSchema } from '../names.ts'
import { nothing } from '../nothing.ts'
import { defineWrite } from '../use-case.ts'
import { toFreeColumnName } from './column-name.ts'
import type { Field } from './field.ts'
import { dbFieldNameSchema, fieldNameSchema } from './field-definition.ts'
import { type FieldScope, onField } from './field-guard.ts'

/** Renames a field or its column, or describes it. A name that is taken is refused, not numbered. */
export const updateField = defineWrite({
  summary: 'Rename or describe a field',
  input: z.object({
    tableId: idSchema,
    fieldId: idSchema,
    name: fieldNameSchema.optional(),
    description: descriptionSchema.optional(),
    dbFieldName: dbFieldNameSchema.optional(),
  }),
  output: nothing,
  access: onField('field|update', 'update'),
  run: async (context, input) => {
    const { tx, table, field, userId, now, ids } = context
    const { name = field.name, dbFieldName = field.dbFieldName } = input
    const { description = field.description } = input
    requireFree(context, 'name', name)
    requireFree(context, 'dbFieldName', dbFieldName)
    const isRenamed = name !== field.name || dbFieldName !== field.dbFieldName
    if (!isRenamed && description === field.description) return
    const { columnNames } = await tx.fields.takenColumnNames(table.id)
    const columnName = toColumnName(field, dbFieldName, columnNames)
    const after = { ...field, name, description, dbFieldName, columnName }
    await tx.fields.update(table, field, after)
    await tx.tables.changeSchema(table.id, ids.revision(), now)
    const payload = { tableId: table.id, fieldId: field.id }
    tx.emit({ name: 'field.updated', time: now, userId, payload })
  },
})

/** Refuses a name that another field of the table has. */
function requireFree(
  { schema, field }: FieldScope,
  member: 'name' | 'dbFieldName',
  value: string,
): void {
  const holder = schema.byKey[member].get(value)?.field
  if (holder && holder.id !== field.id) {
    throw invalidAt([member], `"${value}" already exists in this table`)
  }
}

/** The physical column follows its name, as far as no other column has it already. */
function toColumnName(
  { columnName, dbFieldName: known }: Field,
  wanted: string,
  taken: ReadonlySet<string>,
): string | null {
  if (columnName === null || wanted === known) return columnName
  const own = columnName.toLowerCase()
  return toFreeColumnName(wanted, (candidate) => {
    const name = candidate.toLowerCase()
    return name !== own && taken.has(name)
  })
}
