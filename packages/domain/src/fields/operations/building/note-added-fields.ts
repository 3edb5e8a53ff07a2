import type { TableContext } from '../../../tables/table-context.ts'
import { type DigestedFields, digestFields } from './digest-fields.ts'

/**
 * Notes that a call made the fields of a table, or brought them back, for who may want to undo it. With an id it is noted under
 * that what the background makes of their cells, which are none of the digest then.
 */
export async function noteAddedFields(
  { tx, undo }: TableContext,
  fields: DigestedFields,
  noteId?: string,
): Promise<void> {
  if (!undo) return
  const areEmpty = noteId !== undefined || (fields.areEmpty ?? false)
  const digest = await digestFields(tx, { ...fields, areEmpty })
  const noted = noteId === undefined ? {} : { noteId }
  undo.noteTrash({ kind: 'addition', of: 'field', ids: fields.fieldIds, digest, ...noted })
}
