import { type Issue, invalid, invalidAt } from '../errors.ts'
import type { Filter, FilterItem } from '../fields/filter.ts'
import { limits } from '../limits.ts'
import type { SortItem } from '../queries/sort.ts'
import { type FilterContext, toCondition } from '../queries/to-condition.ts'
import type { TableSchema } from '../schemas/table-schema.ts'
import { lengthUpTo } from '../values/json-bytes.ts'

/** What the filter of a view is checked by: whom `Me` stands for and what today is change nothing about that. */
export type ViewQueryContext = Omit<FilterContext, 'fieldKeyType'>

/**
 * The filter as a view keeps it. Throws validation_error with all that doesn't fit, and for a filter that is too
 * long: it is read with the view, and all views of a table are read together.
 */
export function toViewFilter(
  filter: Filter,
  context: ViewQueryContext,
  path: Issue['path'],
): Filter {
  const kept = withoutIdleValues(filter)
  // Values are counted first: some are too long even to be looked at one by one.
  if (lengthUpTo(limits.viewFilterLength, kept) >= limits.viewFilterLength) {
    throw invalidAt(path, `must have at most ${limits.viewFilterLength} characters in all`)
  }
  toCondition(kept, { ...context, fieldKeyType: 'id' }, path)
  return kept
}

const withoutValue = new Set<string>(['isEmpty', 'isNotEmpty', 'IS NULL', 'IS NOT NULL'])

/** The filter without the values that operators take no notice of, whatever they may be. */
function withoutIdleValues({ conjunction, filterSet }: Filter): Filter {
  const kept = filterSet.map((item): FilterItem | Filter => {
    if ('filterSet' in item) return withoutIdleValues(item)
    return withoutValue.has(item.operator) ? { ...item, value: null } : item
  })
  return { conjunction, filterSet: kept }
}

/** Refuses sorts and groups that name fields there are not, by their ids. */
export function requireFields(
  items: readonly SortItem[],
  { byKey }: TableSchema,
  path: Issue['path'],
): void {
  const issues = items.flatMap(({ fieldId }, index): Issue[] => {
    if (byKey.id.has(fieldId)) return []
    const message = 'must be the id of a field of the table'
    return [{ path: [...path, index, 'fieldId'], message }]
  })
  if (issues.length > 0) throw invalid(issues)
}
