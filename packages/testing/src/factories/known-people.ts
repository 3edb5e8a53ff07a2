import type { People } from '@gateleg/domain/fields/cell'

/** People by id, found by their id or name. */
export function knownPeople(
  namesById: Readonly<Record<string, string>>,
  detailsById?: ReadonlyMap<string, ReturnType<NonNullable<People['details']>>>,
): People {
  const names = new Map(Object.entries(namesById))
  const ids = new Map([...names].map(([id, name]) => [name, id]))
  return {
    name: (userId) => names.get(userId),
    ...(detailsById && { details: (userId: string) => detailsById.get(userId) ?? {} }),
    find: (text) => (names.has(text) ? text : ids.get(text)),
  }
}
