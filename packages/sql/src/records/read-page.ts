import type { RecordBatch } from '@gateleg/domain/records/record-batch'
import type { RecordRange } from '@gateleg/domain/records/record-reader'
import type { ScanStep } from '@gateleg/domain/records/record-scanner'
import type { Column, TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { SqlSession } from '../core/session.ts'
import { readBatch, readInTurns } from './read-in-turns.ts'
import { ReadStatements } from './read-statements.ts'

/** Reads records in the order of their numbers: a page for a caller, or a step of a walk. */
export function readPage(
  session: SqlSession,
  schema: TableSchema,
  { after, skip, take, withDeleted = false, lock = 'none', length }: RecordRange & ScanStep,
  columns?: readonly Column[],
): Promise<RecordBatch> {
  const statement = new ReadStatements(schema, session.dialect).page(withDeleted, lock, columns)
  return readInTurns(
    statement,
    columns ?? schema.columns,
    { most: take, length },
    (until, last) => {
      const values = last ? [last.autoNumber, until.most, 0] : [after, take, skip]
      return readBatch(session, schema, statement, values, until, columns)
    },
  )
}
