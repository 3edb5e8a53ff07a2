import { assert } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Cell } from '../cell.ts'
import { cellLength } from '../cells/cell-length.ts'
import type { Field } from '../field.ts'
import { valueTypeOf } from '../field-values.ts'
import { roomFor } from './cell-room.ts'
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
    compiledBytes: 0,
    ready: () => {
      const room = roomFor(field, limits.lookupLength)
      return ({ linked, spend }) => {
        const cells: Cell[] = []
        let length = 0
        for (const { cell } of linked) {
          for (const item of (Array.isArray(cell) ? cell : [cell]) as readonly (Cell | null)[]) {
            if (item === null) continue
            const added = cellLength(item)
            spend(added)
            length += added
            if (length > room) return null
            cells.push(item)
          }
        }
        if (cells.length === 0) return null
        return isMultiple ? cells : (cells[0] ?? null)
      }
    },
  }
}
