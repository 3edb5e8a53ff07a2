import { invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { TableReadContext } from '../../tables/table-context.ts'
import type { Cell } from '../cell.ts'
import { cellLength } from '../cells/cell-length.ts'
import type { Field } from '../field.ts'
import { rulesOf } from '../field-values.ts'

/** Steps that filling a record takes, whatever with. */
const stepsPerRecord = 5

/**
 * The default that a required field fills the records of its table with. A field may be required from the
 * start when there are no records, or it has a default, which fills them in one write; throws
 * validation_error otherwise, and where that would be too much.
 */
export async function requireFilling(
  { tx, userId, now }: TableReadContext,
  schema: TableSchema,
  field: Field,
): Promise<Cell | null> {
  const cell = rulesOf(field).defaultCell?.({ userId, now }) ?? null
  const { records } = await tx.recordScanner.next(schema, { after: 0, take: 2 }, [])
  const [first, second] = records
  if (first && cell === null) {
    throw invalidAt(['notNull'], 'the table has records: the field needs a default to fill them')
  }
  if (second && field.unique) {
    throw invalidAt(['unique'], 'the table has records, which would all get the same default')
  }
  if (second && cell !== null) {
    const most = Math.floor(limits.stepsPerWholeWrite / (stepsPerRecord + cellLength(cell)))
    if ((await tx.recordScanner.count(schema, most + 1, 'withDeleted')) > most) {
      const message = `a default of this length can fill ${most} records at once, the table has more: use a shorter one`
      throw invalidAt(['notNull'], message)
    }
  }
  return cell
}
