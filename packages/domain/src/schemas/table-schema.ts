import type { CellRules } from '../fields/cell.ts'
import type { DbFieldType, SystemColumn } from '../fields/column-type.ts'
import type { Computation, ComputationScope } from '../fields/computed/computation.ts'
import { computationOf } from '../fields/derivation/computation-of.ts'
import { computationScope } from '../fields/derivation/formula-field.ts'
import type { Field } from '../fields/field.ts'
import type { LinkCapability } from '../fields/field-type.ts'
import {
  dbFieldTypeOf,
  isComputed,
  rulesOf,
  systemColumnOf,
  trackedFieldIdsOf,
  typeOf,
  valueTypeOf,
} from '../fields/field-values.ts'
import type { LinkEnd } from '../fields/link-end.ts'
import { physicalNameOf, type Table } from '../tables/table.ts'
import type { ValueType } from '../values/value-type.ts'
import { searchKey } from './search-key.ts'

/** What cells of records are addressed by. */
export const fieldKeyTypes = ['name', 'id', 'dbFieldName'] as const

/** What cells of records are addressed by. */
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
  readonly values: ValueType
  readonly rules: CellRules
  /** Undefined for a field that shows a system column as it is. */
  readonly column: Column | undefined
  /** The system column that the field shows, or follows for the fields it tracks. */
  readonly systemColumn: SystemColumn | undefined
  /** The fields whose changes a column of its own follows. */
  readonly trackedFieldIds: ReadonlySet<string> | undefined
  /** Undefined for a field whose cells don't follow from others. */
  readonly computation: Computation | undefined
  /** The link that the cells are; undefined for all other fields, and where the linked table is gone. */
  readonly link: SchemaLink | undefined
  /** Whether callers may write the cells. */
  readonly isWritable: boolean
}

/** What there is to know of a link field beside its cells. */
export interface SchemaLink {
  readonly foreignTableId: string
  readonly end: LinkEnd
  /** The field at the other end; undefined for a link that only one table shows. */
  readonly symmetricFieldId: string | undefined
  readonly capability: LinkCapability<unknown>
}

/** A field that has a column. */
export type ColumnField = SchemaField & { readonly column: Column }

/** The fields of a table at one moment. Immutable: another change is another schema, with another tag. */
export interface TableSchema {
  readonly tableId: string
  readonly baseId: string
  /** The name under which the records lie. */
  readonly physicalName: string
  readonly tag: string
  /** In their order. */
  readonly fields: readonly SchemaField[]
  /** The fields that have a column, in the order of `Column.index`. */
  readonly columns: readonly ColumnField[]
  readonly primary: SchemaField
  readonly byKey: Readonly<Record<FieldKeyType, ReadonlyMap<string, SchemaField>>>
  /** The tables with a field that reads this table's records through a link, or links to them. */
  readonly inboundTableIds: readonly string[]
  /**
   * The columns of fields in the trash that may hold long values: no cell shows them, and a storage may write them
   * anew with each change of their record.
   */
  readonly hiddenColumns: readonly string[]
  /** The links that records of the table are in and that no living field shows: they come back with their fields. */
  readonly restingLinks: readonly LinkEnd[]
  /** The keys of the indexes that there are for its queries; see `toIndexKey`. */
  readonly indexKeys: ReadonlySet<string>
  /** What the index of searches was made of, by lines: the version of Unicode, then `coverOf`; undefined where it isn't ready. */
  readonly searchCovers: ReadonlySet<string> | undefined
  /** Whether changes of records are noted for that index. */
  readonly notesChanges: boolean
}

/** What of the indexes of a table its schema tells. */
export interface IndexState {
  readonly key: string
  readonly state: string
  readonly definition: string
}

/** Prepares the fields of a table for work with its records. Takes them in their order. */
export function toTableSchema(
  table: Table,
  fields: readonly Field[],
  inboundTableIds: readonly string[],
  hiddenColumns: readonly string[],
  restingLinks: readonly LinkEnd[],
  indexes: readonly IndexState[] = [],
): TableSchema {
  let columns = 0
  const scope = computationScope(new Map(fields.map((field) => [field.id, field])))
  const schemaFields = fields.map((field) =>
    toSchemaField(field, scope, field.columnName === null ? columns : columns++),
  )
  const byKeyOf = (key: (field: Field) => string) =>
    new Map(schemaFields.map((schemaField) => [key(schemaField.field), schemaField]))
  const primary = schemaFields.find(({ field }) => field.isPrimary)
  const ready = indexes.filter(({ state }) => state === 'ready')
  const covers = ready.find(({ key }) => key === searchKey)
  if (!primary) throw new Error(`Assertion failed: the table ${table.id} has a primary field`)
  return {
    tableId: table.id,
    baseId: table.baseId,
    physicalName: physicalNameOf(table),
    tag: table.schemaTag,
    fields: schemaFields,
    columns: schemaFields.filter(
      (candidate): candidate is ColumnField => candidate.column !== undefined,
    ),
    primary,
    byKey: {
      name: byKeyOf(({ name }) => name),
      id: byKeyOf(({ id }) => id),
      dbFieldName: byKeyOf(({ dbFieldName }) => dbFieldName),
    },
    inboundTableIds,
    hiddenColumns,
    restingLinks,
    indexKeys: new Set(ready.map(({ key }) => key)),
    searchCovers: covers && new Set(covers.definition.split('\n')),
    notesChanges: indexes.some(({ key, state }) => key === searchKey && notingStates.has(state)),
  }
}

/** Prepares a field for work with its cells, its column's value being at the index of a record's cells. */
export function toSchemaField(field: Field, scope: ComputationScope, index: number): SchemaField {
  const { columnName: name } = field
  const tracked = trackedFieldIdsOf(field)
  return {
    field,
    values: valueTypeOf(field),
    rules: rulesOf(field),
    column: name === null ? undefined : { name, type: dbFieldTypeOf(field), index },
    systemColumn: systemColumnOf(field),
    trackedFieldIds: tracked && new Set(tracked),
    computation: computationOf(field, scope),
    link: linkOf(field),
    isWritable: name !== null && !isComputed(field) && !field.hasError,
  }
}

/** States of the index of searches in which changes of records are noted. */
const notingStates: ReadonlySet<string> = new Set(['begun', 'ready'])

function linkOf(field: Field): SchemaLink | undefined {
  const { link: capability } = typeOf(field)
  if (!capability || field.isLookup || field.hasError) return undefined
  const { foreignTableId, symmetricFieldId } = capability.targetOf(field.options)
  return { foreignTableId, symmetricFieldId, end: capability.endOf(field.options), capability }
}
