import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { noOutput } from '../../no-output.ts'
import { defineWrite } from '../../use-case.ts'
import { descriptionSchema } from '../../values/names.ts'
import { columnNameOf } from '../column-name.ts'
import { dbFieldNameSchema, fieldNameSchema } from './field-definition.ts'
import { onField } from './field-guard.ts'
import { requireOptionsRoom } from './options-room.ts'
import { requireFree } from './require-free.ts'

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
  output: noOutput,
  access: onField('field|update', 'update'),
  run: async (context, input) => {
    const { tx, table, schema, field, userId, now, ids } = context
    const { name = field.name, dbFieldName = field.dbFieldName } = input
    const { description = field.description } = input
    requireFree(context, 'name', name)
    requireFree(context, 'dbFieldName', dbFieldName)
    const isRenamed = name !== field.name || dbFieldName !== field.dbFieldName
    if (!isRenamed && description === field.description) return
    const { columnNames } = await tx.fields.takenColumnNames(table.id)
    const columnName =
      field.columnName === null ? null : columnNameOf(field, dbFieldName, columnNames)
    const after = { ...field, name, description, dbFieldName, columnName }
    requireOptionsRoom(schema, field, after, 'description')
    await tx.fields.update(table, field, after)
    await tx.tables.changeSchema(table.id, ids.revision(), now)
    const payload = { tableId: table.id, fieldId: field.id }
    tx.emit({ name: 'field.updated', time: now, userId, payload })
  },
})
