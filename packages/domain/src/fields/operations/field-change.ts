import type { Field } from '../field.ts'

/** A field before and after a change. */
export interface FieldChange {
  readonly before: Field
  readonly after: Field
}
