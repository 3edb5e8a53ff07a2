import { limits } from '@gateleg/domain/limits'
import type {
  CellReplacement,
  RecordChange,
  RecordWriter,
  WrittenBy,
} from '@gateleg/domain/records/record-writer'
import type { NewRecord, StoredRecord } from '@gateleg/domain/records/stored/stored-record'
import type { Column, TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { Deletion } from '@gateleg/domain/trash/deletion'
import { sql } from 'kysely'
import { type Run, SqlFailure, type StatementPlace } from '../core/connection.ts'
import { refuseAsInvalid } from '../core/refuse-as-invalid.ts'
import type { SqlSession } from '../core/session.ts'
import { inChunks } from '../core/statements/in-chunks.ts'
import { slicesBySize } from '../core/statements/slices-by-size.ts'
import { systemColumns } from '../record-tables/system-columns.ts'
import { noteChangedNumbers, whileNoting } from '../signatures/note-changes.ts'
import { groupSame, toEnds, toRuns } from './group-same.ts'
import { refusals } from './refusals.ts'
import { beforeCells, beforeNewCells, toChangedRows, toRows } from './stored-rows.ts'
import { tellBytes, tellBytesOfChanges } from './tell-bytes.ts'
import { WriteStatements, type WrittenRows } from './write-statements.ts'

/** What a record that isn't deleted has in place of a deletion. */
const livingMark = { operationId: null, time: null, userId: null }

export class SqlRecordWriter implements RecordWriter {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async insert(
    schema: TableSchema,
    records: readonly NewRecord[],
    by: WrittenBy,
  ): Promise<readonly number[]> {
    const { connection, dialect } = this.#session
    if (connection.addInOrder) {
      // Most are by themselves: to divide one makes garbage in vain.
      const runs =
        records.length === 1
          ? [await this.#run(schema, records, by, 1)]
          : this.#runs(schema, records, by)
      const adding = connection.addInOrder(runs)
      const before = (await refuseAsInvalid(refusals, () => adding)) - records.length
      return records.map((_, index) => before + index + 1)
    }
    const statements = this.#statements(schema)
    const numbers = new Map<string, number>()
    for (const slice of slicesBySize(
      dialect.rows.lengthPerStatement,
      records,
      ({ cells }) => cells,
    )) {
      await inChunks(dialect, slice, statements.ownColumns.length, async (chunk) => {
        const sql = statements.insert(chunk.length)
        const rows = await toRows(this.#session, schema, chunk, beforeNewCells)
        const values = [by.time, by.userId, ...dialect.rows.bind(statements.ownColumns, rows)]
        const place = placeOf(by, records)
        const added = await refuseAsInvalid(refusals, () => connection.rows(sql, values, place))
        for (const [id, number] of added) numbers.set(id as string, Number(number))
      })
    }
    return records.map(({ id }) => numbers.get(id) ?? 0)
  }

  async insertNumbered(
    schema: TableSchema,
    records: readonly StoredRecord[],
    deletions: ReadonlyMap<string, Deletion> = new Map(),
  ): Promise<void> {
    const statements = this.#statements(schema)
    const { connection, dialect } = this.#session
    const areMarked = deletions.size > 0
    const columns = statements.numberedColumns(areMarked)
    const most = dialect.rows.lengthPerStatement
    for (const slice of slicesBySize(most, records, ({ cells }) => cells)) {
      await inChunks(dialect, slice, columns.length, async (chunk) => {
        const rows = await toRows(this.#session, schema, chunk, beforeCells)
        for (const [index, row] of rows.entries()) {
          const record = chunk[index]
          row.push(record?.autoNumber)
          if (!areMarked) continue
          const { operationId, time, userId } = deletions.get(record?.id ?? '') ?? livingMark
          row.push(operationId, time, userId)
        }
        const values = dialect.rows.bind(columns, rows)
        const text = statements.insertNumbered(chunk.length, areMarked)
        await refuseAsInvalid(refusals, () => connection.rows(text, values))
      })
    }
    const last = records.at(-1)
    const goOn = last && statements.continueNumbers(schema)
    if (goOn !== undefined) await connection.rows(goOn, [last?.autoNumber])
  }

  /** What adds the records in their order: so many rows by one statement, and so many of these told to a storage together. */
  async *#runs(
    schema: TableSchema,
    records: readonly NewRecord[],
    by: WrittenBy,
  ): AsyncGenerator<Run> {
    const width = this.#statements(schema).ownColumns.length
    const each = Math.max(1, Math.floor(valuesPerStatement / width))
    const perRun = each * Math.ceil(rowsPerRun / each)
    const most = limits.recordsLengthInOneTurn
    for (const slice of slicesBySize(most, records, ({ cells }) => cells)) {
      for (let start = 0; start < slice.length; start += perRun) {
        const part = slice.slice(start, start + perRun)
        const end = part.length - (part.length % each)
        for (const [count, ofRun] of [
          [each, part.slice(0, end)],
          [1, part.slice(end)],
        ] as const) {
          if (ofRun.length > 0) yield this.#run(schema, ofRun, by, count)
        }
      }
    }
  }

  /** What adds the records by statements of so many each. */
  async #run(
    schema: TableSchema,
    records: readonly NewRecord[],
    { time, userId }: WrittenBy,
    each: number,
  ): Promise<Run> {
    const statements = this.#statements(schema)
    return {
      addWaiting: statements.insertWaiting(),
      before: [time, userId],
      width: statements.ownColumns.length,
      sql: statements.insertInOrder(each),
      values: await toRows(this.#session, schema, records, beforeNewCells, each),
    }
  }

  async update(
    schema: TableSchema,
    columns: readonly Column[],
    changes: readonly RecordChange[],
    by: WrittenBy,
  ): Promise<void> {
    const statements = this.#statements(schema)
    const change = (rows: WrittenRows) => statements.update(columns, rows)
    const before = [by.userId, by.time]
    const place = placeOf(by, changes)
    await this.#inSlices(schema, changes, (slice) =>
      this.#change(change, before, columns, slice, place),
    )
  }

  async setAside(
    schema: TableSchema,
    autoNumbers: readonly number[],
    change: () => Promise<void>,
  ): Promise<void> {
    const { setAside, putBack } = this.#statements(schema)
    const mark = async (sql: string) => {
      await tellBytes(this.#session, () => this.#statements(schema).bytesOfNumbers, [autoNumbers])
      await refuseAsInvalid(refusals, () => this.#session.connection.run(sql, [autoNumbers]))
    }
    // Unique indexes and required cells are those of living records alone, on every engine.
    await mark(setAside)
    await change()
    await mark(putBack)
  }

  async setCells(
    schema: TableSchema,
    columns: readonly Column[],
    changes: readonly RecordChange[],
    how: CellReplacement = {},
  ): Promise<void> {
    await this.#inSlices(schema, changes, (slice) =>
      how.mayLeaveOut
        ? this.#setFittingCells(schema, columns, slice, how)
        : this.#setCells(schema, columns, slice, how),
    )
  }

  /** Looks for the records that don't fit by halves: there are few of them. */
  async #setFittingCells(
    schema: TableSchema,
    columns: readonly Column[],
    changes: readonly RecordChange[],
    how: CellReplacement,
  ): Promise<void> {
    const { connection } = this.#session
    await connection.run('savepoint fitting', [])
    const isStored = await this.#hasStored(() => this.#setCells(schema, columns, changes, how))
    if (!isStored) await connection.run('rollback to savepoint fitting', [])
    await connection.run('release savepoint fitting', [])
    if (isStored) return
    if (changes.length === 1) {
      const empty = changes.map((change) => ({ ...change, values: columns.map(() => null) }))
      return this.#setCells(schema, columns, empty, how)
    }
    const half = Math.ceil(changes.length / 2)
    await this.#setFittingCells(schema, columns, changes.slice(0, half), how)
    await this.#setFittingCells(schema, columns, changes.slice(half), how)
  }

  /** False where the storage has no room for it. */
  async #hasStored(write: () => Promise<void>): Promise<boolean> {
    try {
      await write()
      return true
    } catch (error) {
      if (error instanceof SqlFailure && error.kind === 'tooLarge') return false
      throw error
    }
  }

  /** Fails as the storage does. */
  async #setCells(
    schema: TableSchema,
    columns: readonly Column[],
    changes: readonly RecordChange[],
    { emptied = [], keepsVersions = false }: CellReplacement,
  ): Promise<void> {
    const statements = this.#statements(schema)
    const versions = keepsVersions ? 'stay' : 'count'
    const groups = groupSame(columns, changes)
    if (!groups) {
      const change = (rows: WrittenRows) => statements.setCells(columns, rows, emptied, versions)
      await this.#change(change, [], columns, changes)
      return
    }
    for (const { values, numbers } of groups) {
      const runs = toRuns(numbers)
      const where = runs ? 'between' : 'listed'
      const sql = statements.setSameCells(where, columns, emptied, versions)
      for (const which of runs ?? [[numbers]]) {
        await this.#session.connection.run(sql, [...values, ...which])
      }
    }
  }

  /** Runs a statement for so many rows with the rows of the changes, after other values. */
  async #change(
    statement: (rows: WrittenRows) => string,
    before: readonly unknown[],
    columns: readonly Column[],
    changes: readonly RecordChange[],
    place?: StatementPlace,
  ): Promise<void> {
    const { connection, dialect } = this.#session
    const rowColumns = [systemColumns.autoNumber, ...columns]
    await inChunks(dialect, changes, rowColumns.length, async (chunk) => {
      const rows = await toChangedRows(this.#session, columns, chunk)
      const ends = dialect.rows.areJoinedWithin ? toEnds(chunk) : undefined
      const values = [...before, ...dialect.rows.bind(rowColumns, rows), ...(ends ?? [])]
      await connection.run(statement({ count: chunk.length, ends }), values, place)
    })
  }

  async markDeleted(schema: TableSchema, recordIds: readonly string[], deletion: Deletion) {
    const statements = this.#statements(schema)
    await tellBytes(this.#session, () => statements.bytesOfIds, [recordIds])
    const values = [deletion.operationId, deletion.time, deletion.userId, recordIds]
    await this.#session.connection.run(statements.markDeleted, values)
  }

  async restore(schema: TableSchema, recordIds: readonly string[], operationId: string) {
    const statements = this.#statements(schema)
    await tellBytes(this.#session, () => statements.bytesOfIds, [recordIds])
    const values = [operationId, recordIds]
    await refuseAsInvalid(refusals, () => this.#session.connection.run(statements.restore, values))
  }

  async purge(
    { baseId, physicalName }: Pick<TableSchema, 'baseId' | 'physicalName'>,
    recordIds: readonly string[],
    operationId: string,
  ) {
    const { dialect } = this.#session
    const { id, deletionId } = systemColumns
    const isMarked = sql`${sql.id(deletionId.name)} = ${operationId}`
    await this.#session.runOnce(
      sql`delete from ${dialect.tables.named(baseId, physicalName)} where ${isMarked} and ${dialect.lists.isIn(id.name, recordIds)}`,
    )
  }

  /** Makes changes so many at a time as one statement carries, each told to the connection before. */
  async #inSlices(
    schema: TableSchema,
    changes: readonly RecordChange[],
    change: (slice: readonly RecordChange[]) => Promise<void>,
  ): Promise<void> {
    const { lengthPerStatement } = this.#session.dialect.rows
    const query = () => this.#statements(schema).bytesOfNumbers
    const numbers = changes.map(({ autoNumber }) => autoNumber)
    await whileNoting(noteChangedNumbers(this.#session, schema, numbers), async () => {
      for (const slice of slicesBySize(lengthPerStatement, changes, ({ values }) => values)) {
        await tellBytesOfChanges(this.#session, query, slice, schema)
        await refuseAsInvalid(refusals, () => change(slice))
      }
    })
  }

  #statements(schema: TableSchema): WriteStatements {
    return new WriteStatements(schema, this.#session.dialect)
  }
}

/** A single row takes one statement, which is the last where nothing follows the row. */
function placeOf({ isLast }: WrittenBy, rows: readonly unknown[]): StatementPlace | undefined {
  return isLast && rows.length === 1 ? 'last' : undefined
}

/** Values of rows that one statement adds where these get their numbers in order: with more it is hardly faster. */
const valuesPerStatement = 400

/** Rows that are told to a storage together, where it may be on another thread: a millisecond or two. */
const rowsPerRun = 250
