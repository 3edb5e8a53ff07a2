import { type Filter, type FilterItem, itemsOf } from '../fields/filter.ts'
import type { ValueOfField } from './choice-names.ts'

/** The values that a filter is about. */
export function valuesIn(filter: Filter): readonly ValueOfField[] {
  return itemsOf(filter).map(({ fieldId, value }) => [fieldId, value] as const)
}

/** The filter about other values. */
export function withValues(
  { filterSet, ...filter }: Filter,
  toValue: (fieldId: string, value: unknown) => unknown,
): Filter {
  const changed = (item: FilterItem) =>
    item.value === undefined ? item : { ...item, value: toValue(item.fieldId, item.value) }
  return {
    ...filter,
    filterSet: filterSet.map((item) =>
      'filterSet' in item ? withValues(item, toValue) : changed(item),
    ),
  }
}
