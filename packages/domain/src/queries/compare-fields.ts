import type { FilterOperator } from '../fields/filter-operators.ts'
import type { SchemaField } from '../schemas/table-schema.ts'
import { type Comparison, type Condition, isTrue, not } from './condition.ts'

/** Operators that compare one item with another, of those that deny no other one. */
const comparisons: Partial<Record<FilterOperator, Comparison>> = {
  is: 'equal',
  contains: 'contains',
  isGreater: 'greater',
  isGreaterEqual: 'atLeast',
  isLess: 'less',
  isLessEqual: 'atMost',
  isAfter: 'greater',
  isOnOrAfter: 'atLeast',
  isBefore: 'less',
  isOnOrBefore: 'atMost',
}

/** Operators that compare all items of two cells. */
const extents = {
  isAnyOf: 'some',
  hasAnyOf: 'some',
  hasAllOf: 'all',
  isExactly: 'same',
} as const satisfies Partial<Record<FilterOperator, 'some' | 'all' | 'same'>>

/**
 * What asks so of the cell of a field and that of another field of the same record; or what is wrong with that
 * field. The operator is one that the first field takes, and that denies no other one. An empty cell stands in no way
 * to another one; but checkboxes are alike where neither is true.
 */
export function toComparison(
  field: SchemaField,
  operator: FilterOperator,
  other: SchemaField,
): Condition | string {
  const { kind } = field.rules.form.item
  const { item, isList } = other.rules.form
  const comparison = comparisons[operator]
  const extent = extents[operator as keyof typeof extents]
  if (item.kind !== kind)
    return 'must name a field whose cells hold the same kind of value as those of the field itself'
  if (kind === 'file' || kind === 'press' || (kind === 'link' && operator === 'contains')) {
    return "must be left out: cells of this kind can't be compared with another field by this operator"
  }
  if (kind === 'boolean') {
    const [first, second] = [isTrue(field), isTrue(other)]
    const both: Condition = { kind: 'all', conditions: [first, second] }
    const neither: Condition = { kind: 'all', conditions: [not(first), not(second)] }
    return { kind: 'any', conditions: [both, neither] }
  }
  if (extent) return { kind: 'shared', field, other, extent }
  if (!comparison) return "must be left out: this operator can't compare with another field"
  if (isList) return 'must name a field whose cells hold one value, not a list'
  return { kind: 'compared', field, other, comparison }
}
