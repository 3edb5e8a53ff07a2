import type { RecordBatch } from '@gateleg/domain/records/stored/record-batch'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { Store } from '@gateleg/domain/store'
import { expect } from 'vitest'
import { makeTable } from '../../factories/make-table.ts'
import { maker, newRecord } from '../../factories/stored-rows.ts'

/** Characters of the texts of records, in the order of their numbers: small ones first, then large ones. */
export const lengths = [
  ...new Array<number>(40).fill(10),
  ...new Array<number>(20).fill(30_000),
  ...[200_000, 10, 10],
]

/** What `limits.recordsLength` is lowered to: a few of the large records. */
export const recordsLength = 100_000

/** The id of a record by its place in `lengths`: the order of ids is another one than that of numbers. */
export function idAt(index: number): string {
  return `rec${String((index * 37) % 1_000).padStart(3, '0')}`
}

/** Makes a table with a record for each of `lengths`; the last cell tells its place. */
export async function makeLargeRecords(store: Store): Promise<TableSchema> {
  const schema = await makeTable(store, ['longText', 'multipleSelect', 'number'])
  const records = lengths.map((length, index) => {
    const text = 'é'.repeat(length)
    return newRecord(idAt(index), index % 2 ? [text, null, index] : [null, [text], index])
  })
  await store.write((tx) => tx.recordWriter.insert(schema, records, maker))
  return schema
}

/** All that a walk through records yields. */
export async function collect(
  batches: AsyncIterable<RecordBatch>,
): Promise<readonly RecordBatch[]> {
  const collected: RecordBatch[] = []
  for await (const batch of batches) collected.push(batch)
  return collected
}

/** The places in `lengths` of the records of the batches. */
export function placesOf(batches: readonly RecordBatch[]): readonly unknown[] {
  return batches.flatMap(({ records }) => records.map(({ cells }) => cells[2]))
}

/** Fails unless each batch ends at `recordsLength`, and tells whether there is more. */
export function requireBounded(batches: readonly RecordBatch[]): void {
  expect(batches.length).toBeGreaterThan(3)
  for (const { records, size, isCut } of batches) {
    if (records.length > 1) expect(size).toBeLessThanOrEqual(recordsLength)
    expect(isCut).toBe(batches.at(-1)?.records !== records)
  }
}
