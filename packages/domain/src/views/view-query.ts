import { type Issue, invalid, invalidAt } from '../errors.ts'
import type { Filter } from '../fields/filter.ts'
import { toKeptFilter } from '../fields/kept-filter.ts'
import type { SortItem } from '../queries/sort.ts'
import { type FilterContext, toCondition } from '../queries/to-condition.ts'
import type { TableSchema } from '../schemas/table-schema.ts'

/** What the filter of a view is checked by: whom `Me` stands for and what today is change nothing about that. */
type ViewQueryContext = Omit<FilterContext, 'fieldKeyType'>

/**
 * The filter as a view keeps it. Throws validation_error with all that doesn't fit, and for a filter that is too
 * long: it is read with the view, and all views of a table are read together.
 */
export function toViewFilter(
  filter: Filter,
  context: ViewQueryContext,
  path: Issue['path'],
): Filter {
  const kept = toKeptFilter(filter)
  if ('refusal' in kept) throw invalidAt(path, kept.refusal)
  toCondition(kept, { ...context, fieldKeyType: 'id' }, path)
  return kept
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
