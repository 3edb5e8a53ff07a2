import { z } from 'zod'
import type { Issue } from '../errors.ts'
import { describedAs } from '../input/described-as.ts'
import { limits } from '../limits.ts'
import { type FilterOperator, filterOperatorNames } from './filter-operators.ts'

/** What a filter asks of the cells of one field. */
export interface FilterItem {
  /** The id of the field, or its name or column name where the caller names fields so. */
  readonly fieldId: string
  readonly operator: FilterOperator
  /** What the operator takes, or a `FieldReference`; null, for most of them, asks nothing. */
  readonly value?: unknown
}

/** Items and further groups of which all must hold, or any one. */
export interface Filter {
  readonly conjunction: 'and' | 'or'
  readonly filterSet: readonly (FilterItem | Filter)[]
}

/** The value of an item that is compared with the cell of another field of the same record. */
export interface FieldReference {
  readonly type: 'field'
  readonly fieldId: string
}

/** Whether the value of an item stands for a field; whether that is there, and fits, is another question. */
export function isFieldReference(value: unknown): value is FieldReference {
  return isObject(value) && value.type === 'field'
}

/** The items of a filter, those of its groups among them, in their order. */
export function itemsOf({ filterSet }: Filter): readonly FilterItem[] {
  return filterSet.flatMap((item) => ('filterSet' in item ? itemsOf(item) : item))
}

/** The fields that a filter names, as it names them: those that it compares with, too. */
export function fieldsNamedIn(filter: Filter): ReadonlySet<string> {
  const named = new Set<string>()
  for (const { fieldId, value } of itemsOf(filter)) {
    named.add(fieldId)
    if (isFieldReference(value)) named.add(value.fieldId)
  }
  return named
}

/** Operators as signs, as SQL has them; what they mean depends on the kind of cell. */
export const operatorSymbols = {
  '=': ['is', 'isExactly'],
  '!=': ['isNot', 'isNotExactly'],
  '>': ['isGreater', 'isAfter'],
  '>=': ['isGreaterEqual', 'isOnOrAfter'],
  '<': ['isLess', 'isBefore'],
  '<=': ['isLessEqual', 'isOnOrBefore'],
  LIKE: ['contains'],
  'NOT LIKE': ['doesNotContain'],
  IN: ['isAnyOf', 'hasAnyOf'],
  'NOT IN': ['isNoneOf', 'hasNoneOf'],
  HAS: ['hasAllOf'],
  'IS NULL': ['isEmpty'],
  'IS NOT NULL': ['isNotEmpty'],
  'IS WITH IN': ['isWithIn'],
} as const satisfies Record<string, readonly FilterOperator[]>

/** A filter as callers send it: they may write operators as signs. */
export interface SentFilter {
  readonly conjunction: 'and' | 'or'
  readonly filterSet: readonly (SentFilterItem | SentFilter)[]
}

/** What such a filter asks of the cells of one field. */
export type SentFilterItem = Omit<FilterItem, 'operator'> &
  (
    | { readonly operator: FilterOperator; readonly isSymbol?: false | undefined }
    | { readonly operator: keyof typeof operatorSymbols; readonly isSymbol: true }
  )

const itemMembers = new Set(['fieldId', 'operator', 'value', 'isSymbol'])
const groupMembers = new Set(['conjunction', 'filterSet'])

/**
 * A filter as a caller sends it: its form and size are checked; whether the fields exist and the values fit them is
 * asked by `toCondition`, which knows the table.
 */
export const filterSchema: z.ZodType<Filter, SentFilter> = describedAs(
  z
    .custom<Filter>(isObject, {
      error: ({ input }) =>
        input === undefined ? 'is required' : 'must be an object with conjunction and filterSet',
    })
    .check((context) => {
      for (const { path, message } of issuesOf(context.value)) {
        context.issues.push({ code: 'custom', input: context.value, path: [...path], message })
      }
    }),
  describedFilter,
)

/** All that is wrong with the form of a filter; stops at the first level that is too deep. */
function issuesOf(filter: unknown): readonly Issue[] {
  const issues: Issue[] = []
  let items = 0
  const pending: {
    readonly value: unknown
    readonly path: (string | number)[]
    readonly depth: number
  }[] = [{ value: filter, path: [], depth: 1 }]
  for (let part = pending.pop(); part; part = pending.pop()) {
    const { value, path, depth } = part
    const refuse = (member: readonly (string | number)[], message: string) =>
      void issues.push({ path: [...path, ...member], message })
    if (!isObject(value)) {
      refuse([], 'must be an object')
      continue
    }
    const isGroup = depth === 1 || 'filterSet' in value || 'conjunction' in value
    const known = isGroup ? groupMembers : itemMembers
    const unknown = Object.keys(value).find((member) => !known.has(member))
    if (unknown !== undefined)
      refuse([], `must not have the member "${unknown.slice(0, limits.nameLength)}"`)
    if (!isGroup) {
      checkItem(value, refuse)
      continue
    }
    if (value.conjunction !== 'and' && value.conjunction !== 'or')
      refuse(['conjunction'], 'must be "and" or "or"')
    if (!Array.isArray(value.filterSet)) {
      refuse(['filterSet'], 'must be a list')
      continue
    }
    items += value.filterSet.length
    if (items > limits.filterItems) {
      refuse(
        ['filterSet'],
        `must have at most ${limits.filterItems} items, those of groups included`,
      )
      return issues
    }
    if (depth > limits.filterDepth) {
      refuse([], `must be nested at most ${limits.filterDepth} levels deep`)
      return issues
    }
    for (const [index, inner] of value.filterSet.entries()) {
      pending.push({ value: inner, path: [...path, 'filterSet', index], depth: depth + 1 })
    }
  }
  return issues
}

function checkItem(
  { fieldId, operator, isSymbol }: Readonly<Record<string, unknown>>,
  refuse: (member: readonly string[], message: string) => void,
): void {
  if (typeof fieldId !== 'string' || fieldId.length > limits.shortTextLength) {
    refuse(['fieldId'], 'must be the name or id of a field')
  }
  if (isSymbol !== undefined && typeof isSymbol !== 'boolean')
    refuse(['isSymbol'], 'must be true or false')
  const known: readonly string[] =
    isSymbol === true ? Object.keys(operatorSymbols) : filterOperatorNames
  if (typeof operator !== 'string' || !known.includes(operator)) {
    refuse(['operator'], `must be one of ${known.join(', ')}`)
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function describedFilter(): z.ZodType {
  const item = z
    .strictObject({
      fieldId: z.string().describe('The field, named as `fieldKeyType` says, or by its id'),
      operator: z
        .enum([
          ...filterOperatorNames,
          ...(Object.keys(operatorSymbols) as (keyof typeof operatorSymbols)[]),
        ])
        .describe('What is asked of its cells; a sign such as `>=` where `isSymbol` is true'),
      value: z
        .unknown()
        .optional()
        .describe(
          'What the operator takes; null asks nothing. An object `{ "type": "field", "fieldId": … }` stands for the cell of another field.',
        ),
      isSymbol: z.boolean().optional().describe('Whether the operator is a sign'),
    })
    .meta({ id: 'FilterItem' })
  const group: z.ZodType = z
    .strictObject({
      conjunction: z.enum(['and', 'or']).describe('Whether all must hold, or one'),
      get filterSet() {
        return z.array(z.union([item, group])).describe('What must hold: items and further filters')
      },
    })
    .meta({ id: 'Filter' })
  return group
}
