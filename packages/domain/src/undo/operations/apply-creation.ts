import { DomainError } from '../../errors.ts'
import { requireConverted } from '../../fields/operations/require-converted.ts'
import { notedFields } from '../../history/to-cell-change.ts'
import { withLinks } from '../../links/linked-cells.ts'
import { removeRecords } from '../../records/deletion/remove-records.ts'
import { lockRecords } from '../../records/reading/lock-records.ts'
import { toNamesOfToday } from '../../schemas/choice-names.ts'
import type { CreationStep } from '../undo-step.ts'
import { isSameValue } from './apply-cells.ts'
import { bringBack } from './apply-trash.ts'
import { movedOn } from './moved-on.ts'
import { requireAction, type UndoContext, type UndoDirection } from './undo-context.ts'

/**
 * Moves records that were added to the trash, if nobody wrote anything else into them, or brings them back from there.
 * Returns the step as it is then.
 */
export async function applyCreation(
  context: UndoContext,
  { entryId, ...step }: CreationStep,
  direction: UndoDirection,
): Promise<CreationStep> {
  const recordIds = step.records.map(({ id }) => id)
  if (direction === 'undo') {
    requireAction(context, 'record|delete')
    await requireUnchanged(context, step)
    return { ...step, entryId: await removeRecords(context, recordIds, []) }
  }
  // Those that an earlier version took back don't say where they lie.
  if (entryId === undefined) {
    throw new DomainError('conflict', 'Records that were taken back can be restored from the trash')
  }
  await bringBack(context, { of: 'record', ids: recordIds }, { entryId })
  return step
}

/** Refuses records into which something else was written by now. */
async function requireUnchanged(
  { tx, table }: UndoContext,
  { records: parts, choices = [] }: CreationStep,
): Promise<void> {
  const schema = await tx.fields.schemaOf(table)
  const fields = notedFields(schema)
  const today = toNamesOfToday(choices, schema)
  requireConverted(
    fields.map(({ field }) => field),
    'undo it',
  )
  const locked = await lockRecords(
    { tx, table },
    parts.map(({ id }) => id),
  )
  const records = await withLinks(tx, fields, locked)
  for (const [index, { id, cells }] of parts.entries()) {
    const expected = new Map(cells)
    for (const schemaField of fields) {
      const { field, column } = schemaField
      const held = records[index]?.cells[column.index] ?? null
      const filled = today(field.id, expected.get(field.id) ?? null)
      if (isSameValue(schemaField, held, filled)) continue
      throw movedOn(`The cell of "${field.name}" in the record "${id}"`)
    }
    await tx.giveWay()
  }
}
