import { assert } from '@gateleg/domain/errors'
import type { Cell } from '@gateleg/domain/fields/cell'
import { computationOf } from '@gateleg/domain/fields/derivation/computation-of'
import { computationScope } from '@gateleg/domain/fields/derivation/formula-field'
import type { Field, FieldShape } from '@gateleg/domain/fields/field'
import type { FieldTypeName } from '@gateleg/domain/fields/field-type-name'
import { rulesOf, typeOf } from '@gateleg/domain/fields/field-values'
import type { SchemaField } from '@gateleg/domain/schemas/table-schema'
import { rowOf } from './formula-world.ts'
import { knownPeople } from './known-people.ts'

const moment = '2024-01-01T00:00:00.000Z'

/** What decides the cells of a field of the type, with options as a caller sends them. */
export function fieldShape(type: FieldTypeName, options: object = {}): FieldShape {
  return { type, options: typeOf({ type }).options.parse(options), isLookup: false, result: null }
}

/** A field that stands in no table; a lookup or rollup of it reads `fldSource` through `fldLink`. */
export function looseField(shape: FieldShape, settings: Partial<Field> = {}): Field {
  return {
    id: 'fldComputed',
    tableId: 'tblHere',
    name: 'Computed',
    description: null,
    isPrimary: false,
    unique: false,
    notNull: false,
    aiConfig: null,
    lookupOptions: {
      linkFieldId: 'fldLink',
      lookupFieldId: 'fldSource',
      foreignTableId: 'tblThere',
      relationship: 'manyMany',
      fkHostTableName: '',
      selfKeyName: '',
      foreignKeyName: '',
    },
    hasError: false,
    isPending: false,
    dbFieldName: 'Computed',
    columnName: 'Computed',
    order: 1,
    createdBy: 'usr1',
    createdTime: moment,
    version: 1,
    ...shape,
    ...settings,
  }
}

/** How the cells of the field follow from others, where its table has no other fields. */
export function computationFor(field: Field) {
  const computation = computationOf(field, computationScope(new Map()))
  assert(computation, `the field ${field.id} is computed`)
  return computation
}

/** The cell of the field when the linked records have these cells in a field of the shape, which may be gone. */
export function computedCell(
  field: Field,
  source: FieldShape | undefined,
  cells: readonly (Cell | null)[],
  names: Readonly<Record<string, string>> = {},
): Cell | null {
  return computationFor(field).ready()({
    row: rowOf(),
    linked: cells.map((cell, index) => ({ recordId: `rec${index + 1}`, cell })),
    source: source && ({ field: looseField(source), rules: rulesOf(source) } as SchemaField),
    people: knownPeople(names),
    spend: () => {},
  })
}
