import { type Filter, type FilterItem, itemsOf } from '../../fields/filter.ts'
import type { ValueOfField } from '../../schemas/choice-names.ts'
import type { ViewStep } from '../undo-step.ts'

/** The values that the filters of a view are about, before and after a step. */
export function valuesInFilters({ before, after }: ViewStep): readonly ValueOfField[] {
  return [before, after].flatMap((state) => {
    const filter = filterOf(state)
    return filter ? itemsOf(filter).map(({ fieldId, value }) => [fieldId, value] as const) : []
  })
}

/** The state of a view whose filter has other values. */
export function withValues(
  state: ViewStep['before'],
  today: (fieldId: string, value: unknown) => unknown,
): ViewStep['before'] {
  const filter = filterOf(state)
  return filter ? { ...state, filter: filterWith(filter, today) } : state
}

function filterWith(
  { filterSet, ...filter }: Filter,
  today: (fieldId: string, value: unknown) => unknown,
): Filter {
  const changed = (item: FilterItem) =>
    item.value === undefined ? item : { ...item, value: today(item.fieldId, item.value) }
  return {
    ...filter,
    filterSet: filterSet.map((item) =>
      'filterSet' in item ? filterWith(item, today) : changed(item),
    ),
  }
}

function filterOf({ filter }: ViewStep['before']): Filter | undefined {
  return (filter as Filter | null | undefined) ?? undefined
}
