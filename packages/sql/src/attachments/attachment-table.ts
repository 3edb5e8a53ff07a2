import type { StoredFile } from '@gateleg/domain/attachments/attachment-repository'
import { columnsFor, type RowOf } from '../core/table-columns.ts'

/** The columns of `attachments`. */
export const attachmentColumns = columnsFor<StoredFile>()({
  token: 'token',
  spaceId: 'space_id',
  path: 'path',
  size: 'size',
  mimetype: 'mimetype',
  width: 'width',
  height: 'height',
  createdBy: 'created_by',
  createdTime: 'created_time',
})

/** A row of `attachments`. */
export type AttachmentRow = RowOf<typeof attachmentColumns>
