import type { CellForm } from './cell-form.ts'

/** The operators that fields take in a filter, by the kind of their cells. */
const filterOperators = {
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
} as const

/** The operators that cells of the form take. What a list of texts or numbers is asked, some item must answer. */
export function operatorsOf({ item, isList }: CellForm): readonly FilterOperator[] {
  switch (item.kind) {
    case 'choice':
    case 'user':
      return isList ? filterOperators.some : filterOperators.one
    case 'link':
      return isList ? linksOperators : linkOperators
    case 'file':
      return filterOperators.files
    case 'press':
      return filterOperators.text
    default:
      return filterOperators[item.kind]
  }
}

const ofTitles = ['contains', 'doesNotContain'] as const
const linkOperators: readonly FilterOperator[] = [...filterOperators.one, ...ofTitles]
const linksOperators: readonly FilterOperator[] = [...filterOperators.some, ...ofTitles]

/** What a filter may ask of a cell. */
export type FilterOperator = (typeof filterOperators)[keyof typeof filterOperators][number]

/** All that a filter may ask of cells, of one kind or another. */
export const filterOperatorNames: readonly FilterOperator[] = [
  ...new Set(Object.values(filterOperators).flat()),
]

const ofLists: ReadonlySet<FilterOperator> = new Set([
  ...(['isAnyOf', 'isNoneOf', 'hasAnyOf', 'hasAllOf'] as const),
  ...(['hasNoneOf', 'isExactly', 'isNotExactly'] as const),
])

/** Whether the value of the operator is a list. */
export function takesList(operator: FilterOperator): boolean {
  return ofLists.has(operator)
}
