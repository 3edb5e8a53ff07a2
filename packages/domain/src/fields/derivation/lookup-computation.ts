import { assert } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Field } from '../field.ts'
import type { Cell } from '../field-type.ts'
import { valueTypeOf } from '../field-values.ts'
import type { Computation } from './computation.ts'

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
      if (cells.length === 0 || isTooLong(cells)) return null
      return isMultiple ? cells : (cells[0] ?? null)
    },
  }
}

/** Whether a list is more than a cell should hold. Texts are counted, other values are short. */
function isTooLong(cells: readonly unknown[]): boolean {
  let length = 0
  for (const cell of cells) {
    if (typeof cell === 'string') length += cell.length
    else length += typeof cell === 'object' ? JSON.stringify(cell).length : shortLength
    if (length > limits.lookupLength) return true
  }
  return false
}

/** Characters of a number or a truth value, and what stands between two values. */
const shortLength = 10
