import { z } from 'zod'
import { unusableName } from './names.ts'

/**
 * An object as it was sent, with at most the given number of members; their values are checked elsewhere. None is named
 * `__proto__`: whoever copies the object by assignment would lose it, and set a prototype.
 */
export function sentObject(most: number) {
  return z
    .custom<Readonly<Record<string, unknown>>>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      {
        error: ({ input }) => (input === undefined ? 'is required' : 'must be an object'),
        abort: true,
      },
    )
    .refine((value) => hasUpTo(most, value), `must have at most ${most} members`)
    .refine(
      (value) => !Object.hasOwn(value, unusableName),
      `must not have the member "${unusableName}"`,
    )
    .meta({ type: 'object', additionalProperties: {} })
}

/** Counts no further than it must: an object of a body may have a million members. */
function hasUpTo(most: number, value: object): boolean {
  let count = 0
  for (const _name in value) if (++count > most) return false
  return true
}
