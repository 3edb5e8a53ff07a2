import type { Timestamp } from '../clock.ts'

/** What goes to the trash, by what is deleted in one call. */
export const trashedTypes = [
  'space',
  'base',
  'table',
  'dashboard',
  'workflow',
  'view',
  'field',
  'record',
] as const

/** What goes to the trash. */
export type TrashedType = (typeof trashedTypes)[number]

/** What one call deleted, until it comes back or goes for good. */
export interface TrashEntry {
  /** That of the operation: what it deleted is marked with it. */
  readonly id: string
  /** Where it lies: the table of views, fields and records, the base of what has a node, the space of a base; a space in itself. */
  readonly placeId: string
  readonly resourceType: TrashedType
  /** All that was deleted, but what went along with it: the field at the other end of a link, what was in a table. */
  readonly resourceIds: readonly string[]
  readonly deletedTime: Timestamp
  readonly deletedBy: string
}

/** A place among entries, newest first. */
export type TrashPosition = Pick<TrashEntry, 'id' | 'deletedTime'>
