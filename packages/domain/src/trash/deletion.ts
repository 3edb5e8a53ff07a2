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
