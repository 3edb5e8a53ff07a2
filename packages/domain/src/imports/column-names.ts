import { limits } from '../limits.ts'
import { toFreeName } from '../values/names.ts'
import { isStorable } from '../values/storable-text.ts'

/** A name for each column: those of the header, made to fit and different from each other; numbered where it has none. */
export function toColumnNames(header: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return header.map((text, index) => {
    const name = toName(text) || `Column ${index + 1}`
    const free = toFreeName(name, (candidate) => taken.has(candidate))
    taken.add(free)
    return free
  })
}

function toName(text: string): string {
  const short = text.slice(0, limits.untrimmedNameLength).replace(/\s+/gu, ' ').trim()
  const name = short
    .slice(0, limits.nameLength)
    .replace(/\p{Surrogate}$/u, '')
    .trim()
  return isStorable(name) ? name : ''
}
