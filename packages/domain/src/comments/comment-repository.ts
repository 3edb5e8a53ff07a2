import type { Lock } from '../access/lock.ts'
import type { Comment } from './comment.ts'

/** A record that is commented on. */
export interface CommentPlace {
  readonly tableId: string
  readonly recordId: string
}

/** Which part of the comments of a record is asked for. */
export interface CommentPart {
  /** The first that is answered, if it is there; the oldest or newest where it is left out. */
  readonly from?: number | undefined
  /** From older to newer ones, or the other way. */
  readonly direction: 'forward' | 'backward'
  readonly most: number
}

/** How many comments a record has. */
export interface CommentTally {
  readonly count: number
  /** The number of the newest; 0 where there is none. */
  readonly lastNumber: number
}

/** Which comments are removed: of some records of a table, or of all. */
export interface CommentedRecords {
  readonly tableId: string
  readonly recordIds?: readonly string[]
}

/** Reads what was said about records. */
export interface CommentReader {
  /** The comment of the id; the lock is for transactions that write. */
  find(id: string, lock?: Lock): Promise<Comment | undefined>
  /** A part of the comments of a record, in the direction that is asked for. */
  list(place: CommentPlace, part: CommentPart): Promise<readonly Comment[]>
  tallyOf(place: CommentPlace): Promise<CommentTally>
  /** How many comments those of the records have that have some. */
  countsOf(tableId: string, recordIds: readonly string[]): Promise<ReadonlyMap<string, number>>
}

/** Keeps it. */
export interface CommentRepository extends CommentReader {
  insert(comment: Comment): Promise<void>
  /** Replaces content, reactions, the time of the last change, and the version. */
  update(comment: Comment): Promise<void>
  delete(id: string): Promise<void>
  /** Removes so many of the comments at most. Answers whether some may be left. */
  removeSome(of: CommentedRecords, most: number): Promise<boolean>
}
