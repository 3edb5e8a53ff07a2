import { limits } from '../../limits.ts'
import type { Column, TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import type { PageRecord } from '../reading/record-finder.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import { recordsReadAhead } from './read-ahead.ts'

/**
 * The records that were found, in their order, some at a time: as far as `limits.recordsLength` allows, and the first
 * one in any case. Returns whether some were left out. Where columns are named, no other cells are read. What was read along
 * with the page is not read again.
 */
export async function* readFound(
  tx: Pick<ReadTx, 'records'>,
  schema: TableSchema,
  found: readonly Pick<PageRecord, 'id' | 'record'>[],
  columns?: readonly Column[],
): AsyncGenerator<readonly StoredRecord[], boolean> {
  const along = found.flatMap(({ record }) => record ?? [])
  if (along.length > 0) {
    yield along
    return false
  }
  let size = 0
  let count = recordsReadAhead(schema)
  for (let start = 0; start < found.length; ) {
    const asked = found.slice(start, start + count).map(({ id }) => id)
    const batch = await tx.records.findAll(schema, asked, 'none', columns)
    const isTooLong = batch.isCut || size + batch.size > limits.recordsLength
    if (isTooLong && asked.length > 1) {
      // They come in the order of their ids: what is left out isn't what comes last.
      count = Math.ceil(asked.length / 2)
      continue
    }
    if (isTooLong && start > 0) return true
    const byId = new Map(batch.records.map((record) => [record.id, record]))
    yield asked.flatMap((id) => byId.get(id) ?? [])
    size += batch.size
    start += asked.length
  }
  return false
}
