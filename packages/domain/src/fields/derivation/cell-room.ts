import { limits } from '../../limits.ts'
import type { Field } from '../field.ts'

/**
 * How much a computed cell of the field may take, or the titles of a link: `most` in the first fields of a
 * table, less in later ones, so that all cells of one record together have a bound. It goes by the place that
 * the field got when it was made: that stays, whatever becomes of the fields before it, so that no cell has
 * another room than when it was worked out.
 */
export function roomFor({ order }: Pick<Field, 'order'>, most: number): number {
  if (order < limits.longCellFields) return most
  const isMiddling = order < limits.middlingCellFields
  return Math.min(most, isMiddling ? limits.middlingCellLength : limits.shortCellLength)
}
