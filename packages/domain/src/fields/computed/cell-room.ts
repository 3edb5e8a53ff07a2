import { limits } from '../../limits.ts'
import type { Field } from '../field.ts'

/**
 * How many bytes (UTF-8, as JSON) a computed cell of the field may take, or the titles of a link: fewer in later
 * fields, so that all cells of one record together have a bound. It goes by the place that the field got when
 * it was made: that stays, whatever becomes of the fields before it, so that no cell has another room than when
 * it was computed.
 */
export function roomFor({ order }: Pick<Field, 'order'>): number {
  if (order < limits.longCellFields) return limits.longCellBytes
  return order < limits.middlingCellFields ? limits.middlingCellBytes : limits.shortCellBytes
}
