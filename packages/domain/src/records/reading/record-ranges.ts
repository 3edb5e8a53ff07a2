import { limits } from '../../limits.ts'
import type { ReadTx } from '../../store.ts'
import type { RecordBatch } from '../stored/record-batch.ts'
import type { ScanStep } from './record-scanner.ts'
import type { MeasuredTable, SizedRange } from './record-size-reader.ts'

/**
 * All records of a table, deleted ones too unless they are left out, range by range, each as long as one statement
 * should go through: others have their turn in between, though the transaction stays open.
 */
export async function* recordRanges(
  tx: ReadTx,
  table: MeasuredTable,
  which: 'living' | 'withDeleted' = 'withDeleted',
): AsyncGenerator<SizedRange> {
  for (let after = 0; ; ) {
    const range = await nextRange(tx, table, { after, withDeleted: which === 'withDeleted' })
    if (!range) return
    yield range
    await tx.giveWay()
    after = range.until
  }
}

/** The next records as far as one transaction of the background goes; see `RecordSizeReader`. */
export function nextRange(
  tx: ReadTx,
  table: MeasuredTable,
  from: { readonly after: number; readonly withDeleted?: boolean },
): Promise<SizedRange | undefined> {
  const { recordsPerCalculation, recordsPerCalculationOverNetwork } = limits
  const records = tx.mayAskAhead ? recordsPerCalculationOverNetwork : recordsPerCalculation
  const end = { records, enough: records / 2, bytes: limits.bytesPerCalculation }
  return tx.recordSizes.nextRange(table, { ...from, ...end })
}

/**
 * How the records of a range are asked for, from its beginning: all of them in one go, but for a single one, which may be
 * as long as it likes. One record where none was found.
 */
export function stepThrough(
  range: SizedRange | undefined,
): Pick<ScanStep, 'until' | 'take' | 'areSmall'> {
  if (!range) return { take: 1, areSmall: false }
  const { until, count, bytes } = range
  return { until, take: count, areSmall: bytes <= limits.bytesPerCalculation }
}

/**
 * Whether nothing follows the records that were read of a range as `stepThrough` says. A record that came back after they were
 * counted takes the place of the last one, which is still to be read then.
 */
export function isLastPage(
  range: SizedRange | undefined,
  { records, isCut }: Pick<RecordBatch, 'records' | 'isCut'>,
): boolean {
  if (isCut) return false
  if (!range) return true
  const last = records.at(-1)?.autoNumber ?? range.until
  return range.isLast && (records.length < range.count || last >= range.until)
}
