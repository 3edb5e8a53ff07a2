import { limits } from '@gateleg/domain/limits'
import type { RecordBatch } from '@gateleg/domain/records/stored/record-batch'
import type { StoredRecord } from '@gateleg/domain/records/stored/stored-record'
import type { Column, TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { SqlSession } from '../core/session.ts'
import {
  type BoundedSelect,
  type ReadingEnd,
  readBounded,
} from '../core/statements/bounded-select.ts'
import { systemColumnsRead } from '../record-tables/record-table.ts'
import { type RowForm, toRecords } from './stored-rows.ts'

/**
 * Reads as far as the end says, some `limits.recordsLengthInOneTurn`, or `limits.valuesInOneTurn`, at a time where
 * that holds the thread, whose rows have cells of the columns: what follows the last record that was read is asked for when others have had their turn.
 */
export async function readInTurns(
  { bounded }: BoundedSelect,
  columns: readonly unknown[],
  { most, length = limits.recordsLength }: ReadingEnd,
  read: (until: ReadingEnd, last: StoredRecord | undefined) => Promise<RecordBatch>,
): Promise<RecordBatch> {
  if (bounded !== undefined) return read({ most, length }, undefined)
  const inOneTurn = limits.recordsLengthInOneTurn
  const mostAtOnce = Math.max(
    1,
    Math.floor(limits.valuesInOneTurn / (columns.length + systemColumnsRead)),
  )
  let found = await read({ most, length: Math.min(inOneTurn, length), mostAtOnce }, undefined)
  while (found.isCut && found.size < length) {
    const before = found
    const rest = { most: most - before.records.length, length: length - before.size }
    const end = { ...rest, length: Math.min(inOneTurn, rest.length), mostAtOnce }
    const { records, size, isCut } = await read(end, before.records.at(-1))
    // The first one is there however long it is.
    if (size > rest.length) return before
    found = { records: [...before.records, ...records], size: before.size + size, isCut }
  }
  return found
}

/** Reads so many records at most, as far as `limits.recordsLength` allows. */
export async function readBatch(
  session: SqlSession,
  schema: TableSchema,
  statement: BoundedSelect,
  values: readonly unknown[],
  until: ReadingEnd,
  columns: readonly Column[] | undefined,
  form?: RowForm,
): Promise<RecordBatch> {
  const { rows, ...end } = await readBounded(session.connection, statement, values, until)
  return { records: await toRecords(session, schema, rows, columns, form), ...end }
}
