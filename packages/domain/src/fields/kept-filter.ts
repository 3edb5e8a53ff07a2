import { z } from 'zod'
import { limits } from '../limits.ts'
import { lengthUpTo } from '../values/json/json-bytes.ts'
import { type Filter, type FilterItem, filterSchema } from './filter.ts'

const withoutValue = new Set<string>(['isEmpty', 'isNotEmpty', 'IS NULL', 'IS NOT NULL'])

/** The filter without the values that operators take no notice of, whatever they may be. */
function withoutIdleValues({ conjunction, filterSet }: Filter): Filter {
  const kept = filterSet.map((item): FilterItem | Filter => {
    if ('filterSet' in item) return withoutIdleValues(item)
    return withoutValue.has(item.operator) ? { ...item, value: null } : item
  })
  return { conjunction, filterSet: kept }
}

/**
 * The filter as a view or a field keeps it; what is wrong with it where it is too long. Whether it fits the fields
 * that it names is another question: values are counted first, since some are too long even to be looked at.
 */
export function toKeptFilter(filter: Filter): Filter | { readonly refusal: string } {
  const kept = withoutIdleValues(filter)
  const most = limits.keptFilterLength
  if (lengthUpTo(most, kept) < most) return kept
  return { refusal: `must have at most ${most} characters in all` }
}

/** A filter that is kept, as a caller sends it: null is none. */
export const keptFilterSchema = filterSchema
  .transform((filter, context): Filter => {
    const kept = toKeptFilter(filter)
    if (!('refusal' in kept)) return kept
    context.issues.push({ code: 'custom', input: filter, message: kept.refusal })
    return z.NEVER
  })
  .nullable()
  .optional()
