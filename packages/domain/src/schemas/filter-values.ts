import { type Filter, type FilterItem, itemsOf } from '../fields/filter.ts'

/** A value of a field: what a cell holds, or what a filter compares it with. */
export type ValueOfField = readonly [fieldId: string, value: unknown]

/** The values that a filter is about. */
export function valuesIn(filter: Filter): readonly ValueOfField[] {
  return itemsOf(filter).map(({ fieldId, value }) => [fieldId, value] as const)
}

/** The filter about other values. */
export function withValues(
  filter: Filter,
  toValue: (fieldId: string, value: unknown, operator: FilterItem['operator']) => unknown,
): Filter {
  const filterSet = filter.filterSet.map((item): FilterItem | Filter => {
    if ('filterSet' in item) return withValues(item, toValue)
    const { fieldId, value, operator } = item
    return value === undefined ? item : { ...item, value: toValue(fieldId, value, operator) }
  })
  return { ...filter, filterSet }
}

/** What becomes of a value, or of each that is in a list. */
export function changeEach<Value>(value: Value, change: (one: unknown) => unknown): Value {
  return (Array.isArray(value) ? value.map((one) => change(one)) : change(value)) as Value
}
