import { invalidAt, notFound } from '../../errors.ts'
import { typeOf } from '../../fields/field-values.ts'
import type { AttachmentItem } from '../../fields/types/attachment.ts'
import { limits } from '../../limits.ts'
import type { StoredRecord } from '../../records/stored/stored-record.ts'
import type { ColumnField, TableSchema } from '../../schemas/table-schema.ts'

/**
 * The field of the id, into which callers may put files. Throws `not_found` for one that the table doesn't have,
 * `validation_error` for one whose cells aren't files, or follow from other cells.
 */
export function requireFileField({ byKey }: TableSchema, fieldId: string): ColumnField {
  const schemaField = byKey.id.get(fieldId)
  if (!schemaField) throw notFound('field', fieldId)
  const { column, field, isWritable } = schemaField
  if (!typeOf(field).files) {
    throw invalidAt(['fieldId'], `must name an attachment field: "${field.name}" is not one`)
  }
  if (!column || !isWritable) {
    throw invalidAt(
      ['fieldId'],
      `must name a field whose cells can be written: those of "${field.name}" are computed`,
    )
  }
  return { ...schemaField, column }
}

/** The files in the cell of a record. */
export function filesIn(record: StoredRecord, { column }: ColumnField): readonly AttachmentItem[] {
  return (record.cells[column.index] ?? []) as readonly AttachmentItem[]
}

/** Refuses more files than a cell may hold; the path is that of what was sent. */
export function requireRoom(
  items: readonly AttachmentItem[],
  count: number,
  path: readonly string[],
): void {
  const most = limits.attachmentsPerCell
  if (items.length + count <= most) return
  throw invalidAt(path, `must leave the cell with ${most} files at most: it has ${items.length}`)
}
