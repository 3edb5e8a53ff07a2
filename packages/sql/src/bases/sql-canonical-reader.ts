import type {
  CanonicalBatch,
  CanonicalCommentPlace,
  CanonicalPlace,
  CanonicalReader,
  CanonicalRow,
  CanonicalStructure,
} from '@gateleg/domain/bases/canonical-reader'
import { limits } from '@gateleg/domain/limits'
import { mapInTurns } from '@gateleg/domain/records/map-in-turns'
import { type Compilable, sql } from 'kysely'
import { boundedSelect, readBounded, type Search } from '../core/bounded-select.ts'
import { nameList } from '../core/column-lists.ts'
import type { QueryBuilder } from '../core/database.ts'
import type { TypedColumn } from '../core/dialect/typed-column.ts'
import { Place } from '../core/place.ts'
import type { SqlSession } from '../core/session.ts'
import { statementText } from '../core/statement-texts.ts'
import { columnOf } from '../schemas/field-columns.ts'
import { fieldColumns } from '../schemas/field-table.ts'
import { decodeCell } from '../schemas/stored-cells.ts'
import { systemColumns } from '../schemas/system-columns.ts'
import { viewColumns } from '../views/view-table.ts'

/** What of a base each kind reads, by its id; ordered by the id of the row. */
const structureQueries: {
  readonly [Kind in keyof CanonicalStructure]: (db: QueryBuilder, baseId: string) => Compilable
} = {
  bases: (db, baseId) => db.selectFrom('bases').selectAll().where('id', '=', baseId),
  collaborators: (db, baseId) =>
    db.selectFrom('collaborators').selectAll().where('resource_id', '=', baseId).orderBy('user_id'),
  nodes: (db, baseId) => ofBase(db, 'nodes', baseId),
  folders: (db, baseId) => ofBase(db, 'folders', baseId),
  dashboards: (db, baseId) => ofBase(db, 'dashboards', baseId),
  workflows: (db, baseId) => ofBase(db, 'workflows', baseId),
  tables: (db, baseId) => ofBase(db, 'tables', baseId),
  fields: (db, baseId) => ofTables(db, 'fields', baseId),
  views: (db, baseId) => ofTables(db, 'views', baseId),
  pluginInstalls: (db, baseId) => ofBase(db, 'plugin_installs', baseId),
  pluginPanels: (db, baseId) => ofBase(db, 'plugin_panels', baseId),
}

function ofBase(
  db: QueryBuilder,
  name:
    | 'nodes'
    | 'folders'
    | 'dashboards'
    | 'workflows'
    | 'tables'
    | 'plugin_installs'
    | 'plugin_panels',
  baseId: string,
): Compilable {
  return db.selectFrom(name).selectAll().where('base_id', '=', baseId).orderBy('id')
}

function ofTables(db: QueryBuilder, name: 'fields' | 'views', baseId: string): Compilable {
  return db
    .selectFrom(name)
    .selectAll()
    .where('table_id', 'in', db.selectFrom('tables').select('id').where('base_id', '=', baseId))
    .orderBy('id')
}

/** Characters of rows that are read before it is seen whether others should have their turn: a millisecond. */
const lengthPerTurn = 128 * 1024

/** Says nothing about what a base holds: new after every change, and another on each storage. */
const leftOut = new Set(['schema_tag'])

export class SqlCanonicalReader implements CanonicalReader {
  readonly #session: SqlSession
  readonly #own: SqlSession

  /** Takes what the product's own tables are read by, of fields and comments too, where that is not where the records are. */
  constructor(session: SqlSession, own = session) {
    this.#session = session
    this.#own = own
  }

  async structure(baseId: string): Promise<CanonicalStructure> {
    const structure: Record<string, readonly CanonicalRow[]> = {}
    for (const [kind, query] of Object.entries(structureQueries)) {
      const rows = await this.#session.allOnce(query(this.#session.db, baseId))
      structure[kind] = await mapInTurns(
        this.#session,
        rows as readonly Record<string, unknown>[],
        toCanonicalRow,
      )
    }
    return structure as CanonicalStructure
  }

  async records({ tableId, after }: CanonicalPlace, take: number): Promise<CanonicalBatch> {
    const { dialect, connection } = this.#session
    const [table] = await this.#own.allOnce(
      this.#own.db
        .selectFrom('tables')
        .select(['base_id', 'db_table_name'])
        .where('id', '=', tableId),
    )
    if (!table) return { rows: [], isCut: false }
    const members = Object.entries(systemColumns)
    const columns = [...members.map(([, column]) => column), ...(await this.#cellColumns(tableId))]
    const search: Search = {
      table: dialect.tables.named(table.base_id, table.db_table_name),
      columns,
      selected: nameList(columns),
      condition: sql`${sql.id(systemColumns.autoNumber.name)} > ${new Place()}`,
      key: systemColumns.autoNumber,
      ending: sql` limit ${new Place()}`,
      lock: 'none',
    }
    const statement = boundedSelect(
      dialect,
      () => search,
      (_part, build) => statementText(dialect, build()),
    )
    const until = { most: take, length: limits.recordsLengthInOneTurn }
    const { rows, isCut } = await readBounded(connection, statement, [after, take], until)
    const canonical: CanonicalRow[] = []
    // In the order in which they are hashed: to sort them anew for each record takes longer than all the rest.
    const told = [...members.map(([name], place) => ({ name, place })), { name: 'cells' }].toSorted(
      (a, b) => (a.name < b.name ? -1 : 1),
    ) as readonly { readonly name: string; readonly place?: number }[]
    let length = 0
    for (const row of rows) {
      const cells: [string, unknown][] = []
      for (const [index, { name, type }] of columns.entries()) {
        const value = row[index]
        if (index >= members.length) cells.push([name, decodeCell(value, type)])
        if (typeof value === 'string') length += value.length
        if (length < lengthPerTurn) continue
        length = 0
        await this.#session.giveWay()
      }
      const record: Record<string, unknown> = {}
      for (const { name, place } of told) {
        record[name] = place === undefined ? Object.fromEntries(cells) : row[place]
      }
      canonical.push(record)
    }
    return { rows: canonical, isCut }
  }

  async comments(
    { tableId, after }: CanonicalCommentPlace,
    take: number,
  ): Promise<readonly CanonicalRow[]> {
    const { db } = this.#own
    const rest = db.selectFrom('comments').selectAll().where('table_id', '=', tableId)
    const key = sql`(${sql.ref('record_id')}, ${sql.ref('number')})`
    const asked = after
      ? rest.where(sql<boolean>`${key} > (${after.recordId}, ${after.number})`)
      : rest
    const rows = await this.#own.allOnce(asked.orderBy('record_id').orderBy('number').limit(take))
    return rows.map((row) => toCanonicalRow({ ...row }))
  }

  /** The columns of all fields the table ever had, by field id. */
  async #cellColumns(tableId: string): Promise<readonly TypedColumn[]> {
    const rows = await this.#own.allOnce(
      this.#own.db
        .selectFrom('fields')
        .selectAll()
        .where('table_id', '=', tableId)
        .where('column_name', 'is not', null)
        .orderBy('id'),
    )
    return rows.flatMap((row) => columnOf(fieldColumns.toEntity(row)) ?? [])
  }
}

/**
 * Columns that are told of even when they are empty. Those that migrations have added since are told of
 * only where they hold something, so that an upgrade leaves the hash of a base as it was: a migration adds
 * columns that are empty at first.
 */
const toldWhenEmpty = new Set([
  ...['deletion_id', 'deleted_time', 'deleted_by', 'parent_id', 'icon', 'description'],
  ...['lookup_options', 'result', 'foreign_table_id', 'ai_config', 'column_name'],
  ...['last_modified_by', 'last_modified_time'],
])

/** A row in the product's terms: camel case, truth values true or false. */
function toCanonicalRow(row: Record<string, unknown>): CanonicalRow {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([column]) => !leftOut.has(column))
      .filter(([column, value]) => value !== null || toldWhenEmpty.has(column))
      .map(([column, value]) => [toMember(column), flags.has(column) ? Boolean(value) : value]),
  )
}

/** The members of all columns, of which there are few. */
const memberNames = new Map<string, string>()

function toMember(column: string): string {
  const known = memberNames.get(column)
  if (known !== undefined) return known
  const name = column.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
  memberNames.set(column, name)
  return name
}

const flags = new Set([...fieldColumns.flags, ...viewColumns.flags])
