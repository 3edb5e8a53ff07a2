import type { Field } from '../../field.ts'
import { typeOf } from '../../field-values.ts'

/** Whether values become choices when a field is converted: everybody sees them then who may read the field. */
export function makesChoicesOfCells(before: Field, after: Field): boolean {
  return hasChoices(after) && !hasChoices(before)
}

function hasChoices(field: Field): boolean {
  return !field.isLookup && typeOf(field).choices !== undefined
}
