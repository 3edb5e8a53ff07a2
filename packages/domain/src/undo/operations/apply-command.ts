import { assert, DomainError } from '../../errors.ts'
import type { UndoCommand } from '../undo-repository.ts'
import { leftIn, type UndoStep } from '../undo-step.ts'
import { applyCells } from './apply-cells.ts'
import { applyConversion } from './apply-conversion.ts'
import { applyCreation } from './apply-creation.ts'
import { applyField } from './apply-field.ts'
import { applyRows } from './apply-rows.ts'
import { applyTrash } from './apply-trash.ts'
import { applyView } from './apply-view.ts'
import type { UndoContext, UndoDirection } from './undo-context.ts'

/**
 * Undoes what a command did, the last first, or does it again. Returns its steps as they are then. Throws where the world
 * has moved on.
 */
export async function applyCommand(
  context: UndoContext,
  { steps }: UndoCommand,
  direction: UndoDirection,
): Promise<readonly UndoStep[]> {
  const { tx, base, table } = context
  const applied: UndoStep[] = []
  for (const step of direction === 'undo' ? steps.toReversed() : steps) {
    // A step before may have changed the fields.
    const [current] = await tx.tables.findAll([table.id], 'none')
    assert(current, 'the table is held')
    const after = await applyStep({ ...context, table: current }, step, direction)
    applied.push(leftIn(after, base.spaceId))
  }
  return direction === 'undo' ? applied.toReversed() : applied
}

async function applyStep(
  context: UndoContext,
  step: UndoStep,
  direction: UndoDirection,
): Promise<UndoStep> {
  switch (step.kind) {
    case 'cells':
      return applyCells(context, step, direction)
    case 'creation':
      return applyCreation(context, step, direction)
    case 'deletion':
    case 'addition':
      return applyTrash(context, step, direction)
    case 'view':
      return applyView(context, step, direction)
    case 'rows':
      return applyRows(context, step, direction)
    case 'field':
      await applyField(context, step, direction)
      return step
    case 'conversion':
      return applyConversion(context, step)
    case 'final':
      throw new DomainError('conflict', step.reason)
  }
}
