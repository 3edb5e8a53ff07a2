import type { TableContext } from '../../tables/table-context.ts'
import { type DigestedFields, digestFields } from './digest-fields.ts'

/** Notes that a call made the fields of a table, or brought them back, for who may want to undo it. */
export async function noteAddedFields(
  { tx, undo }: TableContext,
  fields: DigestedFields,
): Promise<void> {
  if (!undo) return
  const digest = await digestFields(tx, fields)
  undo.noteTrash({ kind: 'addition', of: 'field', ids: fields.fieldIds, digest })
}
