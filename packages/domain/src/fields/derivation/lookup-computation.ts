import { assert } from '../../errors.ts'
import { bytesPerUnit, jsonBytes } from '../../values/json/json-bytes.ts'
import type { Cell } from '../cell.ts'
import { cellLength } from '../cells/cell-length.ts'
import { roomFor } from '../computed/cell-room.ts'
import type { Computation } from '../computed/computation.ts'
import { toReadThrough } from '../computed/read-through.ts'
import type { Field } from '../field.ts'
import { valueTypeOf } from '../field-values.ts'

/**
 * The cells of a lookup: those of the linked records, in the order of the link. Lists are joined to one,
 * empty cells left out; through a link to one record at most, the cell is that record's.
 */
export function lookupComputation(field: Field): Computation {
  const { lookupOptions } = field
  assert(lookupOptions, `the lookup ${field.id} has options`)
  const { linkFieldId } = lookupOptions
  const { isMultiple } = valueTypeOf(field)
  return {
    ownFieldIds: [linkFieldId],
    through: toReadThrough(lookupOptions),
    reads: new Set(),
    compiledBytes: 0,
    ready: () => {
      const room = roomFor(field)
      return ({ linked, spend }) => {
        const cells: Cell[] = []
        let units = 0
        for (const { cell } of linked) {
          for (const item of (Array.isArray(cell) ? cell : [cell]) as readonly (Cell | null)[]) {
            if (item === null) continue
            const added = cellLength(item)
            spend(added)
            units += added + 1
            if (units > room) return null
            cells.push(item)
          }
        }
        if (cells.length === 0) return null
        // Counting bytes takes as long as all else: few cells can be as long as that.
        if (units * bytesPerUnit > room && jsonBytes(cells) > room) return null
        return isMultiple ? cells : (cells[0] ?? null)
      }
    },
  }
}
