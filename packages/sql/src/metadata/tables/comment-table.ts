import type { Comment } from '@gateleg/domain/comments/comment'
import { json, optional } from '../column-codecs.ts'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `comments`. */
export const commentColumns = columnsFor<Comment>()({
  id: 'id',
  tableId: 'table_id',
  recordId: 'record_id',
  number: 'number',
  quoteId: optional('quote_id'),
  content: json('content'),
  reactions: json('reactions'),
  createdBy: 'created_by',
  createdTime: 'created_time',
  lastModifiedTime: optional('last_modified_time'),
  version: 'version',
})

/** A row of `comments`. */
export type CommentRow = RowOf<typeof commentColumns>
