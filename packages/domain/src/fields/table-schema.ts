import type { Table } from '../tables/table.ts'
import { type Field, typeOf } from './field.ts'
import type { CellRules, DbFieldType, SystemColumn } from './field-type.ts'

/** What cells of records are addressed by. */
export const fieldKeyTypes = ['name', 'id', 'dbFieldName'] as const
export type FieldKeyType = (typeof fieldKeyTypes)[number]

/** The physical column of a field. */
export interface Column {
  readonly name: string
  readonly type: DbFieldType
  /** Where the column's value stands in the cells of a stored record. */
  readonly index: number
}

/** A field with all that reading and writing its cells needs, made once per schema. */
export interface SchemaField {
  readonly field: Field
  readonly rules: CellRules
  /** Undefined for a field that shows a system column as it is. */
  readonly column: Column | undefined
  /** The system column that the field shows, or follows for the fields it tracks. */
  readonly systemColumn: SystemColumn | undefined
  /** The fields whose changes a column of its own follows. */
  readonly trackedFieldIds: ReadonlySet<string> | undefined
}

/** The fields of a table at one moment. Immutable: another change is another schema, with another tag. */
export interface TableSchema {
  readonly tableId: string
  readonly baseId: string
  readonly dbTableName: string
  readonly tag: string
  /** In their order. */
  readonly fields: readonly SchemaField[]
  /** The fields that have a column, in the order of `Column.index`. */
  readonly columns: readonly (SchemaField & { readonly column: Column })[]
  readonly primary: SchemaField
  readonly byKey: Readonly<Record<FieldKeyType, ReadonlyMap<string, SchemaField>>>
}

/** Prepares the fields of a table for work with its records. Takes them in their order. */
export function toTableSchema(table: Table, fields: readonly Field[]): TableSchema {
  let columns = 0
  const schemaFields = fields.map((field): SchemaField => {
    const type = typeOf(field)
    const tracked = type.trackedFieldIds?.(field.options)
    const columnType = type.dbFieldType(field.options)
    const name = field.columnName
    return {
      field,
      rules: type.cells(field.options),
      column: name === null ? undefined : { name, type: columnType, index: columns++ },
      systemColumn: type.systemColumn?.(field.options),
      trackedFieldIds: tracked && tracked.length > 0 ? new Set(tracked) : undefined,
    }
  })
  const byKeyOf = (key: (field: Field) => string) =>
    new Map(schemaFields.map((schemaField) => [key(schemaField.field), schemaField]))
  const primary = schemaFields.find(({ field }) => field.isPrimary)
  if (!primary) throw new Error(`Assertion failed: the table ${table.id} has a primary field`)
  return {
    tableId: table.id,
    baseId: table.baseId,
    dbTableName: table.dbTableName,
    tag: table.schemaTag,
    fields: schemaFields,
    columns: schemaFields.filter(
      (candidate): candidate is SchemaField & { column: Column } => candidate.column !== undefined,
    ),
    primary,
    byKey: {
      name: byKeyOf(({ name }) => name),
      id: byKeyOf(({ id }) => id),
      dbFieldName: byKeyOf(({ dbFieldName }) => dbFieldName),
    },
  }
}
