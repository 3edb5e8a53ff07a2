import { assert, DomainError } from '../../errors.ts'
import type { UndoCommand } from '../undo-repository.ts'
import type { UndoStep } from '../undo-step.ts'
import { applyCells } from './apply-cells.ts'
import { applyCreation } from './apply-creation.ts'
import { applyField } from './apply-field.ts'
import { applyView } from './apply-view.ts'
import type { UndoContext, UndoDirection } from './undo-context.ts'

/** Undoes what a command did, the last first, or does it again. Throws where the world has moved on. */
export async function applyCommand(
  context: UndoContext,
  { steps }: UndoCommand,
  direction: UndoDirection,
): Promise<void> {
  const { tx, table } = context
  for (const step of direction === 'undo' ? steps.toReversed() : steps) {
    // A step before may have changed the fields.
    const [current] = await tx.tables.findAll([table.id], 'none')
    assert(current, 'the table is held')
    await applyStep({ ...context, table: current }, step, direction)
  }
}

async function applyStep(
  context: UndoContext,
  step: UndoStep,
  direction: UndoDirection,
): Promise<void> {
  switch (step.kind) {
    case 'cells':
      return applyCells(context, step, direction)
    case 'creation':
      return applyCreation(context, step, direction)
    case 'view':
      return applyView(context, step, direction)
    case 'field':
      return applyField(context, step, direction)
    case 'final':
      throw new DomainError('conflict', step.reason)
  }
}
