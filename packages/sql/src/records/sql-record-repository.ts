import type { Lock } from '@gateleg/domain/access/lock'
import type { Cell } from '@gateleg/domain/fields/cell'
import { limits } from '@gateleg/domain/limits'
import type {
  NumberRange,
  RecordBatch,
  RecordChange,
  RecordPage,
  RecordRepository,
} from '@gateleg/domain/records/record-repository'
import type { NewRecord, StoredRecord } from '@gateleg/domain/records/stored-record'
import type { PhysicalColumn } from '@gateleg/domain/schemas/field-repository'
import type { Column, TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { Deletion } from '@gateleg/domain/trash/deletion'
import { type BoundedSelect, type ReadingEnd, readBounded } from '../core/bounded-select.ts'
import { SqlFailure } from '../core/connection.ts'
import type { SqlDialect } from '../core/dialect.ts'
import { inChunks } from '../core/in-chunks.ts'
import { refuseAsInvalid } from '../core/refuse-as-invalid.ts'
import type { SqlSession } from '../core/session.ts'
import { slicesBySize } from '../core/slices-by-size.ts'
import { decodeCell, encodeCell, systemColumns } from '../schemas/record-table.ts'
import { RecordStatements, replacementColumns, systemColumnsRead } from './record-statements.ts'

const statementsBySchema = new WeakMap<TableSchema, Map<SqlDialect, RecordStatements>>()

export class SqlRecordRepository implements RecordRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(schema: TableSchema, recordId: string, lock: Lock): Promise<StoredRecord | undefined> {
    const sql = this.#statements(schema).find[lock]
    const [row] = await this.#session.connection.rows(sql, [recordId])
    return row && toRecord(schema, row)
  }

  async findAll(
    schema: TableSchema,
    recordIds: readonly string[],
    lock: Lock,
    columns?: readonly Column[],
  ) {
    const statement = this.#statements(schema).findAll(lock, columns)
    return this.#inTurns(statement, { most: recordIds.length }, (until, last) => {
      const asked = last ? recordIds.filter((id) => id > last.id) : recordIds
      return this.#batch(schema, statement, [asked], until, columns)
    })
  }

  async page(
    schema: TableSchema,
    { after, skip, take, withDeleted = false, lock = 'none', length }: RecordPage,
    columns?: readonly Column[],
  ) {
    const statement = this.#statements(schema).page(withDeleted, lock, columns)
    return this.#inTurns(statement, { most: take, length }, (until, last) => {
      const values = last ? [last.autoNumber, until.most, 0] : [after, take, skip]
      return this.#batch(schema, statement, values, until, columns)
    })
  }

  /**
   * Reads as far as the end says, some `limits.recordsLengthInOneTurn` at a time where that holds the thread:
   * what follows the last record that was read is asked for when others have had their turn.
   */
  async #inTurns(
    { bounded }: BoundedSelect,
    { most, length = limits.recordsLength }: ReadingEnd,
    read: (until: ReadingEnd, last: StoredRecord | undefined) => Promise<RecordBatch>,
  ): Promise<RecordBatch> {
    if (bounded !== undefined) return read({ most, length }, undefined)
    const inOneTurn = limits.recordsLengthInOneTurn
    let found = await read({ most, length: Math.min(inOneTurn, length) }, undefined)
    while (found.isCut && found.size < length) {
      const before = found
      const rest = { most: most - before.records.length, length: length - before.size }
      const end = { ...rest, length: Math.min(inOneTurn, rest.length) }
      const { records, size, isCut } = await read(end, before.records.at(-1))
      // The first one is there however long it is.
      if (size > rest.length) return before
      found = { records: [...before.records, ...records], size: before.size + size, isCut }
    }
    return found
  }

  /** Reads so many records at most, as far as `limits.recordsLength` allows. */
  async #batch(
    schema: TableSchema,
    statement: BoundedSelect,
    values: readonly unknown[],
    until: ReadingEnd,
    columns: readonly Column[] | undefined,
  ): Promise<RecordBatch> {
    const { connection } = this.#session
    const { rows, ...end } = await readBounded(connection, statement, values, until)
    return { records: rows.map((row) => toRecord(schema, row, columns)), ...end }
  }

  async hasRepeats(schema: TableSchema, column: Column): Promise<boolean> {
    const sql = this.#statements(schema).hasRepeats(column)
    return (await this.#session.connection.rows(sql, [])).length > 0
  }

  async hasEmpty(schema: TableSchema, column: Column): Promise<boolean> {
    const sql = this.#statements(schema).hasEmpty(column)
    return (await this.#session.connection.rows(sql, [])).length > 0
  }

  async count(schema: TableSchema, most: number, scope?: 'withDeleted'): Promise<number> {
    const sql = this.#statements(schema).count(scope === 'withDeleted')
    const [row] = await this.#session.connection.rows(sql, [most])
    return Number(row?.[0])
  }

  async lastNumber(schema: TableSchema): Promise<number> {
    const [row] = await this.#session.connection.rows(this.#statements(schema).lastNumber, [])
    return Number(row?.[0])
  }

  async findByText(schema: TableSchema, column: Column, texts: readonly string[]) {
    if (texts.length === 0) return []
    const sql = this.#statements(schema).findByText(column)
    const rows = await this.#session.connection.rows(sql, [texts])
    return rows.map(([recordId, value]) => ({
      recordId: recordId as string,
      value: value as string,
    }))
  }

  async findHolders(schema: TableSchema, column: Column, values: readonly Cell[]) {
    if (values.length === 0) return []
    const sql = this.#statements(schema).findHolders(column)
    const rows = await this.#session.connection.rows(sql, [values])
    return rows.map(([recordId, value]) => ({
      recordId: recordId as string,
      value: decodeCell(value, column.type) as Cell,
    }))
  }

  async insert(schema: TableSchema, records: readonly NewRecord[]): Promise<readonly number[]> {
    const statements = this.#statements(schema)
    if (this.#session.dialect.insertsOneByOne) {
      return this.#insertOneByOne(statements, schema, records)
    }
    const numbers = new Map<string, number>()
    const { dialect } = this.#session
    for (const slice of slicesBySize(records, ({ cells }) => cells)) {
      await inChunks(dialect, slice, statements.insertColumns.length, async (chunk) => {
        const sql = statements.insert(chunk.length)
        const rows = chunk.map((record) => toNewRow(schema, record))
        const values = this.#session.dialect.bindRows(statements.insertColumns, rows)
        const added = await refuseAsInvalid(refusals, () =>
          this.#session.connection.rows(sql, values),
        )
        for (const [id, number] of added) numbers.set(id as string, Number(number))
      })
    }
    return records.map(({ id }) => numbers.get(id) ?? 0)
  }

  async #insertOneByOne(
    { insertOne, lastNumber }: RecordStatements,
    schema: TableSchema,
    records: readonly NewRecord[],
  ): Promise<readonly number[]> {
    const { connection } = this.#session
    // The next rows are made while those before are stored, where another thread does that.
    let storing: Promise<void> = Promise.resolve()
    for (const slice of slicesBySize(records, ({ cells }) => cells)) {
      for (let start = 0; start < slice.length; start += rowsPerTrip) {
        const trip = slice.slice(start, start + rowsPerTrip)
        const rows = trip.map((record) => toNewRow(schema, record))
        await storing
        storing = refuseAsInvalid(refusals, () => connection.runEach(insertOne, rows))
        // It is waited for, if not before others have failed.
        storing.catch(() => undefined)
      }
    }
    await storing
    const [row] = await connection.rows(lastNumber, [])
    const before = Number(row?.[0]) - records.length
    return records.map((_, index) => before + index + 1)
  }

  async update(
    schema: TableSchema,
    columns: readonly Column[],
    changes: readonly RecordChange[],
    by: { readonly userId: string; readonly time: string },
  ): Promise<void> {
    const statements = this.#statements(schema)
    const change = (rows: number) => statements.update(columns, rows)
    for (const slice of slicesBySize(changes, ({ values }) => values)) {
      await this.#willRewrite(schema, slice)
      const before = [by.userId, by.time]
      await refuseAsInvalid(refusals, () => this.#change(change, before, columns, slice))
    }
  }

  async setCells(
    schema: TableSchema,
    columns: readonly Column[],
    changes: readonly RecordChange[],
    emptied: readonly PhysicalColumn[] = [],
  ): Promise<void> {
    for (const slice of slicesBySize(changes, ({ values }) => values)) {
      await this.#willRewrite(schema, slice)
      await refuseAsInvalid(refusals, () => this.#setCells(schema, columns, slice, emptied))
    }
  }

  async setFittingCells(
    schema: TableSchema,
    columns: readonly Column[],
    changes: readonly RecordChange[],
    emptied: readonly PhysicalColumn[] = [],
  ): Promise<void> {
    for (const slice of slicesBySize(changes, ({ values }) => values)) {
      await this.#willRewrite(schema, slice)
      await refuseAsInvalid(refusals, () => this.#setFittingCells(schema, columns, slice, emptied))
    }
  }

  /** Looks for the records that don't fit by halves: there are few of them. */
  async #setFittingCells(
    schema: TableSchema,
    columns: readonly Column[],
    changes: readonly RecordChange[],
    emptied: readonly PhysicalColumn[],
  ): Promise<void> {
    const { connection } = this.#session
    await connection.run('savepoint fitting', [])
    const isStored = await this.#hasStored(() => this.#setCells(schema, columns, changes, emptied))
    if (!isStored) await connection.run('rollback to savepoint fitting', [])
    await connection.run('release savepoint fitting', [])
    if (isStored) return
    if (changes.length === 1) {
      const empty = changes.map((change) => ({ ...change, values: columns.map(() => null) }))
      return this.#setCells(schema, columns, empty, emptied)
    }
    const half = Math.ceil(changes.length / 2)
    await this.#setFittingCells(schema, columns, changes.slice(0, half), emptied)
    await this.#setFittingCells(schema, columns, changes.slice(half), emptied)
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
    emptied: readonly PhysicalColumn[],
  ): Promise<void> {
    const statements = this.#statements(schema)
    const groups = groupSame(columns, changes)
    if (!groups) {
      const change = (rows: number) => statements.setCells(columns, rows, emptied)
      await this.#change(change, [], columns, changes)
      return
    }
    const { connection } = this.#session
    const sql = statements.setSameCells(columns, emptied)
    for (const { values, numbers } of groups) {
      await connection.run(sql, [...values, numbers])
    }
  }

  /** Runs a statement for so many rows with the rows of the changes, after other values. */
  async #change(
    statement: (rows: number) => string,
    before: readonly unknown[],
    columns: readonly Column[],
    changes: readonly RecordChange[],
  ): Promise<void> {
    const { connection, dialect } = this.#session
    const rowColumns = [systemColumns.autoNumber, ...columns]
    await inChunks(dialect, changes, rowColumns.length, async (chunk) => {
      const rows = chunk.map(({ autoNumber, values }) => [
        autoNumber,
        ...values.map((cell, index) => encodeCell(cell, columns[index]?.type ?? 'TEXT')),
      ])
      const values = [...before, ...dialect.bindRows(rowColumns, rows)]
      await connection.run(statement(chunk.length), values)
    })
  }

  async replaceTexts(
    schema: TableSchema,
    column: Column,
    replacements: ReadonlyMap<string, string | null>,
    { after, until }: NumberRange,
  ): Promise<readonly string[]> {
    if (replacements.size === 0) return []
    const { connection, dialect } = this.#session
    const values = dialect.bindRows(replacementColumns, [...replacements])
    const sql = this.#statements(schema).replaceTexts(column, replacements.size, values.length + 1)
    const bound = [...values, after, until]
    await this.#willRewriteRange(schema, { after, until })
    const rows = await refuseAsInvalid(refusals, () => connection.rows(sql, bound))
    return rows.flatMap(([id, deletionId]) => (deletionId === null ? [id as string] : []))
  }

  async copyColumn(
    schema: TableSchema,
    from: Column,
    to: Column,
    { after, until }: NumberRange,
  ): Promise<void> {
    await this.#willRewriteRange(schema, { after, until })
    const sql = this.#statements(schema).copyColumn(from, to)
    await refuseAsInvalid(refusals, () => this.#session.connection.run(sql, [after, until]))
  }

  async emptyColumns(
    schema: TableSchema,
    columns: readonly PhysicalColumn[],
    { after, until }: NumberRange,
  ): Promise<void> {
    await this.#willRewriteRange(schema, { after, until }, columns)
    const sql = this.#statements(schema).emptyColumns(columns)
    await this.#session.connection.run(sql, [after, until])
  }

  async fill(
    schema: TableSchema,
    column: Column,
    value: Cell,
    { after, until }: NumberRange,
  ): Promise<void> {
    await this.#willRewriteRange(schema, { after, until })
    const sql = this.#statements(schema).fill(column)
    const values = [encodeCell(value, column.type), after, until]
    await refuseAsInvalid(refusals, () => this.#session.connection.run(sql, values))
  }

  async markDeleted(schema: TableSchema, recordIds: readonly string[], deletion: Deletion) {
    const statements = this.#statements(schema)
    await this.#willTake(() => statements.bytesOfIds, [recordIds])
    const values = [deletion.operationId, deletion.time, deletion.userId, recordIds]
    await this.#session.connection.run(statements.markDeleted, values)
  }

  #willRewrite(schema: TableSchema, changes: readonly RecordChange[]): Promise<void> {
    const numbers = () => this.#statements(schema).bytesOfNumbers
    return this.#willTake(numbers, [changes.map(({ autoNumber }) => autoNumber)])
  }

  #willRewriteRange(
    schema: TableSchema,
    { after, until }: NumberRange,
    retired?: readonly PhysicalColumn[],
  ): Promise<void> {
    return this.#willTake(() => this.#statements(schema).bytesInRange(retired), [after, until])
  }

  /** Tells the connection what a statement will rewrite, where it wants to know. */
  async #willTake(bytes: () => string, values: readonly unknown[]): Promise<void> {
    const { connection } = this.#session
    if (!connection.willRewrite) return
    const [row] = await connection.rows(bytes(), values)
    connection.willRewrite(Number(row?.[0]))
  }

  #statements(schema: TableSchema): RecordStatements {
    const { dialect } = this.#session
    const byDialect = statementsBySchema.get(schema) ?? new Map<SqlDialect, RecordStatements>()
    statementsBySchema.set(schema, byDialect)
    const statements = byDialect.get(dialect) ?? new RecordStatements(schema, dialect)
    byDialect.set(dialect, statements)
    return statements
  }
}

const refusals = {
  unique: 'a value must be unique: another record has it',
  check: 'a required cell must not be empty',
  tooLarge:
    'a record has more filled cells than a row of the database can hold: 8 kB, in which a long text takes 18 bytes. Leave some empty, or spread the fields over two tables',
}

/** Rows that are told to a storage together, where it may be on another thread: a millisecond or two. */
const rowsPerTrip = 250

/** Records that get the same values, on average, from which on they are changed by one statement. */
const worthGrouping = 50

interface SameValues {
  readonly values: readonly unknown[]
  readonly numbers: number[]
}

/** The changes by what they give, when that is the same for many: all that show one record, say. */
function groupSame(
  columns: readonly Column[],
  changes: readonly RecordChange[],
): readonly SameValues[] | undefined {
  const groupsMax = Math.floor(changes.length / worthGrouping)
  if (groupsMax === 0) return undefined
  const groups = new Map<string, SameValues>()
  for (const { autoNumber, values } of changes) {
    const encoded = values.map((cell, index) => encodeCell(cell, columns[index]?.type ?? 'TEXT'))
    const key = JSON.stringify(encoded)
    const group = groups.get(key)
    if (group) group.numbers.push(autoNumber)
    else if (groups.size === groupsMax) return undefined
    else groups.set(key, { values: encoded, numbers: [autoNumber] })
  }
  return [...groups.values()]
}

/** Stands for who changed a record that nobody changed since its creation: the column takes no null. */
const nobody = ''

/** The values of a new record, in the order of `insertColumns`. */
function toNewRow({ columns }: TableSchema, record: NewRecord): unknown[] {
  const { id, createdTime, lastModifiedTime, createdBy, lastModifiedBy, version, cells } = record
  const changedBy = lastModifiedBy ?? nobody
  const row: unknown[] = [id, createdTime, lastModifiedTime, createdBy, changedBy, version]
  for (const { column } of columns) {
    row.push(encodeCell(cells[column.index] ?? null, column.type))
  }
  return row
}

/** A row that was read with the cells of the columns, all of them where none are named. */
function toRecord(
  { columns: all }: TableSchema,
  row: readonly unknown[],
  columns?: readonly Column[],
): StoredRecord {
  return {
    id: row[0] as string,
    autoNumber: Number(row[1]),
    createdTime: row[2] as string,
    lastModifiedTime: row[3] as string,
    createdBy: row[4] as string,
    lastModifiedBy: row[5] === nobody ? null : (row[5] as string),
    version: Number(row[6]),
    cells: columns
      ? someCells(all.length, row, columns)
      : all.map(({ column }) => decodeCell(row[systemColumnsRead + column.index], column.type)),
  }
}

function someCells(count: number, row: readonly unknown[], columns: readonly Column[]) {
  const cells = new Array<Cell | null>(count).fill(null)
  for (const [place, { index, type }] of columns.entries()) {
    cells[index] = decodeCell(row[systemColumnsRead + place], type)
  }
  return cells
}
