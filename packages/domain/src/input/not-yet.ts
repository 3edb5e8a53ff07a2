import { z } from 'zod'

/** Marks a member that callers may know but that is refused, so that it isn't documented. */
export const undocumented = { 'x-not-yet': true } as const

/**
 * The schema of a member that callers may know but this version doesn't support. Such a member is refused, not ignored:
 * a filter that was ignored would answer everything.
 */
export function notYet(what: string) {
  return z.undefined(`${what} is not available yet`).optional().meta(undocumented)
}

/** A true-or-false member that this version doesn't support: only false is accepted. */
export function notYetOn(what: string) {
  return z.literal(false, `${what} is not available yet`).optional().meta(undocumented)
}
