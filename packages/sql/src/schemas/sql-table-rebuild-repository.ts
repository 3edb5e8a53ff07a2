import { assert } from '@gateleg/domain/errors'
import type { NumberRange } from '@gateleg/domain/records/stored/number-range'
import type {
  ChangedRecords,
  TableRebuild,
  TableRebuildRepository,
} from '@gateleg/domain/schemas/table-rebuild-repository'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { Table } from '@gateleg/domain/tables/table'
import { type RawBuilder, sql } from 'kysely'
import { prepared } from '../core/database.ts'
import type { CopiedColumn, CopyDialect, LookBeginning } from '../core/dialect/table-dialect.ts'
import { deleteFrom } from '../core/own-tables/delete-rows.ts'
import type { SqlSession } from '../core/session.ts'
import {
  copyNameOf,
  notesNameOf,
  type TableRebuildRow,
} from '../metadata/tables/table-rebuild-table.ts'
import { FieldColumns, suffixOfCopies } from '../record-tables/field-columns.ts'
import { systemColumns } from '../record-tables/system-columns.ts'
import { CopiedRecords } from './copied-records.ts'
import { asCopy, CopiedRules } from './copied-rules.ts'

type OfTable = { tableId: string }

const find = prepared<OfTable, TableRebuildRow>((db, value) =>
  db.selectFrom('table_rebuilds').selectAll().where('table_id', '=', value('tableId')),
)

const listIds = prepared<object, { table_id: string }>((db) =>
  db.selectFrom('table_rebuilds').select('table_id').orderBy('table_id'),
)

const insert = prepared<OfTable & { shape: string }, unknown>((db, value) =>
  db.insertInto('table_rebuilds').values({
    table_id: value('tableId'),
    shape: value('shape'),
    copied_number: 0,
    is_ready: false,
    exchanged_at: null,
  }),
)

const noteShape = prepared<OfTable & { shape: string }, unknown>((db, value) =>
  db
    .updateTable('table_rebuilds')
    .set({ shape: value('shape') })
    .where('table_id', '=', value('tableId')),
)

const noteProgress = prepared<OfTable & { copied: number; isReady: boolean }, unknown>(
  (db, value) =>
    db
      .updateTable('table_rebuilds')
      .set({ copied_number: value('copied'), is_ready: value('isReady') })
      .where('table_id', '=', value('tableId')),
)

const noteExchange = prepared<OfTable & { position: string }, unknown>((db, value) =>
  db
    .updateTable('table_rebuilds')
    .set({ exchanged_at: value('position') })
    .where('table_id', '=', value('tableId')),
)

const forget = deleteFrom('table_rebuilds', 'table_id')

const nameTable = prepared<OfTable & { name: string | null }, unknown>((db, value) =>
  db
    .updateTable('tables')
    .set({ rebuilt_name: value('name') })
    .where('id', '=', value('tableId')),
)

const emptyColumnsOf = prepared<OfTable, { name: string }>((db, value) =>
  db
    .selectFrom('retired_columns')
    .select('name')
    .where('table_id', '=', value('tableId'))
    .where('is_empty', '=', true),
)

const forgetColumns = prepared<OfTable & { kept: readonly string[] }, unknown>(
  (db, value, dialect) =>
    db
      .deleteFrom('retired_columns')
      .where('table_id', '=', value('tableId'))
      .where(({ not }) => not(dialect.lists.isIn('name', value('kept')))),
)

/** A column of a copy: what tells the one that it is copied from, its present name, and its type. */
type ColumnOfCopy = Pick<CopiedColumn, 'number' | 'name' | 'type'>

/** What a copy is made of. */
interface CopyShape {
  /** What tells the table that is copied from all others that ever had its name. */
  readonly origin: string
  /** Of fields, and retired ones. */
  readonly columns: readonly ColumnOfCopy[]
  /** When the last look at all records began that compared each of them. */
  readonly lookedFrom?: LookBeginning
  /** Whether the storage was had to look at the copy. */
  readonly isLookedAt?: boolean
}

const ofEveryTable: ReadonlySet<string> = new Set(
  Object.values(systemColumns).map(({ name }) => name),
)

/** A column for as long as others get their names. */
const nameMeanwhile = (column: ColumnOfCopy) => `__moving_${column.number}`

export class SqlTableRebuildRepository implements TableRebuildRepository {
  readonly #session: SqlSession

  constructor(session: SqlSession) {
    this.#session = session
  }

  async find(tableId: string): Promise<TableRebuild | undefined> {
    const row = await this.#session.first(find, { tableId })
    if (!row) return undefined
    const { copied_number: copied, is_ready: isReady, exchanged_at: exchangedAt } = row
    return {
      tableId,
      copied: Number(copied),
      isReady: Boolean(isReady),
      isExchanged: exchangedAt !== null,
    }
  }

  async tableIds(): Promise<readonly string[]> {
    return (await this.#session.all(listIds, {})).map((row) => row.table_id)
  }

  mayBeReplaced(table: Table): Promise<boolean> {
    return new CopiedRules(this.#session, table).areAll()
  }

  async begin(table: Table, schema: TableSchema): Promise<void> {
    const { id } = table
    const all = await this.#columnsOf(table)
    const [first] = all
    assert(first, `the table ${id} has columns`)
    const empty = await this.#emptyOf(table)
    const columns = all.filter(({ name }) => !ofEveryTable.has(name) && !empty.has(name))
    const place = { name: copyNameOf(id), suffix: suffixOfCopies }
    await this.#session.define(this.#copies.create(table, place, columns.map(this.#toTyped)))
    await this.#records(table).makeNotes()
    const rules = new CopiedRules(this.#session, table)
    await rules.make()
    await rules.makeIndexes(schema)
    const shape: CopyShape = { origin: first.origin, columns: columns.map(toColumn) }
    await this.#session.run(insert, { tableId: id, shape: JSON.stringify(shape) })
  }

  async follow(table: Table): Promise<boolean> {
    const shape = await this.#shapeOf(table.id)
    const now = await this.#columnsOf(table)
    if (now[0]?.origin !== shape.origin || !(await this.mayBeReplaced(table))) return false
    const byNumber = new Map(now.map((column) => [column.number, column]))
    const renamed: ColumnOfCopy[] = []
    for (const column of shape.columns) {
      const { name, type } = byNumber.get(column.number) ?? {}
      if (name === undefined || type !== column.type) return false
      if (name !== column.name) renamed.push(column)
    }
    const known = new Set(shape.columns.map((column) => column.number))
    const empty = await this.#emptyOf(table)
    // No record that was copied has a value in them: it would be in another state since.
    const added = now.filter(
      ({ number, name }) => !known.has(number) && !ofEveryTable.has(name) && !empty.has(name),
    )
    const rules = new CopiedRules(this.#session, table)
    if (renamed.length + added.length === 0) return rules.areSame()
    const copy = new FieldColumns(this.#session, asCopy(table))
    for (const column of renamed) await copy.renameAlone(column.name, nameMeanwhile(column))
    for (const column of renamed) {
      await copy.renameAlone(nameMeanwhile(column), byNumber.get(column.number)?.name ?? '')
    }
    for (const column of added) await copy.add(this.#toTyped(column))
    const columns = now.filter(({ number }) => known.has(number)).concat(added)
    await this.#noteShape(table.id, { ...shape, columns: columns.map(toColumn) })
    // Once the columns are called as in the table: a rule of the same name may be about another one by now.
    return rules.areSame()
  }

  async bring(table: Table, numbers: readonly number[]) {
    if (numbers.length === 0) return { waiting: 0 }
    const { columns } = await this.#shapeOf(table.id)
    const names = [...ofEveryTable, ...columns.map(({ name }) => name)]
    return { waiting: await this.#records(table).bring(numbers, names) }
  }

  changed(table: Table, most: number, range?: NumberRange): Promise<ChangedRecords> {
    return this.#records(table).changed(most, range)
  }

  async changedSinceLook(
    table: Table,
    most: number,
    { isReady }: Pick<TableRebuild, 'isReady'>,
  ): Promise<ChangedRecords> {
    const { lookedFrom } = await this.#shapeOf(table.id)
    const { baseId, dbTableName } = table
    const [now] = await this.#session.allOnce(this.#copies.lookBegins(baseId, dbTableName))
    assert(now, 'a look begins at some time')
    // Who has the table stored anew moves rows that weren't changed.
    const isKnown = isReady && lookedFrom !== undefined && lookedFrom.file === now.file
    const lately = isKnown ? await this.#records(table).changedLately(most, lookedFrom) : undefined
    if (lately) return lately
    const found = await this.changed(table, most)
    await this.#noteShape(table.id, { ...(await this.#shapeOf(table.id)), lookedFrom: now })
    return found
  }

  async note(tableId: string, progress: Pick<TableRebuild, 'copied' | 'isReady'>): Promise<void> {
    await this.#session.run(noteProgress, { tableId, ...progress })
  }

  async look(table: Table): Promise<void> {
    const shape = await this.#shapeOf(table.id)
    if (shape.isLookedAt) return
    await this.#noteShape(table.id, { ...shape, isLookedAt: true })
    const look = this.#session.dialect.tables.indexes.look(this.#copy(table), undefined)
    if (look) await this.#session.define(look)
  }

  async isSeenAtOnce(): Promise<boolean> {
    const [row] = await this.#session.allOnce(this.#copies.isSeenAtOnce)
    return row?.found ?? false
  }

  async holdRecords(table: Table): Promise<void> {
    await this.#session.allOnce(this.#copies.beQuick)
    await this.#session.define(sql`lock table ${this.#old(table)} in share mode`)
  }

  async exchange(table: Table): Promise<void> {
    const { id: tableId } = table
    const shape = await this.#shapeOf(tableId)
    const rules = new CopiedRules(this.#session, table)
    await rules.forgetLostIndexes()
    await rules.giveSettings()
    const kept = shape.columns.map(({ name }) => name)
    await this.#session.run(forgetColumns, { tableId, kept })
    const [found] = await this.#session.allOnce(this.#copies.position)
    assert(found, 'a transaction has a position')
    await this.#session.run(noteExchange, { tableId, position: found.position })
    await this.#session.run(nameTable, { tableId, name: copyNameOf(tableId) })
  }

  async hasReadersBefore({ id: tableId, baseId }: Table): Promise<boolean> {
    const { exchanged_at: position } = await this.#session.one(find, { tableId })
    assert(position !== null, `the copy of ${tableId} has taken its place`)
    const [row] = await this.#session.allOnce(
      this.#copies.isReadAsBefore(position, baseId, copyNameOf(tableId)),
    )
    return row?.found ?? true
  }

  wasWritten(table: Table): Promise<boolean> {
    return this.#records(table).wereWritten()
  }

  async finish(table: Table): Promise<void> {
    const { id: tableId, baseId, dbTableName } = table
    const copies = this.#copies
    await this.#session.allOnce(copies.beQuick)
    await this.#session.define(sql`drop table ${this.#old(table)}`)
    await this.#session.define(sql`drop table ${this.#notes(table)}`)
    await this.#session.define(copies.renameTable(baseId, copyNameOf(tableId), dbTableName))
    await new CopiedRules(this.#session, table).nameIndexes()
    await this.#session.run(nameTable, { tableId, name: null })
    await this.#session.run(forget, { id: tableId })
  }

  async drop(table: Table): Promise<void> {
    const unused = table.rebuiltName === null ? this.#copy(table) : this.#old(table)
    await this.#session.define(sql`drop table if exists ${unused}`)
    await this.#session.define(sql`drop table if exists ${this.#notes(table)}`)
    await this.#session.run(forget, { id: table.id })
  }

  get #copies(): CopyDialect {
    const { copies } = this.#session.dialect.tables
    assert(copies, 'the storage copies tables')
    return copies
  }

  #records(table: Table): CopiedRecords {
    return new CopiedRecords(this.#session, table)
  }

  #old({ baseId, dbTableName }: Table): RawBuilder<unknown> {
    return this.#session.dialect.tables.named(baseId, dbTableName)
  }

  #copy({ baseId, id }: Table): RawBuilder<unknown> {
    return this.#session.dialect.tables.named(baseId, copyNameOf(id))
  }

  #notes({ baseId, id }: Table): RawBuilder<unknown> {
    return this.#session.dialect.tables.named(baseId, notesNameOf(id))
  }

  readonly #toTyped = ({ name, type }: ColumnOfCopy) => {
    const kind = this.#copies.kinds.get(type)
    assert(kind, `the column ${name} has a type of fields`)
    return { name, type: kind }
  }

  #columnsOf({ baseId, dbTableName }: Table): Promise<readonly CopiedColumn[]> {
    return this.#session.allOnce(this.#copies.columns(baseId, dbTableName))
  }

  async #emptyOf({ id: tableId }: Table): Promise<ReadonlySet<string>> {
    const rows = await this.#session.all(emptyColumnsOf, { tableId })
    return new Set(rows.map(({ name }) => name))
  }

  async #shapeOf(tableId: string): Promise<CopyShape> {
    return JSON.parse((await this.#session.one(find, { tableId })).shape) as CopyShape
  }

  async #noteShape(tableId: string, shape: CopyShape): Promise<void> {
    await this.#session.run(noteShape, { tableId, shape: JSON.stringify(shape) })
  }
}

function toColumn({ number, name, type }: CopiedColumn): ColumnOfCopy {
  return { number, name, type }
}
