import { dependentFieldArbitraries } from '@gateleg/testing/arbitraries/dependent-field-options'
import { fieldArbitraries } from '@gateleg/testing/arbitraries/field-options'
import { fieldTypeContract } from '@gateleg/testing/contracts/fields/field-type-contract'
import { valuesOf } from '@gateleg/testing/factories/cell-rules'
import { describe, expect, it } from 'vitest'
import type { FieldType } from './field-type.ts'
import type { FieldTypeName } from './field-type-name.ts'
import { fieldTypes } from './field-types.ts'
import { operatorsOf } from './filter-operators.ts'

const arbitraries = { ...fieldArbitraries, ...dependentFieldArbitraries }
for (const [name, type] of fieldTypes) fieldTypeContract(type, arbitraries[name])

describe('the registry of field types', () => {
  const types = [...fieldTypes.values()]
  const namesWhere = (isWanted: (type: FieldType) => boolean): string[] =>
    types.filter(isWanted).map(({ name }) => name)
  /** The options that a field can't be without. */
  const required: Partial<Record<FieldTypeName, object>> = {
    formula: { expression: '1' },
    link: { relationship: 'manyOne', foreignTableId: 'tbl1' },
  }
  const defaults = (type: FieldType): unknown => type.options.parse(required[type.name] ?? {})
  const eachType = (tell: (type: FieldType) => unknown): Record<string, unknown> =>
    Object.fromEntries(types.map((type) => [type.name, tell(type)]))

  it('[FIELD-50] has nineteen types, each under its name', () => {
    expect([...fieldTypes.keys()]).toEqual(namesWhere(() => true))
    expect(namesWhere(() => true)).toEqual([
      'singleLineText',
      'longText',
      'user',
      'attachment',
      'checkbox',
      'multipleSelect',
      'singleSelect',
      'date',
      'number',
      'rating',
      'formula',
      'rollup',
      'link',
      'createdTime',
      'lastModifiedTime',
      'createdBy',
      'lastModifiedBy',
      'autoNumber',
      'button',
    ])
  })

  it('[FIELD-51] fills in the options that are not given', () => {
    const formatting = { date: 'YYYY-MM-DD', time: 'None', timeZone: 'UTC' }
    expect(eachType(defaults)).toEqual({
      singleLineText: {},
      longText: {},
      user: { isMultiple: false, shouldNotify: true },
      attachment: {},
      checkbox: {},
      multipleSelect: { choices: [] },
      singleSelect: { choices: [] },
      date: { formatting },
      number: { formatting: { type: 'decimal', precision: 2 } },
      rating: { icon: 'star', color: 'yellowBright', max: 5 },
      formula: { expression: '1' },
      rollup: { expression: 'countall({values})' },
      link: { relationship: 'manyOne', foreignTableId: 'tbl1', isOneWay: false },
      createdTime: { expression: 'CREATED_TIME()', formatting },
      lastModifiedTime: { expression: 'LAST_MODIFIED_TIME()', formatting },
      createdBy: {},
      lastModifiedBy: {},
      autoNumber: { expression: 'AUTO_NUMBER()' },
      button: { label: 'Button', color: 'teal' },
    })
  })

  it('[FIELD-52] lets every type be primary but files, boxes, rollups, links and buttons', () => {
    expect(namesWhere((type) => !type.canBePrimary)).toEqual([
      'attachment',
      'checkbox',
      'rollup',
      'link',
      'button',
    ])
  })

  it('[FIELD-53] lets texts, numbers and dates be unique', () => {
    expect(namesWhere((type) => type.canBeUnique)).toEqual([
      'singleLineText',
      'longText',
      'date',
      'number',
    ])
  })

  it('[FIELD-54] lets the types that people fill in be not null', () => {
    expect(namesWhere((type) => type.canBeNotNull)).toEqual([
      'singleLineText',
      'longText',
      'user',
      'attachment',
      'multipleSelect',
      'singleSelect',
      'date',
      'number',
      'rating',
      'link',
    ])
  })

  it('[FIELD-55] filters by operators that fit what the cells hold', () => {
    const text = 'is isNot contains doesNotContain isEmpty isNotEmpty'
    const numeric = 'is isNot isGreater isGreaterEqual isLess isLessEqual isEmpty isNotEmpty'
    const moment = 'is isNot isWithIn isBefore isAfter isOnOrBefore isOnOrAfter isEmpty isNotEmpty'
    const one = 'is isNot isAnyOf isNoneOf isEmpty isNotEmpty'
    const some = 'hasAnyOf hasAllOf isExactly isNotExactly hasNoneOf isEmpty isNotEmpty'
    expect(eachType((type) => operatorNames(type, defaults(type)))).toEqual({
      singleLineText: text,
      longText: text,
      user: one,
      attachment: 'isEmpty isNotEmpty',
      checkbox: 'is',
      multipleSelect: some,
      singleSelect: one,
      date: moment,
      number: numeric,
      rating: numeric,
      formula: text,
      rollup: numeric,
      link: `${one} contains doesNotContain`,
      createdTime: moment,
      lastModifiedTime: moment,
      createdBy: one,
      lastModifiedBy: one,
      autoNumber: numeric,
      button: text,
    })
    expect(operatorNames(fieldTypes.get('user') as FieldType, { isMultiple: true })).toBe(some)
  })

  it('[FIELD-56] names a field after its type', () => {
    expect(eachType((type) => type.defaultName(defaults(type)))).toEqual({
      singleLineText: 'Label',
      longText: 'Notes',
      user: 'Collaborator',
      checkbox: 'Done',
      multipleSelect: 'Tags',
      singleSelect: 'Select',
      date: 'Date',
      number: 'Number',
      attachment: 'Attachments',
      rating: 'Rating',
      formula: 'Calculation',
      rollup: 'Rollup',
      link: 'Link',
      createdTime: 'Created Time',
      lastModifiedTime: 'Last Modified Time',
      createdBy: 'Created by',
      lastModifiedBy: 'Last modified by',
      autoNumber: 'ID',
      button: 'Button',
    })
    expect(fieldTypes.get('user')?.defaultName({ isMultiple: true })).toBe('Collaborators')
  })

  it('[FIELD-57] has one value type and one column type per type', () => {
    const valueTypes = eachType((type) => {
      const options = defaults(type)
      return `${type.cellValueType(options)} ${type.dbFieldType(options)}`
    })
    expect(valueTypes).toEqual({
      singleLineText: 'string TEXT',
      longText: 'string TEXT',
      user: 'string JSON',
      checkbox: 'boolean BOOLEAN',
      multipleSelect: 'string JSON',
      singleSelect: 'string TEXT',
      date: 'dateTime DATETIME',
      number: 'number REAL',
      attachment: 'string JSON',
      rating: 'number REAL',
      formula: 'string TEXT',
      rollup: 'number REAL',
      link: 'string JSON',
      createdTime: 'dateTime DATETIME',
      lastModifiedTime: 'dateTime DATETIME',
      createdBy: 'string JSON',
      lastModifiedBy: 'string JSON',
      autoNumber: 'number INTEGER',
      button: 'string JSON',
    })
    expect(namesWhere((type) => type.isMultiple?.(defaults(type)) ?? false)).toEqual([
      'attachment',
      'multipleSelect',
    ])
    expect(fieldTypes.get('user')?.isMultiple?.({ isMultiple: true })).toBe(true)
  })

  it('[FIELD-58] shows columns that every record has', () => {
    const systemTypes = namesWhere((type) => type.systemColumn !== undefined)
    expect(systemTypes).toEqual([
      'createdTime',
      'lastModifiedTime',
      'createdBy',
      'lastModifiedBy',
      'autoNumber',
    ])
    for (const type of types) expect([undefined, type.name]).toContain(type.systemColumn?.({}))
  })
})

function operatorNames(type: FieldType, options: unknown): string {
  return operatorsOf(type.cells(options, valuesOf(type, options)).form).join(' ')
}
