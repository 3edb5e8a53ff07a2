import { z } from 'zod'

/** Marks what callers of this interface may know and this version has not: it is not documented. */
const undocumented = { 'x-not-yet': true } as const

/**
 * A member that callers of this interface may know and that this version has no answer to. It is refused:
 * a filter that was passed over would answer everything.
 */
export function notYet(what: string) {
  return z.undefined(`${what} is not available yet`).optional().meta(undocumented)
}

/** A switch of that kind, which may be off. */
export function notYetOn(what: string) {
  return z.literal(false, `${what} is not available yet`).optional().meta(undocumented)
}
