import type { Filter } from '../../fields/filter.ts'
import { type ValueOfField, valuesIn, withValues } from '../../schemas/filter-values.ts'
import type { ViewStep } from '../undo-step.ts'

/** The values that the filters of a view are about, before and after a step. */
export function valuesInFilters({ before, after }: ViewStep): readonly ValueOfField[] {
  return [before, after].flatMap((state) => {
    const filter = filterOf(state)
    return filter ? valuesIn(filter) : []
  })
}

/** The state of a view whose filter is about other values. */
export function withFilterValues(
  state: ViewStep['before'],
  toValue: (fieldId: string, value: unknown) => unknown,
): ViewStep['before'] {
  const filter = filterOf(state)
  return filter ? { ...state, filter: withValues(filter, toValue) } : state
}

function filterOf({ filter }: ViewStep['before']): Filter | undefined {
  return (filter as Filter | null | undefined) ?? undefined
}
