import { assert } from '../errors.ts'
import type { Computation } from './computation.ts'
import type { Field } from './field.ts'
import type { Cell } from './field-type.ts'
import { valueTypeOf } from './field-values.ts'

/**
 * The cells of a lookup: those of the linked records, in the order of the link. Lists are joined to one,
 * empty cells left out; through a link to one record at most, the cell is that record's.
 */
export function lookupComputation(field: Field): Computation {
  const { lookupOptions } = field
  assert(lookupOptions, `the lookup ${field.id} has options`)
  const { linkFieldId, lookupFieldId } = lookupOptions
  const { isMultiple } = valueTypeOf(field)
  return {
    ownFieldIds: [linkFieldId],
    through: { linkFieldId, fieldId: lookupFieldId },
    reads: new Set(),
    evaluate: ({ linked }) => {
      const cells = linked
        .flatMap(({ cell }) => (Array.isArray(cell) ? cell : [cell]) as (Cell | null)[])
        .filter((cell) => cell !== null)
      if (cells.length === 0) return null
      return isMultiple ? cells : (cells[0] ?? null)
    },
  }
}
