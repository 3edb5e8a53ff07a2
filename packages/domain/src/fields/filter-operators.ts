import type { ValueType } from '../values/value-type.ts'

/** The operators that fields take in a filter, by the kind of their cells. */
export const filterOperators = {
  text: ['is', 'isNot', 'contains', 'doesNotContain', 'isEmpty', 'isNotEmpty'],
  number: [
    'is',
    'isNot',
    'isGreater',
    'isGreaterEqual',
    'isLess',
    'isLessEqual',
    'isEmpty',
    'isNotEmpty',
  ],
  boolean: ['is'],
  date: [
    'is',
    'isNot',
    'isWithIn',
    'isBefore',
    'isAfter',
    'isOnOrBefore',
    'isOnOrAfter',
    'isEmpty',
    'isNotEmpty',
  ],
  /** Cells that hold one of many things: a choice, a user. */
  one: ['is', 'isNot', 'isAnyOf', 'isNoneOf', 'isEmpty', 'isNotEmpty'],
  /** Cells that hold some of many things. */
  some: ['hasAnyOf', 'hasAllOf', 'isExactly', 'isNotExactly', 'hasNoneOf', 'isEmpty', 'isNotEmpty'],
  /** Cells that hold files, which are only there or not. */
  files: ['isEmpty', 'isNotEmpty'],
} as const satisfies Record<string, readonly FilterOperator[]>

const byKind = { string: 'text', number: 'number', boolean: 'boolean', dateTime: 'date' } as const

/** The operators of computed values: by their kind, or those of lists. */
export function operatorsOf({ cellValueType, isMultiple }: ValueType): readonly FilterOperator[] {
  return isMultiple ? filterOperators.some : filterOperators[byKind[cellValueType]]
}

export type FilterOperator =
  | 'is'
  | 'isNot'
  | 'contains'
  | 'doesNotContain'
  | 'isGreater'
  | 'isGreaterEqual'
  | 'isLess'
  | 'isLessEqual'
  | 'isEmpty'
  | 'isNotEmpty'
  | 'isWithIn'
  | 'isBefore'
  | 'isAfter'
  | 'isOnOrBefore'
  | 'isOnOrAfter'
  | 'isAnyOf'
  | 'isNoneOf'
  | 'hasAnyOf'
  | 'hasAllOf'
  | 'hasNoneOf'
  | 'isExactly'
  | 'isNotExactly'
