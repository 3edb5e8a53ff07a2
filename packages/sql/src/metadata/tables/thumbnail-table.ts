import type { StoredThumbnail } from '@gateleg/domain/attachments/thumbnails/thumbnail-repository'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `thumbnails`. */
export const thumbnailColumns = columnsFor<StoredThumbnail>()({
  sourcePath: 'source_path',
  kind: 'kind',
  path: 'path',
  size: 'size',
})

/** A row of `thumbnails`. */
export type ThumbnailRow = RowOf<typeof thumbnailColumns>
