import type { Actor } from '../../access/actor.ts'
import { hasThumbnails } from '../../attachments/thumbnails/thumbnail.ts'
import type { Cell } from '../../fields/cell.ts'
import { typeOf } from '../../fields/field-values.ts'
import { type AttachmentItem, isAttachmentItem } from '../../fields/types/attachment.ts'
import type { FileUrls } from '../../file-urls.ts'
import type { SchemaField, TableSchema } from '../../schemas/table-schema.ts'

/** To whom files are shown, and how. */
export interface FileShape {
  readonly actor: Actor
  readonly fileUrls?: FileUrls | undefined
  readonly cellFormat: string
}

/**
 * How the cells of a field of files are shown: each file with a URL by which it is read, where there are any; to visitors of a share without
 * all by which it could be read or attached elsewhere. Undefined for other fields, and where cells are shown as they are.
 */
export function filesShown(
  { tableId }: TableSchema,
  { field }: SchemaField,
  { actor, fileUrls, cellFormat }: FileShape,
): ((cell: Cell, recordId: string) => Cell) | undefined {
  if (cellFormat !== 'json' || !typeOf(field).files) return undefined
  if (actor.kind === 'share') return (cell) => withoutToken(cell) as Cell
  const withUrl = (item: unknown, recordId: string): unknown => {
    if (Array.isArray(item)) return item.map((inner) => withUrl(inner, recordId))
    if (!isAttachmentItem(item)) return item
    const { id, name, token, path, size, mimetype } = item
    const image = imageOf(item)
    // In one order, whatever the order in which a storage has the members.
    const file = { id, name, token, path, size, mimetype, ...image }
    if (!fileUrls) return file
    const place = { tableId, recordId, fieldId: field.id, itemId: id, path }
    const presignedUrl = fileUrls.urlOf(place)
    return hasThumbnails(item, fileUrls.thumbnailTypes)
      ? {
          ...file,
          presignedUrl,
          smThumbnailUrl: `${presignedUrl}&thumbnail=sm`,
          lgThumbnailUrl: `${presignedUrl}&thumbnail=lg`,
        }
      : { ...file, presignedUrl }
  }
  return (cell, recordId) => withUrl(cell, recordId) as Cell
}

/** The text of a cell of files for visitors of a share: their names. Undefined for other fields, and for other callers. */
export function fileNamesShown(
  { field }: SchemaField,
  { actor }: Pick<FileShape, 'actor'>,
): ((cell: Cell) => string) | undefined {
  if (actor.kind !== 'share' || !typeOf(field).files) return undefined
  return fileNames
}

/** The names of the files of a cell, without their tokens. */
function fileNames(cell: Cell): string {
  const items: readonly unknown[] = [cell].flat(2)
  return items.flatMap((item) => (isAttachmentItem(item) ? [item.name] : [])).join(',')
}

function withoutToken(item: unknown): unknown {
  if (Array.isArray(item)) return item.map(withoutToken)
  if (!isAttachmentItem(item)) return item
  const { id, name, size, mimetype } = item
  return { id, name, size, mimetype, ...imageOf(item) }
}

function imageOf({ width, height }: AttachmentItem) {
  return width === undefined || height === undefined ? {} : { width, height }
}
