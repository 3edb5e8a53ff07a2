import type { Timestamp } from '../clock.ts'
import type { CommentBlock } from './comment-content.ts'

/** What somebody said about a record. */
export interface Comment {
  readonly id: string
  readonly tableId: string
  readonly recordId: string
  /** Counts up over the comments of the record: the order in which they were made. */
  readonly number: number
  /** The comment that it answers. */
  readonly quoteId?: string | undefined
  /** One block at least. */
  readonly content: readonly CommentBlock[]
  /** In the order in which the first of each kind came. */
  readonly reactions: readonly Reaction[]
  readonly createdBy: string
  readonly createdTime: Timestamp
  /** When its content was changed last. */
  readonly lastModifiedTime?: Timestamp | undefined
  /** Counts its changes. */
  readonly version: number
}

/** Who reacted with an emoji. */
export interface Reaction {
  readonly reaction: string
  /** One at least, in the order in which they came, each once. */
  readonly userIds: readonly string[]
}
