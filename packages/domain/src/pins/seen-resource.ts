import { resourceTypes } from '../tree/tree-node.ts'

/** What people open, and pin: a space, a base, what its tree has, and a view. */
export const seenTypes = ['space', 'base', ...resourceTypes, 'view'] as const

/** What kind of resource that is. */
export type SeenType = (typeof seenTypes)[number]

/** A resource, as callers name it. */
export interface NamedResource {
  readonly type: SeenType
  readonly id: string
}

/** A living resource that a user may read, with what is shown of it. */
export interface SeenResource extends NamedResource {
  readonly name: string
  readonly icon: string | null
  /** The space of a base, the base of what its tree has, the table of a view; null for a space. */
  readonly parentId: string | null
  /** The base that it lies in, or is; null for a space. */
  readonly baseId: string | null
  /** Of a view: its type; null for all else. */
  readonly viewType: string | null
}
