import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { nameSchema } from '../../values/names.ts'
import { storableTextUpTo } from '../../values/storable-text.ts'
import { Refusal } from '../cell.ts'
import { one } from '../cell-form.ts'
import { colorSchema } from '../cells/color.ts'
import { fieldType } from '../field-type.ts'

const optionsSchema = z.strictObject({
  label: nameSchema.default('Button').describe('What stands on the button'),
  color: colorSchema.default('teal').describe('Its colour'),
  /** Presses after which the button rests. */
  maxCount: z.int().min(1).optional().describe('After so many presses the button rests'),
  /** Whether people may set the count back to none. */
  resetCount: z.boolean().optional().describe('Whether people may set the count back to none'),
  workflow: z
    .strictObject({
      id: idSchema.describe('The id of the workflow'),
      name: nameSchema.optional().describe('Passed over: the workflow has a name'),
      isActive: z
        .boolean()
        .optional()
        .describe('Passed over: the workflow says whether it is active'),
    })
    .optional()
    .describe('The workflow that a press starts; kept, none is run yet'),
  /** What is asked before a press counts. */
  confirm: z
    .strictObject({
      title: storableTextUpTo(limits.nameLength).optional(),
      description: storableTextUpTo(limits.descriptionLength).optional(),
      confirmText: storableTextUpTo(limits.nameLength).optional(),
    })
    .optional()
    .describe('What is asked before a press counts'),
})

/** What a field of buttons says of them. */
export type ButtonOptions = z.output<typeof optionsSchema>

/** How often the button of a record was pressed. */
export interface Presses {
  readonly [member: string]: unknown
  readonly count: number
}

const refusal = new Refusal('must be { count } with a whole number from 0 on, or null')

/** How often the button of a record was pressed, by what its cell holds: an empty one tells of no press. */
export function pressesOf(cell: unknown): number {
  return (cell as Presses | null | undefined)?.count ?? 0
}

/** A button in every record, and how often it was pressed. */
export const button = fieldType<ButtonOptions, Presses>()({
  name: 'button',
  defaultName: () => 'Button',
  options: optionsSchema,
  // Of what else was sent of the workflow nothing is kept: it would stay as it was, whatever becomes of that.
  complete: ({ workflow, ...options }) => ({
    ...options,
    ...(workflow && { workflow: { id: workflow.id } }),
  }),
  cellValueType: () => 'string',
  dbFieldType: () => 'JSON',
  hasNoText: true,
  isPressed: true,
  canBePrimary: false,
  canBeUnique: false,
  canBeNotNull: false,
  cells: () => ({
    form: one('press'),
    parse: (value) => (value === null ? null : (toPresses(value) ?? refusal)),
    // The text of a cell is empty however often the button was pressed, so it says nothing of the count.
    cast: (value, { held = null }) => toPresses(value === '' ? held : value) ?? null,
    format: () => '',
    compare: (a, b) => a.count - b.count,
  }),
})

function toPresses(value: unknown): Presses | undefined {
  const { count } = (value ?? {}) as { count?: unknown }
  if (!Number.isSafeInteger(count) || (count as number) < 0) return undefined
  return { count: (count as number) + 0 }
}
