import type { Timestamp } from '../clock.ts'
import type { ValueType } from '../values/value-type.ts'
import type { FieldTypeName } from './field-type-name.ts'
import type { LookupOptions } from './lookup-options.ts'

/** What decides which values a field's cells can hold. */
export type FieldShape = Pick<Field, 'type' | 'options' | 'isLookup' | 'result'>

/** What the values of a computed field are, computed when the field or what it reads changes. */
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
  /** Whether the cells are being computed in the background. */
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
