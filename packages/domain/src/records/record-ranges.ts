import { limits } from '../limits.ts'
import type { TableSchema } from '../schemas/table-schema.ts'
import type { ReadTx } from '../store.ts'
import type { SizedRange } from './record-size-reader.ts'

/**
 * All records of a table, deleted ones too unless they are left out, range by range, each as long as one statement
 * should go through: others have their turn in between, though the transaction stays open.
 */
export async function* recordRanges(
  tx: ReadTx,
  schema: TableSchema,
  which: 'living' | 'withDeleted' = 'withDeleted',
): AsyncGenerator<SizedRange> {
  for (let after = 0; ; ) {
    const range = await nextRange(tx, schema, { after, withDeleted: which === 'withDeleted' })
    if (!range) return
    yield range
    await tx.giveWay()
    after = range.until
  }
}

/** The next records as far as one transaction of the background goes; see `RecordSizeReader`. */
export function nextRange(
  tx: ReadTx,
  schema: TableSchema,
  from: { readonly after: number; readonly withDeleted?: boolean },
): Promise<SizedRange | undefined> {
  const end = { records: limits.recordsPerCalculation, bytes: limits.bytesPerCalculation }
  return tx.recordSizes.nextRange(schema, { ...from, ...end })
}

/** Whether what was found may be read in one go: a single record may be as long as it likes. */
export function isSmall(range: SizedRange | undefined): boolean {
  return range !== undefined && range.bytes <= limits.bytesPerCalculation
}
