import { z } from 'zod'
import type { Timestamp } from '../clock.ts'
import { assert } from '../errors.ts'
import {
  cellValueTypes,
  dbFieldTypes,
  type FieldType,
  type FieldTypeName,
  fieldTypeNames,
} from './field-type.ts'
import { fieldTypes } from './field-types.ts'

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
  notNull: z.boolean().optional(),
  unique: z.boolean().optional(),
  isPrimary: z.boolean().optional(),
  isComputed: z.boolean().optional(),
  isMultipleCellValue: z.boolean().optional(),
})
export type FieldView = z.output<typeof fieldView>

/** The type of a stored field, which is always one that there is. */
export function typeOf(field: Pick<Field, 'type'>): FieldType {
  const type = fieldTypes.get(field.type)
  assert(type, `the stored field type ${field.type} exists`)
  return type
}

/** Whether the values of the field follow from others and can't be edited. */
export function isComputed(field: Pick<Field, 'type' | 'options'>): boolean {
  return typeOf(field).systemColumn?.(field.options) !== undefined
}

/** The field as callers see it; marks that are false and settings that are absent are left out. */
export function toFieldView(field: Field): FieldView {
  const type = typeOf(field)
  return {
    id: field.id,
    name: field.name,
    type: field.type,
    options: field.options as Record<string, unknown>,
    cellValueType: type.cellValueType(field.options),
    dbFieldType: type.dbFieldType(field.options),
    dbFieldName: field.dbFieldName,
    ...(field.description === null ? {} : { description: field.description }),
    ...(field.aiConfig === null ? {} : { aiConfig: field.aiConfig as Record<string, unknown> }),
    ...(field.notNull ? { notNull: true } : {}),
    ...(field.unique ? { unique: true } : {}),
    ...(field.isPrimary ? { isPrimary: true } : {}),
    ...(isComputed(field) ? { isComputed: true } : {}),
    ...(type.isMultiple?.(field.options) ? { isMultipleCellValue: true } : {}),
  }
}
