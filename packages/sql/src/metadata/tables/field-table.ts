import type { Field } from '@gateleg/domain/fields/field'
import { typeOf } from '@gateleg/domain/fields/field-values'
import { flag, json, nullableJson } from '../column-codecs.ts'
import { columnsFor, type MarkedRowOf } from '../table-columns.ts'

/** The columns of `fields`. */
export const fieldColumns = columnsFor<Field>()(
  {
    id: 'id',
    tableId: 'table_id',
    name: 'name',
    type: 'type',
    description: 'description',
    options: json('options'),
    isPrimary: flag('is_primary'),
    unique: flag('is_unique'),
    notNull: flag('not_null'),
    aiConfig: nullableJson('ai_config'),
    isLookup: flag('is_lookup'),
    lookupOptions: nullableJson('lookup_options'),
    result: nullableJson('result'),
    hasError: flag('has_error'),
    isPending: flag('is_pending'),
    dbFieldName: 'db_field_name',
    columnName: 'column_name',
    order: 'position',
    createdBy: 'created_by',
    createdTime: 'created_time',
    version: 'version',
  },
  { foreign_table_id: foreignTableIdOf },
)

/** A row of `fields`. */
export type FieldRow = MarkedRowOf<typeof fieldColumns>

/** The table that the field reads from, through a link or as one. */
function foreignTableIdOf({ type, options, isLookup, lookupOptions }: Field): string | null {
  if (lookupOptions || isLookup) return lookupOptions?.foreignTableId ?? null
  return typeOf({ type }).link?.targetOf(options).foreignTableId ?? null
}
