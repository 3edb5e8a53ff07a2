import { limits } from '../../limits.ts'
import type { ReadTx } from '../../store.ts'
import type { MeasuredTable, RangeEnd, SizedRange } from './record-size-reader.ts'

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
  return findRange(tx, table, { ...from, records: recordsPerStep(tx) })
}

/** The next records, at most so many, as far as their bytes allow. */
export function findRange(
  tx: ReadTx,
  table: MeasuredTable,
  from: Pick<RangeEnd, 'after' | 'withDeleted' | 'records'>,
): Promise<SizedRange | undefined> {
  const end = { enough: from.records / 2, bytes: limits.bytesPerCalculation }
  return tx.recordSizes.nextRange(table, { ...from, ...end })
}

/** How many records the background goes through between two times that others may have their turn. */
export function recordsPerStep({ mayAskAhead }: ReadTx): number {
  const { recordsPerCalculation, recordsPerCalculationOverNetwork } = limits
  return mayAskAhead ? recordsPerCalculationOverNetwork : recordsPerCalculation
}
