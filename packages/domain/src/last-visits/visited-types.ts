import { type NamedResource, type SeenType, seenTypes } from '../pins/seen-resource.ts'
import { resourceTypes } from '../tree/tree-node.ts'

/** What lies in something else. */
export const visitedTypes = seenTypes.filter((type) => type !== 'space')

/** What the id may name in a resource of the type; nothing where nothing lies in one. */
export function childrenOf(type: SeenType, id: string): readonly NamedResource[] {
  if (type === 'table') return [{ type: 'view', id }]
  return type === 'base' ? resourceTypes.map((each) => ({ type: each, id })) : []
}
