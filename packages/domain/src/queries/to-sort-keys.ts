import { type Issue, invalid } from '../errors.ts'
import type { SortItem } from './sort.ts'
import type { SortKey } from './sort-keys.ts'
import { type FilterContext, findField, noField } from './to-condition.ts'

/**
 * What the sort of a request goes by; a field that is named again counts where it stands first. Throws
 * validation_error for fields that there are not.
 */
export function toSortKeys(
  items: readonly SortItem[],
  context: Pick<FilterContext, 'schema' | 'fieldKeyType'>,
  member: string,
): readonly SortKey[] {
  const issues: Issue[] = []
  const keys = keysOf(items, context, (index) => {
    issues.push({
      path: [member, index, 'fieldId'],
      message: noField(context),
    })
  })
  if (issues.length > 0) throw invalid(issues)
  return keys
}

/** What a stored sort goes by now: fields that are gone order nothing. */
export function toStoredSortKeys(
  items: readonly SortItem[],
  context: Pick<FilterContext, 'schema' | 'fieldKeyType'>,
): readonly SortKey[] {
  return keysOf(items, context, () => {})
}

/** What a request groups records by, the outermost first; refuses what a sort refuses. */
export function toGroupKeys(
  items: readonly SortItem[],
  context: Pick<FilterContext, 'schema' | 'fieldKeyType'>,
): readonly SortKey[] {
  return toSortKeys(items, context, 'groupBy').map(asGroup)
}

/** What a stored group goes by now: fields that are gone group nothing. */
export function toStoredGroupKeys(
  items: readonly SortItem[],
  context: Pick<FilterContext, 'schema' | 'fieldKeyType'>,
): readonly SortKey[] {
  return toStoredSortKeys(items, context).map(asGroup)
}

function asGroup(key: SortKey): SortKey {
  return { ...key, isGroup: true }
}

/** The keys, and after them those of the others whose field isn't among them. */
export function withFurtherKeys(
  keys: readonly SortKey[],
  others: readonly SortKey[],
): readonly SortKey[] {
  const known = new Set(keys.map(({ field }) => field))
  return [...keys, ...others.filter(({ field }) => !known.has(field))]
}

function keysOf(
  items: readonly SortItem[],
  context: Pick<FilterContext, 'schema' | 'fieldKeyType'>,
  refuse: (index: number) => void,
): readonly SortKey[] {
  const keys = items.flatMap(({ fieldId, order }, index): SortKey[] => {
    const field = findField(fieldId, context)
    if (field) return [{ field, isDescending: order === 'desc' }]
    refuse(index)
    return []
  })
  return keys.filter(({ field }, index) => keys.findIndex((key) => key.field === field) === index)
}
