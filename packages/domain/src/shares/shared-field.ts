import { z } from 'zod'
import { dbFieldTypes } from '../fields/column-type.ts'
import { fieldTypeNames } from '../fields/field-type-name.ts'
import { dbFieldTypeOf, isComputed, valueTypeOf } from '../fields/field-values.ts'
import type { SchemaField } from '../schemas/table-schema.ts'
import { cellValueTypes } from '../values/value-type.ts'

/**
 * The options of fields by which their cells are shown or filled in. No other is told: what it names lies elsewhere, in
 * fields that aren't shown, other tables, or people.
 */
const shownOptions = [
  'choices',
  'color',
  'formatting',
  'icon',
  'isMultiple',
  'label',
  'max',
  'preventAutoNewOptions',
  'relationship',
  'showAs',
  'timeZone',
] as const

/** A field as visitors of a share see it. */
export const sharedFieldOutput = z
  .object({
    id: z.string().describe('The id of the field'),
    name: z.string().describe('Its name'),
    type: z.enum(fieldTypeNames).describe('Its type'),
    description: z.string().optional().describe('What people note about it'),
    options: z
      .record(z.string(), z.unknown())
      .describe('Those of its options by which cells are shown or filled in'),
    cellValueType: z.enum(cellValueTypes).describe('What its cells hold'),
    dbFieldType: z.enum(dbFieldTypes).describe('The type of its column'),
    dbFieldName: z.string().describe('What it is called where `fieldKeyType` is `dbFieldName`'),
    notNull: z.boolean().optional().describe('Whether no cell may be empty'),
    unique: z.boolean().optional().describe('Whether no two cells may be equal'),
    isPrimary: z.boolean().optional().describe('Whether its text is the name of a record'),
    isLookup: z.boolean().optional().describe('Whether it shows the cells of linked records'),
    isComputed: z.boolean().optional().describe('Whether its cells follow from others'),
    isMultipleCellValue: z.boolean().optional().describe('Whether its cells are lists'),
  })
  .meta({ id: 'SharedField' })

/** A field as visitors of a share see it. */
type SharedFieldOutput = z.output<typeof sharedFieldOutput>

/** The field as visitors of a share see it; marks that are false are left out. */
export function toSharedField({ field }: SchemaField): SharedFieldOutput {
  const { cellValueType, isMultiple } = valueTypeOf(field)
  const options = field.options as Readonly<Record<string, unknown>>
  return {
    id: field.id,
    name: field.name,
    type: field.type,
    ...(field.description !== null && { description: field.description }),
    options: Object.fromEntries(
      shownOptions
        .filter((name) => options[name] !== undefined)
        .map((name) => [name, options[name]]),
    ),
    cellValueType,
    dbFieldType: dbFieldTypeOf(field),
    dbFieldName: field.dbFieldName,
    ...(field.notNull && { notNull: true }),
    ...(field.unique && { unique: true }),
    ...(field.isPrimary && { isPrimary: true }),
    ...(field.isLookup && { isLookup: true }),
    ...(isComputed(field) && { isComputed: true }),
    ...(isMultiple && { isMultipleCellValue: true }),
  }
}
