import { limits } from '../../limits.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'

/** The maximum number of records, and of bytes that they may take together as they are stored. */
export interface RecordRoom {
  readonly records: number
  readonly bytes: number
}

/**
 * How many records the table has and what they take, undefined where that is more than there is room for. Few
 * records aren't measured: what callers may send of so many is no more than that.
 */
export async function sizeWithin(
  tx: Pick<ReadTx, 'recordScanner' | 'recordSizes'>,
  schema: TableSchema,
  room: RecordRoom,
  which: 'living' | 'withDeleted' = 'living',
): Promise<RecordRoom | undefined> {
  const counted = which === 'living' ? undefined : which
  // Measuring them counts them, too: that is all where there can't be more than there is room for, by their numbers.
  const most = await tx.recordScanner.lastNumber(schema)
  if (most > room.records || areFew(most, room)) {
    const records = await tx.recordScanner.count(schema, room.records + 1, counted)
    if (records > room.records) return undefined
    if (areFew(records, room)) return { records, bytes: 0 }
  }
  const end = { after: 0, records: room.records + 1, bytes: room.bytes, withDeleted: !!counted }
  const range = await tx.recordSizes.nextRange(schema, end)
  if (range && (!range.isLast || range.bytes > room.bytes)) return undefined
  return { records: range?.count ?? 0, bytes: range?.bytes ?? 0 }
}

/** Like `sizeWithin` for some of its records. */
export async function sizeOfSome(
  tx: Pick<ReadTx, 'recordSizes'>,
  schema: TableSchema,
  recordIds: readonly string[],
  room: RecordRoom,
): Promise<RecordRoom | undefined> {
  const records = recordIds.length
  if (records > room.records) return undefined
  if (areFew(records, room)) return { records, bytes: 0 }
  const bytes = await tx.recordSizes.bytesOf(schema, recordIds)
  return bytes > room.bytes ? undefined : { records, bytes }
}

/** Whether so many records take no more than there is room for, however long callers make them. */
export function areFew(records: number, room: Pick<RecordRoom, 'bytes'>): boolean {
  return records * limits.recordBytes <= room.bytes
}
