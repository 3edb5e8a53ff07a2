import type { Lock } from '../../access/lock.ts'
import { AnswerTooLong } from '../../answers/answer-too-long.ts'
import { type DomainError, invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Column, TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import type { RecordBatch } from '../stored/record-batch.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import type { ScanStep } from './record-scanner.ts'

/** Which records are scanned, and how many at a time at most. */
export interface Scan extends Pick<ScanStep, 'withDeleted' | 'lock' | 'parts' | 'withBytes'> {
  /** Only records with a greater number; all when this is left out. */
  readonly after?: number
  /** `limits.recordsPerCalculation` when this is left out. */
  readonly take?: number
  /** No other cells are read; all when this is left out. */
  readonly columns?: readonly Column[]
  /** Whether a batch is asked for before the one before is given out: nothing that is done with that may change it. */
  readonly isAhead?: boolean
}

/**
 * All records of a table in the order of their numbers, so many at a time as memory should hold: batches
 * end at a number of records and at a size. Whoever goes through a table does it by this. Nothing is asked any more once it has
 * ended, also where it is left early.
 */
export async function* scanRecords(
  tx: Pick<ReadTx, 'recordScanner'>,
  schema: TableSchema,
  { after = 0, take = limits.recordsPerCalculation, columns, isAhead = false, ...how }: Scan,
): AsyncGenerator<RecordBatch> {
  const read = (last: number) => {
    const reading = tx.recordScanner.next(schema, { ...how, after: last, take }, columns)
    // Whoever awaits it hears of its failure; nobody does where this is left before.
    reading.catch(() => {})
    return reading
  }
  let reading = read(after)
  try {
    for (;;) {
      const batch = await reading
      const last = batch.records.at(-1)?.autoNumber
      if (last === undefined) return
      const isLast = !batch.isCut && batch.records.length < take
      if (isAhead && !isLast) reading = read(last)
      yield batch
      if (isLast) return
      if (!isAhead) reading = read(last)
    }
  } finally {
    await reading.catch(() => {})
  }
}

/**
 * The records of the ids in batches as large as memory should hold, in the order of their ids; ids without a living record are
 * left out.
 */
export function findRecords(
  { records }: Pick<ReadTx, 'records'>,
  schema: TableSchema,
  recordIds: Iterable<string>,
  lock: Lock,
  columns?: readonly Column[],
): AsyncGenerator<RecordBatch> {
  return findInBatches(recordIds, (asked) => records.findAll(schema, asked, lock, columns))
}

/** The living records of the ids in batches, to change them: each with the bytes that it takes as it is stored, and with the cells of these columns alone. */
export function findRecordsToChange(
  { records }: Pick<ReadTx, 'records'>,
  schema: TableSchema,
  recordIds: Iterable<string>,
  columns: readonly Column[],
  parts?: Parameters<ReadTx['records']['findToChange']>[3],
): AsyncGenerator<RecordBatch> {
  return findInBatches(recordIds, (asked) => records.findToChange(schema, asked, columns, parts))
}

async function* findInBatches(
  recordIds: Iterable<string>,
  find: (asked: readonly string[]) => Promise<RecordBatch>,
): AsyncGenerator<RecordBatch> {
  const ids = [...(recordIds instanceof Set ? recordIds : new Set(recordIds))].toSorted()
  for (let start = 0; start < ids.length; ) {
    const asked = ids.slice(start, start + limits.recordsPerCalculation)
    const batch = await find(asked)
    const last = batch.records.at(-1)
    if (last) yield batch
    start += batch.isCut && last ? asked.indexOf(last.id) + 1 : asked.length
  }
}

/** The deleted records of the ids in batches as large as memory should hold, in the order of their ids. */
export async function* findDeletedRecords(
  tx: Pick<ReadTx, 'records'>,
  schema: TableSchema,
  recordIds: readonly string[],
  columns: readonly Column[],
): AsyncGenerator<readonly StoredRecord[]> {
  const ids = recordIds.toSorted()
  for (let start = 0; start < ids.length; ) {
    const { records } = await tx.records.findDeleted(schema, ids.slice(start), columns)
    const last = records.at(-1)
    if (!last) return
    yield records
    start = ids.indexOf(last.id) + 1
  }
}

/**
 * The records of the ids at once, by id. Throws validation_error when they take more than one request may
 * hold, AnswerTooLong when they take more than the call may answer, where that is given.
 */
export async function collectRecords(
  tx: Pick<ReadTx, 'records'>,
  schema: TableSchema,
  recordIds: Iterable<string>,
  lock: Lock,
  { columns, answerLength = Infinity }: { columns?: readonly Column[]; answerLength?: number } = {},
): Promise<ReadonlyMap<string, StoredRecord>> {
  const found = new Map<string, StoredRecord>()
  let size = 0
  for await (const batch of findRecords(tx, schema, recordIds, lock, columns)) {
    size += batch.size
    if (size > limits.recordsLengthPerRequest) throw tooMuch()
    if (size > answerLength) throw new AnswerTooLong()
    for (const record of batch.records) found.set(record.id, record)
  }
  return found
}

function tooMuch(): DomainError {
  const most = limits.recordsLengthPerRequest
  return invalidAt([], `the records hold more than ${most} characters together: name fewer at once`)
}
