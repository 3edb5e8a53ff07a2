import { z } from 'zod'
import { cellValueTypes } from '../values/value-type.ts'
import { dbFieldTypes } from './column-type.ts'
import { lookupOptionsSchema } from './derivation/lookup-options.ts'
import type { Field } from './field.ts'
import { fieldTypeNames } from './field-type-name.ts'
import { dbFieldTypeOf, isComputed, valueTypeOf } from './field-values.ts'

/** A field as callers see it. */
export const fieldOutput = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(fieldTypeNames),
  options: z.record(z.string(), z.unknown()),
  cellValueType: z.enum(cellValueTypes),
  dbFieldType: z.enum(dbFieldTypes),
  dbFieldName: z.string(),
  description: z.string().optional(),
  aiConfig: z.record(z.string(), z.unknown()).optional(),
  isLookup: z.boolean().optional(),
  lookupOptions: lookupOptionsSchema.optional(),
  notNull: z.boolean().optional(),
  unique: z.boolean().optional(),
  isPrimary: z.boolean().optional(),
  isComputed: z.boolean().optional(),
  isPending: z.boolean().optional(),
  /** How much of a pending field is worked out: 0 to 1. */
  progress: z.number().optional(),
  hasError: z.boolean().optional(),
  isMultipleCellValue: z.boolean().optional(),
})

/** A field as callers see it. */
export type FieldOutput = z.output<typeof fieldOutput>

/** The field as callers see it; marks that are false and settings that are absent are left out. */
export function toFieldOutput(field: Field): FieldOutput {
  const { cellValueType, isMultiple } = valueTypeOf(field)
  return {
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
}
