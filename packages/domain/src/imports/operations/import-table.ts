import { z } from 'zod'
import { requireUserId, showing } from '../../access/guard.ts'
import { onBase } from '../../bases/base-guard.ts'
import { invalidAt } from '../../errors.ts'
import type { FieldDefinition } from '../../fields/operations/definition/field-definition.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { createTableIn } from '../../tables/operations/creation/create-table-in.ts'
import { tableOutput, toTableOutput } from '../../tables/table-output.ts'
import { addNode } from '../../tree/add-node.ts'
import { defineWrite } from '../../use-case.ts'
import { timeZoneSchema } from '../../values/dates/time-zone-schema.ts'
import { nameSchema } from '../../values/names.ts'
import { beginImport } from '../begin-import.ts'
import { toColumnNames } from '../column-names.ts'
import { guessColumns } from '../guess-columns.ts'
import { importTypes } from '../guess-field.ts'
import { importOutput, toImportOutput } from '../import.ts'
import { importShape } from '../import-shape.ts'
import { forgetRows, type ReceivedFile, receiveRows } from '../receive-rows.ts'

const input = z.object({
  baseId: idSchema,
  ...importShape,
  name: nameSchema
    .default('Imported table')
    .describe('What the table is called; numbered where it is taken'),
  columns: z
    .array(
      z.object({
        name: nameSchema.optional().describe('What the field is called'),
        type: z.enum(importTypes).describe('The type of the field'),
      }),
    )
    .max(limits.fieldsPerTable)
    .optional()
    .describe('The field of each column, in the order of the file; else they are guessed'),
  tz: timeZoneSchema.default('UTC').describe('The time zone of dates that name none'),
})

const access = showing(onBase('table|create', 'update'), 'base|table_import')

/** Makes a table of a file: fields by its columns, a record of each row. Short files are imported before the answer. */
export const importTable = defineWrite({
  summary: 'Import a CSV file as a new table',
  input,
  output: importOutput
    .extend({ table: tableOutput.describe('The table, as it was made') })
    .meta({ id: 'TableImport' }),
  access,
  needs: ['csvReader', 'clock'],
  prepare: async (context, sent) => {
    const { store, actor } = context
    await store.read((tx) => onBaseToRead.enter(tx, actor, sent))
    const userId = requireUserId(actor)
    const { content, excludeFirstRow, partial, encoding, delimiter, baseId } = sent
    const checkHeader = (header: readonly string[]) => requireColumns(header, sent)
    const file = { content, excludeFirstRow, partial, encoding, delimiter, checkHeader }
    const received = await receiveRows({ ...context, userId, baseId }, file)
    try {
      return { received, fields: toFields(received, sent) }
    } catch (error) {
      await forgetRows(context, received)
      throw error
    }
  },
  abandon: (context, { received }) => forgetRows(context, received),
  run: async (context, { name, baseId: _ }) => {
    const { base, prepared } = context
    const definition = { name, fields: prepared.fields, records: [] }
    const { table, fields, views } = await createTableIn(context, base, definition)
    const node = { base, parentId: null, resourceType: 'table', resourceId: table.id } as const
    const { order } = await addNode(context, node)
    const fieldIds = fields.map(({ id }) => id)
    const begun = await beginImport({ ...context, table }, prepared.received, fieldIds)
    const shown = toTableOutput(table, { order, defaultViewId: views[0]?.id })
    return { ...toImportOutput(begun), table: shown }
  },
})

/** Decides before the file is read, and holds nothing meanwhile. */
const onBaseToRead = showing(onBase('table|create'), 'base|table_import')

/** Throws validation_error where columns are named, and not as many as the file has. */
function requireColumns(
  { length }: readonly string[],
  { columns }: Pick<z.output<typeof input>, 'columns'>,
): void {
  if (!columns || columns.length === length) return
  throw invalidAt(['columns'], `must name as many columns as the file has: ${length}`)
}

function toFields(
  { header, sample }: ReceivedFile,
  { columns, tz }: z.output<typeof input>,
): FieldDefinition[] {
  const names = toColumnNames(header)
  if (!columns) {
    const guessed = guessColumns(header.length, sample, tz)
    return guessed.map((field, index) => ({ ...field, name: names[index] }) as FieldDefinition)
  }
  return columns.map(({ name, type }, index): FieldDefinition => {
    const options = type === 'date' ? { options: { formatting: { timeZone: tz } } } : {}
    return { name: name ?? names[index], type, ...options }
  })
}
