import { z } from 'zod'
import type { FieldTypeName } from '../../fields/field-type-name.ts'
import { fieldTypeNames } from '../../fields/field-type-name.ts'
import { isComputed, typeOf } from '../../fields/field-values.ts'
import {
  type FieldDefinition,
  fieldNameSchema,
} from '../../fields/operations/definition/field-definition.ts'
import { limits } from '../../limits.ts'
import { descriptionSchema } from '../../values/names.ts'
import { sentObject } from '../../values/sent-object.ts'
import { cellValueTypes } from '../../values/value-type.ts'

const headerFieldSchema = z.object({
  name: fieldNameSchema.optional().describe('Its name: numbered where it is taken'),
  type: z.enum(fieldTypeNames).describe('Its type'),
  options: sentObject(limits.fieldOptions).optional().describe('The options of its type'),
  description: descriptionSchema.optional().describe('What people note about it'),
  isLookup: z.boolean().optional().describe('Whether it shows the cells of linked records'),
  cellValueType: z.enum(cellValueTypes).optional().describe('What its cells hold'),
  isMultipleCellValue: z.boolean().optional().describe('Whether its cells are lists'),
})

/** The fields of the columns that are pasted, as they are answered where these are copied. */
export const headerSchema = z
  .array(headerFieldSchema)
  .max(limits.fieldsPerTable)
  .optional()
  .describe('The fields of the columns, as copying answers them: new columns become like these')

/** A field whose cells are pasted. */
export type HeaderField = z.output<typeof headerFieldSchema>

/**
 * What a new column for the cells is made of: the field of the header where people could fill it in, else one that holds
 * what the header's shows. Without a header it is text, of several lines where a cell has some.
 */
export function toDefinition(
  header: HeaderField | undefined,
  cells: readonly unknown[],
): FieldDefinition {
  if (!header) return { type: textTypeFor(cells) }
  const { name, description } = header
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...holding(header, cells),
  }
}

type TypeAndOptions = Pick<FieldDefinition, 'type' | 'options'>

function holding(header: HeaderField, cells: readonly unknown[]): TypeAndOptions {
  const { type, options = {}, isLookup = false } = header
  const { link, hasNoText, isOfUsers } = typeOf({ type })
  const computed = isComputed({ type, options, isLookup, result: null })
  if (!computed && !link && !hasNoText) return { type, options: { ...options } }
  if (isOfUsers && !isLookup) return { type: 'user' }
  return holdingResult(header, cells)
}

/** A field for the values of one that nobody fills in. */
function holdingResult(
  { type, options: { formatting } = {}, cellValueType, isMultipleCellValue }: HeaderField,
  cells: readonly unknown[],
): TypeAndOptions {
  const text = { type: textTypeFor(cells) }
  if (isMultipleCellValue || cellValueType === undefined) return text
  const kept = formatting === undefined ? {} : { formatting }
  const whole = { formatting: { type: 'decimal', precision: 0 } }
  const byKind: Readonly<Record<typeof cellValueType, TypeAndOptions>> = {
    string: text,
    number: { type: 'number', options: type === 'autoNumber' ? whole : kept },
    dateTime: { type: 'date', options: kept },
    boolean: { type: 'checkbox' },
  }
  return byKind[cellValueType]
}

function textTypeFor(cells: readonly unknown[]): FieldTypeName {
  const hasLines = cells.some((cell) => typeof cell === 'string' && /[\n\r]/.test(cell))
  return hasLines ? 'longText' : 'singleLineText'
}
