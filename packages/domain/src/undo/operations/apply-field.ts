import { changeField, type FieldChanges } from '../../fields/operations/change-field.ts'
import type { FieldStep } from '../undo-step.ts'
import { movedOn } from './moved-on.ts'
import { requireAction, type UndoContext, type UndoDirection } from './undo-context.ts'

/** Gives a field back the name and description that it had, or those that it got. */
export async function applyField(
  context: UndoContext,
  { fieldId, ...states }: FieldStep,
  direction: UndoDirection,
): Promise<void> {
  requireAction(context, 'field|update')
  const schema = await context.tx.fields.schemaOf(context.table)
  const field = schema.byKey.id.get(fieldId)?.field
  if (!field) throw movedOn(`The field "${fieldId}"`)
  const [expected, wanted] =
    direction === 'undo' ? [states.after, states.before] : [states.before, states.after]
  for (const member of ['name', 'description', 'dbFieldName'] as const) {
    if (member in expected && field[member] !== expected[member]) {
      throw movedOn(`The ${member} of the field "${field.name}"`)
    }
  }
  await changeField({ ...context, schema, field }, wanted as FieldChanges)
}
