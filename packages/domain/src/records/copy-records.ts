import type { TableSchema } from '../fields/table-schema.ts'
import type { TableContext } from '../tables/table-context.ts'
import type { NewRecord } from './stored-record.ts'

/** Records copied at a time: enough to make statements few, few enough to keep memory small. */
const copiedAtOnce = 2_000

/**
 * Copies all records of a table into another whose columns correspond, in their order. The copies are
 * records of their own: created now, by the caller.
 */
export async function copyRecords(
  { tx, now, userId, ids }: TableContext,
  from: TableSchema,
  to: TableSchema,
): Promise<void> {
  const made = {
    createdTime: now,
    lastModifiedTime: now,
    createdBy: userId,
    lastModifiedBy: userId,
  }
  for (let after = 0; ; ) {
    const page = await tx.records.page(from, { after, skip: 0, take: copiedAtOnce })
    const newIds = ids.many('record', page.length)
    const copies = page.map(
      ({ cells }, i): NewRecord => ({ id: newIds[i] ?? '', ...made, version: 1, cells }),
    )
    await tx.records.insert(to, copies)
    const last = page.at(-1)
    if (!last || page.length < copiedAtOnce) return
    after = last.autoNumber
  }
}
