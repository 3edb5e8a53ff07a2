import { invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { recordRanges } from '../../records/reading/record-ranges.ts'
import type { SizedRange } from '../../records/reading/record-size-reader.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import type { TableReadContext } from '../../tables/table-context.ts'
import type { Cell } from '../cell.ts'
import { cellLength } from '../cells/cell-length.ts'
import type { Field } from '../field.ts'
import { rulesOf } from '../field-values.ts'
import { WholeWrite } from './whole-write.ts'

/** Steps that filling a record takes, whatever with. */
const stepsPerRecord = 5

/** What a required field fills the records of its table with, and range by range which. */
interface Filling {
  readonly cell: Cell
  readonly ranges: readonly SizedRange[]
}

/**
 * How a required field fills the records of its table; undefined where there is nothing to fill them with. A
 * field may be required from the start when there are no records, or it has a default, which fills them in one
 * write; throws validation_error otherwise, and where that would be too much.
 */
export async function requireFilling(
  { tx, userId, now }: TableReadContext,
  schema: TableSchema,
  field: Field,
): Promise<Filling | undefined> {
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
  return cell === null ? undefined : { cell, ranges: await rangesFilled(tx, schema, cell) }
}

/** All records, counted by their bytes and those of the default: how many there are is counted before. */
async function rangesFilled(
  tx: ReadTx,
  schema: TableSchema,
  cell: Cell,
): Promise<readonly SizedRange[]> {
  const whole = new WholeWrite(['notNull'], 'fill them with a default')
  const ranges: SizedRange[] = []
  for await (const range of recordRanges(tx, schema)) {
    whole.spend({ count: 0, bytes: range.bytes }, cellLength(cell) * range.count)
    ranges.push(range)
  }
  return ranges
}
