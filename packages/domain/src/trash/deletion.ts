import type { Timestamp } from '../clock.ts'

/**
 * The mark that a deletion leaves on all it takes away. Nothing else happens to the rows, so that a
 * deletion costs the same at any size, and undoing it finds exactly what one operation deleted.
 */
export interface Deletion {
  /** The id of the operation (`opr…`); all that went in one call share it. */
  readonly operationId: string
  readonly time: Timestamp
  readonly userId: string
}

/** A thing that lies in the trash, and which operation deleted it. */
export interface Deleted<Thing> {
  readonly thing: Thing
  readonly operationId: string
}

/** Which things of a trash are asked for, in the order of their ids: so many at most after one. */
export interface DeletedPage {
  readonly after: string
  readonly most: number
}
