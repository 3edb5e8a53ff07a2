import { limits } from '@gateleg/domain/limits'
import type { RecordRange } from '@gateleg/domain/records/reading/record-reader'
import type { ScanStep } from '@gateleg/domain/records/reading/record-scanner'
import type { RecordBatch } from '@gateleg/domain/records/stored/record-batch'
import type { Column, TableSchema } from '@gateleg/domain/schemas/table-schema'
import { rowSize } from '../core/connection.ts'
import type { SqlSession } from '../core/session.ts'
import type { BoundedSelect } from '../core/statements/bounded-select.ts'
import { systemColumnsRead } from '../record-tables/record-table.ts'
import { readBatch, readInTurns } from './read-in-turns.ts'
import { ReadStatements } from './read-statements.ts'
import { type RowForm, toRecords } from './stored-rows.ts'

/** Reads records in the order of their numbers: a page for a caller, or a step of a walk. */
export function readPage(
  session: SqlSession,
  schema: TableSchema,
  {
    after,
    until,
    skip,
    take,
    withDeleted = false,
    lock = 'none',
    length,
    areSmall = false,
    columns,
    parts = 'all',
    withBytes = false,
  }: RecordRange & ScanStep,
): Promise<RecordBatch> {
  const form = { parts, withBytes: withBytes && session.connection.willRewrite !== undefined }
  const statements = new ReadStatements(schema, session.dialect)
  const bounds = until === undefined ? [] : [until]
  const statement = statements.page(
    { withDeleted, lock, saysUntil: until !== undefined, form },
    columns,
  )
  const cells = columns ?? schema.columns
  if (areSmall && take * (cells.length + systemColumnsRead) <= limits.smallValuesInOneTurn) {
    return readSmall(session, schema, statement, [after, ...bounds, take, skip], columns, form)
  }
  return readInTurns(statement, cells, { most: take, length }, (end, last) => {
    const values = last ? [last.autoNumber, ...bounds, end.most, 0] : [after, ...bounds, take, skip]
    return readBatch(session, schema, statement, values, end, columns, form)
  })
}

/** All that the statement finds, which costs less than to look at the size of each row. */
async function readSmall(
  session: SqlSession,
  schema: TableSchema,
  { whole }: BoundedSelect,
  values: readonly unknown[],
  columns: readonly Column[] | undefined,
  form: RowForm,
): Promise<RecordBatch> {
  const rows = await session.connection.rows(whole, values)
  const size = rows.reduce((sum, row) => sum + rowSize(row), 0)
  return { records: await toRecords(session, schema, rows, columns, form), size, isCut: false }
}
