import { toText } from '../../values/text.ts'
import { splitNames } from './name-list.ts'
import { isUnique } from './unique-items.ts'

/** How many items a cell holds at most, and which id an item names; undefined for none. */
interface ItemReading {
  readonly most: number
  idOf(item: unknown): string | undefined
}

/** Strict reading of a list whose items name something by id, each once; undefined for anything else. */
export function readItemIds(value: unknown, { most, idOf }: ItemReading): string[] | undefined {
  if (!Array.isArray(value) || value.length > most) return undefined
  const ids: string[] = []
  for (const item of value) {
    const id = idOf(item)
    if (id === undefined) return undefined
    ids.push(id)
  }
  return isUnique(ids) ? ids : undefined
}

/** What a value names: the whole of it, else what each item of a list, or part of a text, does; each once. */
export function findItemIds(value: unknown, { most, idOf }: ItemReading): string[] {
  const whole = idOf(value)
  if (whole !== undefined) return [whole]
  const items = Array.isArray(value) ? value : splitNames(toText(value))
  const ids = new Set<string>()
  for (const item of items) {
    if (ids.size === most) break
    const id = idOf(item)
    if (id !== undefined) ids.add(id)
  }
  return [...ids]
}

/** The member `id` of a value, where it is an object that has one. */
export function idMember(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : undefined
}
