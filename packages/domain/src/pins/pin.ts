import type { NamedResource } from './seen-resource.ts'

/** A resource that a user keeps at hand. */
export interface Pin extends NamedResource {
  readonly userId: string
  /** Its place among the pins of the user, from 0. */
  readonly order: number
  /** As of the resource, with which they are forgotten. */
  readonly parentId: string | null
  readonly baseId: string | null
}

/** Whether the two name one resource. */
export function isSame(a: NamedResource, b: NamedResource): boolean {
  return a.id === b.id && a.type === b.type
}
