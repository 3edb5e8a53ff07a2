import type { LinkTargets } from '@gateleg/domain/fields/cell'

/** Records by id, found by their title; of several with one title the first is. */
export function knownRecords(titlesById: Readonly<Record<string, string>>): LinkTargets {
  const titles = new Map(Object.entries(titlesById))
  const ids = new Map([...titles].toReversed().map(([id, title]) => [title, id]))
  return { has: (id) => titles.has(id), find: (title) => ids.get(title) }
}
