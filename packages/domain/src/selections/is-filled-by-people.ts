import { isComputed, typeOf } from '../fields/field-values.ts'
import type { SchemaField } from '../schemas/table-schema.ts'

/**
 * Whether people write into the cells of the field: not into those that follow from others, nor into such as show
 * nothing to be copied, as buttons do.
 */
export function isFilledByPeople({ field }: SchemaField): boolean {
  return !isComputed(field) && typeOf(field).hasNoText === undefined
}
