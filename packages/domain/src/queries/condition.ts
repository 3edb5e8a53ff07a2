import type { LinkEnd } from '../fields/link-end.ts'
import type { SchemaField, TableSchema } from '../schemas/table-schema.ts'
import type { SortValue } from './sort-value.ts'

/** A value that an item of a cell is compared with: texts stand for ids of users and records and for moments, too. */
export type Scalar = string | number | boolean

/** Where a range begins or ends; the value itself is in it unless it is said to be open. */
export interface Bound {
  readonly value: string | number
  readonly isOpen?: boolean
}

/** A test of one item of a cell. */
export type ItemTest =
  | { readonly kind: 'oneOf'; readonly values: readonly Scalar[] }
  | { readonly kind: 'range'; readonly from?: Bound; readonly to?: Bound }
  /** Whether its text has the text in it, which is folded (`foldCase`). */
  | { readonly kind: 'contains'; readonly text: string }

/** How an item compares with another value; dates are compared by their days. */
export type Comparison = 'equal' | 'less' | 'atMost' | 'greater' | 'atLeast' | 'contains'

/**
 * A condition on records of one table, in the few forms that storages can answer. There is no third truth value: a test
 * of the items of an empty cell is false, and its negation true.
 */
export type Condition =
  | { readonly kind: 'all' | 'any'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition }
  | { readonly kind: 'empty'; readonly field: SchemaField }
  /** Whether the test holds for some item of the cell. */
  | { readonly kind: 'some'; readonly field: SchemaField; readonly test: ItemTest }
  /** Whether each of the values is an item of the cell; where `alone`, and each of its items is one of them. */
  | {
      readonly kind: 'every'
      readonly field: SchemaField
      readonly values: readonly Scalar[]
      readonly alone: boolean
    }
  /** Whether some item of the cell stands so to the cell of the other field, which isn't a list. */
  | {
      readonly kind: 'compared'
      readonly field: SchemaField
      readonly other: SchemaField
      readonly comparison: Comparison
    }
  /**
   * Of two cells that have items: whether they have some in common, whether the other one's are all among those of
   * the first, or whether both have the same.
   */
  | {
      readonly kind: 'shared'
      readonly field: SchemaField
      readonly other: SchemaField
      readonly extent: 'some' | 'all' | 'same'
    }
  /** Whether the record has one of the ids. */
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  /** Whether a record of the other table is linked to it, as that one's end of the link sees it. */
  | {
      readonly kind: 'linked'
      readonly end: LinkEnd
      /** Only this one counts; all others where it is said to be left out; any where there is none. */
      readonly recordId: string | undefined
      readonly isLeftOut: boolean
      /** Only those count of the other table for which its condition holds. */
      readonly among?: { readonly schema: TableSchema; readonly condition: Condition }
    }
  /** Whether what is shown of the cell in one of the fields has the text in it, which is folded; see `shownText`. */
  | { readonly kind: 'shows'; readonly fields: readonly SchemaField[]; readonly text: string }
  /** Whether the identity of its group by the field (`groupIdentityOf`) is one of the values. */
  | { readonly kind: 'group'; readonly field: SchemaField; readonly values: readonly SortValue[] }

/** The condition that every record meets. */
export const always: Condition = { kind: 'all', conditions: [] }

/** The condition that no record meets. */
export const never: Condition = { kind: 'not', condition: always }

/** The negation of the condition. */
export function not(condition: Condition): Condition {
  return { kind: 'not', condition }
}

/** The condition that some item of the cell is true. */
export function isTrue(field: SchemaField): Condition {
  return { kind: 'some', field, test: { kind: 'oneOf', values: [true] } }
}

/** The condition that both conditions hold. */
export function both(a: Condition, b: Condition): Condition {
  if (a === always) return b
  return b === always ? a : { kind: 'all', conditions: [a, b] }
}

/** How many tests the condition makes of a record at most. */
export function testsOf(condition: Condition): number {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.conditions.reduce((sum, part) => sum + testsOf(part), 0)
    case 'not':
      return testsOf(condition.condition)
    default:
      return 1
  }
}

/** Whether cells of the field may be long: texts, titles of links, and lists of any kind. */
export function mayBeLong({ rules: { form } }: SchemaField): boolean {
  return form.isList || form.item.kind === 'text' || form.item.kind === 'link'
}

/**
 * How often the condition looks at the cells of each field, where these may be long; a search in a text, which is folded for
 * that, counts as so many looks.
 */
export function looksAtLong(condition: Condition, perSearch = 1): ReadonlyMap<SchemaField, number> {
  const looks = new Map<SchemaField, number>()
  for (const [field, times] of looksOf(condition, perSearch)) {
    if (mayBeLong(field)) looks.set(field, (looks.get(field) ?? 0) + times)
  }
  return looks
}

function looksOf(
  condition: Condition,
  perSearch: number,
): readonly (readonly [SchemaField, number])[] {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.conditions.flatMap((one) => looksOf(one, perSearch))
    case 'not':
      return looksOf(condition.condition, perSearch)
    case 'some':
      return [[condition.field, condition.test.kind === 'contains' ? perSearch : 1]]
    case 'group':
      return [[condition.field, 1]]
    case 'every':
      return [[condition.field, condition.values.length]]
    case 'compared': {
      const times = condition.comparison === 'contains' ? perSearch : 1
      return [
        [condition.field, times],
        [condition.other, times],
      ]
    }
    case 'shared':
      return [
        [condition.field, 1],
        [condition.other, 1],
      ]
    case 'shows':
      return condition.fields.map((field) => [field, perSearch])
    default:
      return []
  }
}

/** The fields whose shown text the condition searches. */
export function searchedFields(condition: Condition): readonly SchemaField[] {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.conditions.flatMap(searchedFields)
    case 'not':
      return searchedFields(condition.condition)
    case 'shows':
      return condition.fields
    default:
      return []
  }
}

/**
 * Whether the condition depends on links, which only a storage can look up, and not on the cells of the record alone.
 */
export function asksForLinks(condition: Condition): boolean {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.conditions.some(asksForLinks)
    case 'not':
      return asksForLinks(condition.condition)
    default:
      return condition.kind === 'linked'
  }
}
