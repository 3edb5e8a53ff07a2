import { DomainError } from '../../errors.ts'
import { notedFields } from '../../history/to-cell-change.ts'
import { lockRecords } from '../../records/lock-records.ts'
import { removeRecords } from '../../records/writing/remove-records.ts'
import type { CreationStep } from '../undo-step.ts'
import { isSameValue } from './apply-cells.ts'
import { movedOn } from './moved-on.ts'
import { requireAction, type UndoContext, type UndoDirection } from './undo-context.ts'

/** Moves records that were added to the trash, if nobody wrote anything else into them. */
export async function applyCreation(
  context: UndoContext,
  { records: parts }: CreationStep,
  direction: UndoDirection,
): Promise<void> {
  if (direction === 'redo') {
    throw new DomainError('conflict', 'Records that were taken back can be restored from the trash')
  }
  requireAction(context, 'record|delete')
  const { tx, table } = context
  const fields = notedFields(await tx.fields.schemaOf(table))
  const recordIds = parts.map(({ id }) => id)
  const records = await lockRecords({ tx, table }, recordIds)
  for (const [index, { id, cells }] of parts.entries()) {
    const expected = new Map(cells)
    for (const schemaField of fields) {
      const { field, column } = schemaField
      const held = records[index]?.cells[column.index] ?? null
      if (isSameValue(schemaField, held, expected.get(field.id) ?? null)) continue
      throw movedOn(`The cell of "${field.name}" in the record "${id}"`)
    }
    await tx.giveWay()
  }
  await removeRecords(context, recordIds, [])
}
