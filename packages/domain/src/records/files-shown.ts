import type { Cell } from '../fields/cell.ts'
import { typeOf } from '../fields/field-values.ts'
import { isAttachmentItem } from '../fields/types/attachment.ts'
import type { FileUrls } from '../file-urls.ts'
import type { SchemaField, TableSchema } from '../schemas/table-schema.ts'

/**
 * How the cells of a field of files are shown: each file with a URL by which it is read. Undefined for other fields,
 * and where nobody is to get URLs.
 */
export function filesShown(
  { tableId }: TableSchema,
  { field }: SchemaField,
  {
    fileUrls,
    cellFormat,
  }: { readonly fileUrls?: FileUrls | undefined; readonly cellFormat: string },
): ((cell: Cell, recordId: string) => Cell) | undefined {
  if (!fileUrls || cellFormat !== 'json' || !typeOf(field).files) return undefined
  const withUrl = (item: unknown, recordId: string): unknown => {
    if (Array.isArray(item)) return item.map((inner) => withUrl(inner, recordId))
    if (!isAttachmentItem(item)) return item
    const { id, name, token, path, size, mimetype, width, height } = item
    const place = { tableId, recordId, fieldId: field.id, itemId: id, path }
    const image = width === undefined || height === undefined ? {} : { width, height }
    // In one order, whatever the order in which a storage has the members.
    const file = { id, name, token, path, size, mimetype, ...image }
    return { ...file, presignedUrl: fileUrls.urlOf(place) }
  }
  return (cell, recordId) => withUrl(cell, recordId) as Cell
}
