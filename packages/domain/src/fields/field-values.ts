import { assert } from '../errors.ts'
import type { ValueType } from '../values/value-type.ts'
import type { CellRules } from './cell.ts'
import { listCells } from './cells/list-cells.ts'
import type { DbFieldType, SystemColumn } from './column-type.ts'
import type { Field, FieldShape } from './field.ts'
import type { FieldType } from './field-type.ts'
import { fieldTypes } from './field-types.ts'

/** The type of a stored field, which is always one that there is. */
export function typeOf(field: Pick<Field, 'type'>): FieldType {
  const type = fieldTypes.get(field.type)
  assert(type, `the stored field type ${field.type} exists`)
  return type
}

/** What the values of the field are. */
export function valueTypeOf({ type: name, options, result }: FieldShape): ValueType {
  if (result) return { cellValueType: result.cellValueType, isMultiple: result.isMultiple }
  const type = typeOf({ type: name })
  return {
    cellValueType: type.cellValueType(options),
    isMultiple: type.isMultiple?.(options) ?? false,
  }
}

/** The type of the field's physical column. */
export function dbFieldTypeOf(field: FieldShape): DbFieldType {
  const type = typeOf(field)
  const { cellValueType, isMultiple } = valueTypeOf(field)
  if (isMultiple) return 'JSON'
  const isOfResult = type.computation !== undefined && !type.link
  return isOfResult ? columnTypes[cellValueType] : type.dbFieldType(field.options)
}

const columnTypes = {
  string: 'TEXT',
  number: 'REAL',
  boolean: 'BOOLEAN',
  dateTime: 'DATETIME',
} as const

/** The rules for the field's cells; those of a lookup are the rules of the field that is looked up, once or in a list. */
export function rulesOf(field: FieldShape): CellRules {
  const type = typeOf(field)
  const values = valueTypeOf(field)
  const isListOfSingles =
    field.isLookup && values.isMultiple && !(type.isMultiple?.(field.options) ?? false)
  if (!isListOfSingles) return type.cells(field.options, values)
  return listCells(type.cells(field.options, { ...values, isMultiple: false }))
}

/** The column of every record that the field shows, or follows; a lookup of such a field has values of its own. */
export function systemColumnOf({ type, options, isLookup }: FieldShape): SystemColumn | undefined {
  return isLookup ? undefined : typeOf({ type }).systemColumn?.(options)
}

/** The fields that a last-modified field follows; undefined where it follows all, or is none. */
export function trackedFieldIdsOf({ type, options, isLookup }: FieldShape) {
  const tracked = isLookup ? undefined : typeOf({ type }).trackedFieldIds?.(options)
  return tracked && tracked.length > 0 ? tracked : undefined
}

/** Whether the field needs a column of its own: one that shows a system column as it is doesn't. */
export function hasColumn(field: FieldShape): boolean {
  return systemColumnOf(field) === undefined || trackedFieldIdsOf(field) !== undefined
}

/** Whether the values of the field follow from others and can't be edited. */
export function isComputed(field: FieldShape): boolean {
  const type = typeOf(field)
  if (field.isLookup || systemColumnOf(field) !== undefined) return true
  return type.computation !== undefined && !type.link
}

/** Whether the background is still bringing the values of the field into the form that it has now. */
export function isConverting(field: Field): boolean {
  return field.isPending && !isComputed(field) && typeOf(field).computation === undefined
}

/** The fields of its own table that the field names as what its cells follow from, there or not. */
export function referencesOf(
  field: Pick<Field, 'type' | 'options' | 'lookupOptions'>,
): readonly string[] {
  const { lookupOptions, options } = field
  if (lookupOptions) return [lookupOptions.linkFieldId]
  const key = options as object
  const found = knownReferences.get(key) ?? typeOf(field).references?.(options) ?? []
  knownReferences.set(key, found)
  return found
}

/** By options: a formula is read again only when it is another one. */
const knownReferences = new WeakMap<object, readonly string[]>()
