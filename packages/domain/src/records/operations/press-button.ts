import { z } from 'zod'
import { DomainError, invalidAt, notFound } from '../../errors.ts'
import { type ButtonOptions, button, pressesOf } from '../../fields/types/button.ts'
import { idSchema } from '../../ids.ts'
import type { ColumnField, TableSchema } from '../../schemas/table-schema.ts'
import { defineWrite } from '../../use-case.ts'
import type { RecordsContext } from '../reading/records-context.ts'
import { onRecord, type RecordScope } from '../record-guard.ts'
import { recordOutput } from '../showing/record-output.ts'
import { writeCell } from '../writing/write-cell.ts'

type Context = RecordsContext & RecordScope

const inCell = z.object({ tableId: idSchema, recordId: idSchema, fieldId: idSchema })

/** Counts a press of the button in a record, which is held: of presses at the same time each counts. */
export const pressButton = defineWrite({
  summary: 'Press a button of a record',
  input: inCell,
  output: z.object({
    tableId: z.string().describe('The table'),
    fieldId: z.string().describe('The field of the button'),
    record: recordOutput,
  }),
  access: onRecord('record|update', 'update'),
  run: async (context, { tableId, fieldId }) => {
    const pressed = requireButton(context.schema, fieldId)
    const count = pressesOf(context.record.cells[pressed.column.index])
    const { maxCount, resetCount } = optionsOf(pressed)
    if (maxCount !== undefined && count >= maxCount) {
      const had = `rests after ${maxCount} presses, and has had ${count}`
      const advice = resetCount
        ? 'set it back first'
        : 'it can be pressed again once its field has a higher maxCount, or its count is set back, which takes the option resetCount'
      const message = `The button "${pressed.field.name}" ${had}: ${advice}`
      throw new DomainError('restricted_resource', message)
    }
    const { version, ...record } = await setPresses(context, fieldId, count + 1)
    return { tableId, fieldId, record, version }
  },
})

/** Sets the presses of the button in a record back to none, where its field lets people do that. */
export const resetButton = defineWrite({
  summary: 'Set the presses of a button of a record back to none',
  input: inCell,
  output: recordOutput,
  access: onRecord('record|update', 'update'),
  run: (context, { fieldId }) => {
    const pressed = requireButton(context.schema, fieldId)
    if (!optionsOf(pressed).resetCount) {
      const message = `The presses of the button "${pressed.field.name}" stay: its option resetCount is not set`
      throw new DomainError('restricted_resource', message)
    }
    return setPresses(context, fieldId, 0)
  },
})

function setPresses(context: Context, fieldId: string, count: number) {
  return writeCell(context, fieldId, { count }, { setsPresses: true })
}

function requireButton({ byKey }: TableSchema, fieldId: string): ColumnField {
  const schemaField = byKey.id.get(fieldId)
  if (!schemaField) throw notFound('field', fieldId)
  const { column, field, isWritable } = schemaField
  if (column && isWritable && field.type === button.name) return { ...schemaField, column }
  throw invalidAt(['fieldId'], `must name a button: "${field.name}" is none that can be pressed`)
}

function optionsOf({ field }: ColumnField): ButtonOptions {
  return field.options as ButtonOptions
}
