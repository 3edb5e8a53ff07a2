import { limits } from '../limits.ts'
import { storableTextUpTo } from './storable-text.ts'

const nameRule = `must have at most ${limits.nameLength} characters`

/** A name of a resource, as sent: trimmed, then 1 to 100 characters. */
export const nameSchema = storableTextUpTo(limits.untrimmedNameLength, nameRule)
  .trim()
  .min(1, 'must not be blank')
  .max(limits.nameLength, nameRule)

/** The one name that no member of an object has: programs that copy the object by assignment lose what is called so. */
export const unusableName = '__proto__'

/** An icon of a resource, as sent: an emoji or a short name. */
export const iconSchema = storableTextUpTo(limits.iconLength).min(1)

/** A description of a resource, as sent; null for none. */
export const descriptionSchema = storableTextUpTo(limits.descriptionLength).nullable()

/**
 * The name itself when it is free, else the name with the lowest number that makes it so: `Plan`,
 * `Plan 2`, `Plan 3`. A number at the end that stands alone is counted up: `Plan 2` gives `Plan 3`.
 */
export function toFreeName(name: string, isTaken: (candidate: string) => boolean): string {
  if (!isTaken(name)) return name
  const counted = /^(.*\S) (\d{1,9})$/su.exec(name)
  const stem = counted?.[1] ?? name
  for (let number = counted ? Number(counted[2]) + 1 : 2; ; number++) {
    const suffix = ` ${number}`
    const room = limits.nameLength - suffix.length
    // The cut may not leave half of a character.
    const candidate = stem.slice(0, room).replace(/\p{Surrogate}$/u, '') + suffix
    if (!isTaken(candidate)) return candidate
  }
}
