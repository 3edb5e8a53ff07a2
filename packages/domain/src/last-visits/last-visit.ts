import type { Timestamp } from '../clock.ts'
import type { SeenType } from '../pins/seen-resource.ts'

/** What a user opened last, of one kind, in a space, a base or a table. */
export interface LastVisit {
  readonly userId: string
  readonly parentId: string
  readonly resourceType: SeenType
  readonly resourceId: string
  /** What was open in it: of a table a view, of a base something of its tree. */
  readonly childId: string | null
  /** The base that it lies in, or is, with which it is forgotten. */
  readonly baseId: string | null
  readonly visitedTime: Timestamp
}
