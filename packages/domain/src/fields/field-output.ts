import { z } from 'zod'
import { describedAs } from '../input/described-as.ts'
import { cellValueTypes } from '../values/value-type.ts'
import type { AiConfig } from './ai-config.ts'
import { dbFieldTypes } from './column-type.ts'
import type { Field } from './field.ts'
import type { FieldOptions, FieldTypeOf } from './field-options.ts'
import { describedOptions, fieldKinds } from './field-type-descriptions.ts'
import { type FieldTypeName, fieldTypeNames } from './field-type-name.ts'
import { dbFieldTypeOf, isComputed, valueTypeOf } from './field-values.ts'
import { type LookupOptions, lookupOptionsSchema } from './lookup-options.ts'

/** What is answered of a field of whatever type. */
const anyFieldOutput = z.object({
  id: z.string().describe('The id of the field'),
  name: z.string().describe('Its name'),
  type: z.enum(fieldTypeNames).describe('Its type; for a lookup, that of the field that it shows'),
  options: z.record(z.string(), z.unknown()),
  cellValueType: z
    .enum(cellValueTypes)
    .describe('What its cells hold; of lists, what their items are'),
  dbFieldType: z.enum(dbFieldTypes).describe('The type of its column'),
  dbFieldName: z.string().describe('The name of its column'),
  description: z.string().optional().describe('What people note about it'),
  aiConfig: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('How a model would fill its cells; no model is called'),
  isLookup: z.boolean().optional().describe('Whether it shows the cells of linked records'),
  lookupOptions: lookupOptionsSchema.optional(),
  notNull: z.boolean().optional().describe('Whether no cell may be empty'),
  unique: z.boolean().optional().describe('Whether no two cells may be equal'),
  isPrimary: z
    .boolean()
    .optional()
    .describe('Whether it is the primary field, whose text is the name of a record'),
  isComputed: z
    .boolean()
    .optional()
    .describe('Whether its cells follow from others, or are given by the service'),
  isPending: z
    .boolean()
    .optional()
    .describe('Whether its cells are still being worked out or converted'),
  /** How much of a pending field is computed: 0 to 1. */
  progress: z
    .number()
    .optional()
    .describe(
      'How much of a pending field is done, from 0 to 1 in hundredths; where fields are read, not where they are changed',
    ),
  hasError: z
    .boolean()
    .optional()
    .describe('Whether what it reads is gone or does not fit; its cells are empty then'),
  isMultipleCellValue: z.boolean().optional().describe('Whether its cells are lists'),
})

type OwnMembers = Omit<
  z.output<typeof anyFieldOutput>,
  'type' | 'options' | 'aiConfig' | 'isLookup' | 'lookupOptions'
> & { aiConfig?: AiConfig | undefined }

type OwnOutputByType = {
  [Name in FieldTypeName]: OwnMembers & {
    type: Name
    options: FieldOptions<Name>
    isLookup?: undefined
  } & (FieldTypeOf<Name> extends { readonly readsThroughLink?: true }
      ? { lookupOptions: LookupOptions }
      : { lookupOptions?: undefined })
}

type LookupOutputByType = {
  [Name in FieldTypeName]: OwnMembers & {
    type: Name
    options: FieldOptions<Name>
    isLookup: true
    lookupOptions: LookupOptions
  }
}

/**
 * A field as callers see it: its type tells its options. Those of a lookup are of the type that it shows. What isn't a
 * lookup is, without its id, what a field like it is made of.
 */
export type FieldOutput = OwnOutputByType[FieldTypeName] | LookupOutputByType[FieldTypeName]

/**
 * A field as callers see it. Options are any object for the schema at run time, since they were checked when they
 * were stored; the compiler and the documentation know them by the registry of field types.
 */
export const fieldOutput = describedAs(anyFieldOutput, () =>
  describedOutput('Field', {}),
) as unknown as z.ZodType<FieldOutput>

/** The schema of a field as callers see it, with more members; what is described has the name. */
export function fieldOutputWith<More extends z.ZodRawShape>(
  name: string,
  more: More,
): z.ZodType<FieldOutput & z.output<z.ZodObject<More>>> {
  return describedAs(anyFieldOutput.extend(more), () =>
    describedOutput(name, more),
  ) as unknown as z.ZodType<FieldOutput & z.output<z.ZodObject<More>>>
}

function describedOutput(name: string, more: z.ZodRawShape): z.ZodType {
  const lookupOptions = lookupOptionsSchema.meta({ id: 'LookupOptions' }).optional()
  return fieldKinds(name, (type) =>
    anyFieldOutput.extend({
      ...more,
      type: z
        .literal(type.name)
        .describe('Its type; for a lookup, that of the field that it shows'),
      options: describedOptions(type, ''),
      lookupOptions,
    }),
  ).meta({ id: name, discriminator: { propertyName: 'type' } })
}

/** The field as callers see it; marks that are false and settings that are absent are left out. */
export function toFieldOutput(field: Field): FieldOutput {
  const { cellValueType, isMultiple } = valueTypeOf(field)
  const output: z.output<typeof anyFieldOutput> = {
    id: field.id,
    name: field.name,
    type: field.type,
    options: field.options as Record<string, unknown>,
    cellValueType,
    dbFieldType: dbFieldTypeOf(field),
    dbFieldName: field.dbFieldName,
    ...(field.description === null ? {} : { description: field.description }),
    ...(field.aiConfig === null ? {} : { aiConfig: field.aiConfig as Record<string, unknown> }),
    ...(field.isLookup ? { isLookup: true } : {}),
    ...(field.lookupOptions === null ? {} : { lookupOptions: field.lookupOptions }),
    ...(field.notNull ? { notNull: true } : {}),
    ...(field.unique ? { unique: true } : {}),
    ...(field.isPrimary ? { isPrimary: true } : {}),
    ...(isComputed(field) ? { isComputed: true } : {}),
    ...(field.isPending ? { isPending: true } : {}),
    ...(field.hasError ? { hasError: true } : {}),
    ...(isMultiple ? { isMultipleCellValue: true } : {}),
  }
  // The options are what the schema of that type gave.
  return output as FieldOutput
}
