import type {
  StoredBlob,
  StoredFile,
  UploadSlot,
} from '@gateleg/domain/attachments/attachment-repository'
import { columnsFor, type RowOf } from '../table-columns.ts'

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
  attachedTime: 'attached_time',
})

/** A row of `attachments`. */
export type AttachmentRow = RowOf<typeof attachmentColumns>

/** The columns of `blobs`. */
export const blobColumns = columnsFor<StoredBlob>()({
  digest: 'digest',
  path: 'path',
  broughtTime: 'brought_time',
})

/** A row of `blobs`. */
export type BlobRow = RowOf<typeof blobColumns>

/** The columns of `upload_slots`. */
export const uploadSlotColumns = columnsFor<UploadSlot>()({
  token: 'token',
  spaceId: 'space_id',
  userId: 'user_id',
  size: 'size',
  expiresTime: 'expires_time',
})

/** A row of `upload_slots`. */
export type UploadSlotRow = RowOf<typeof uploadSlotColumns>
