import { z } from 'zod'
import type { Timestamp } from '../clock.ts'
import { type LookupOptions, lookupOptionsSchema } from './derivation/lookup-options.ts'
import {
  cellValueTypes,
  dbFieldTypes,
  type FieldTypeName,
  fieldTypeNames,
  type ValueType,
} from './field-type.ts'
import { dbFieldTypeOf, isComputed, valueTypeOf } from './field-values.ts'

/** What decides which values a field's cells can hold. */
export type FieldShape = Pick<Field, 'type' | 'options' | 'isLookup' | 'result'>

/** What the values of a computed field are, worked out when the field or what it reads changes. */
export interface ComputedResult extends ValueType {
  /** In a rollup, the field whose values it sums up. */
  readonly source?: FieldShape
}

/** A column of a table: what its cells may hold and how they are shown. */
export interface Field {
  readonly id: string
  readonly tableId: string
  readonly name: string
  readonly type: FieldTypeName
  readonly description: string | null
  /** What the type's options schema gives: complete, every default filled in. */
  readonly options: unknown
  readonly isPrimary: boolean
  readonly unique: boolean
  readonly notNull: boolean
  readonly aiConfig: unknown
  /** Whether the cells are those of a field of a linked table; type and options are that field's then. */
  readonly isLookup: boolean
  /** Only of lookups and rollups. */
  readonly lookupOptions: LookupOptions | null
  /** What the values are, where that follows from other fields; null where type and options tell. */
  readonly result: ComputedResult | null
  /** Whether what the cells follow from is not there, or doesn't fit any more: they are empty then. */
  readonly hasError: boolean
  /** Whether the cells are being worked out in the background. */
  readonly isPending: boolean
  /** The name of the column as callers see it; unique in the table, with regard to case. */
  readonly dbFieldName: string
  /**
   * The physical column; unique in the table without regard to case, deleted fields included. Null
   * for a field that shows a system column.
   */
  readonly columnName: string | null
  /** Position among the fields of the table. */
  readonly order: number
  readonly createdBy: string
  readonly createdTime: Timestamp
  readonly version: number
}

/** A field as callers see it. */
export const fieldView = z.object({
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
export type FieldView = z.output<typeof fieldView>

/** The field as callers see it; marks that are false and settings that are absent are left out. */
export function toFieldView(field: Field): FieldView {
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
