import type { FilterOperator } from './field-type.ts'

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
} as const satisfies Record<string, readonly FilterOperator[]>
