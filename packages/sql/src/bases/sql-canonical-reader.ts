import type {
  CanonicalBatch,
  CanonicalCommentPlace,
  CanonicalPlace,
  CanonicalReader,
  CanonicalRow,
  CanonicalStructure,
} from '@gateleg/domain/bases/canonical-reader'
import { columnOf } from '@gateleg/domain/fields/column-of'
import { limits } from '@gateleg/domain/limits'
import { mapInTurns } from '@gateleg/domain/records/showing/map-in-turns'
import { sql } from 'kysely'
import { type PreparedQuery, prepared } from '../core/database.ts'
import { Place } from '../core/dialect/place.ts'
import type { TypedColumn } from '../core/dialect/typed-column.ts'
import type { SqlSession } from '../core/session.ts'
import { readBounded } from '../core/statements/bounded-select.ts'
import { nameList } from '../core/statements/column-lists.ts'
import { StatementTexts } from '../core/statements/statement-texts.ts'
import { type FieldRow, fieldColumns } from '../metadata/tables/field-table.ts'
import { viewColumns } from '../metadata/tables/view-table.ts'
import { physicalName as physicalNameOfRow } from '../record-tables/physical-name.ts'
import { decodeCell } from '../record-tables/stored-cells.ts'
import { systemColumns } from '../record-tables/system-columns.ts'

type OfBase = { baseId: string }
type Row = Record<string, unknown>

/** The rows of a table that are of a base, by their ids. */
function ofBase(
  name:
    | 'nodes'
    | 'folders'
    | 'dashboards'
    | 'workflows'
    | 'tables'
    | 'plugin_installs'
    | 'plugin_panels',
) {
  return prepared<OfBase, Row>((db, value) =>
    db.selectFrom(name).selectAll().where('base_id', '=', value('baseId')).orderBy('id'),
  )
}

/** The rows that are of the tables of a base, by their ids. */
function ofTables(name: 'fields' | 'views') {
  return prepared<OfBase, Row>((db, value) =>
    db
      .selectFrom(name)
      .selectAll()
      .where(
        'table_id',
        'in',
        db.selectFrom('tables').select('id').where('base_id', '=', value('baseId')),
      )
      .orderBy('id'),
  )
}

/** What of a base each kind reads; ordered by the id of the row. */
const structureQueries: {
  readonly [Kind in keyof CanonicalStructure]: PreparedQuery<OfBase, Row>
} = {
  bases: prepared((db, value) =>
    db.selectFrom('bases').selectAll().where('id', '=', value('baseId')),
  ),
  collaborators: prepared((db, value) =>
    db
      .selectFrom('collaborators')
      .selectAll()
      .where('resource_id', '=', value('baseId'))
      .orderBy('user_id'),
  ),
  nodes: ofBase('nodes'),
  folders: ofBase('folders'),
  dashboards: ofBase('dashboards'),
  workflows: ofBase('workflows'),
  tables: ofBase('tables'),
  fields: ofTables('fields'),
  views: ofTables('views'),
  pluginInstalls: ofBase('plugin_installs'),
  pluginPanels: ofBase('plugin_panels'),
}

const findTable = prepared<
  { tableId: string },
  { base_id: string; db_table_name: string; physical_name: string }
>((db, value) =>
  db
    .selectFrom('tables')
    .select(['base_id', 'db_table_name', physicalNameOfRow])
    .where('id', '=', value('tableId')),
)

const fieldsWithCells = prepared<{ tableId: string }, FieldRow>((db, value) =>
  db
    .selectFrom('fields')
    .selectAll()
    .where('table_id', '=', value('tableId'))
    .where('column_name', 'is not', null),
)

/** What is read of a record before its cells. */
const recordColumns = Object.values(systemColumns)

/** The members of a record, in the order in which they are hashed, and where each is read; the cells are not at one place. */
const recordMembers: readonly { readonly name: string; readonly place?: number }[] = [
  ...Object.keys(systemColumns).map((name, place) => ({ name, place })),
  { name: 'cells' },
].toSorted(byName)

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1
}

/** Characters of rows that are read before it is seen whether others should have their turn: a millisecond. */
const lengthPerTurn = 128 * 1024

/** Says nothing about what a base holds: new after every change, or another on each storage. */
const leftOut = new Set(['schema_tag', 'rebuilt_name'])

export class SqlCanonicalReader implements CanonicalReader {
  readonly #session: SqlSession
  readonly #own: SqlSession

  /** Takes what the product's own tables are read by, of fields and comments too, where that is not where the records are. */
  constructor(session: SqlSession, own = session) {
    this.#session = session
    this.#own = own
  }

  async structure(baseId: string): Promise<CanonicalStructure> {
    // All asked at once: to wait for each of them takes a database longer than it works.
    const structure: Record<string, readonly CanonicalRow[]> = {}
    await Promise.all(
      Object.entries(structureQueries).map(async ([kind, query]) => {
        const rows = await this.#session.all(query, { baseId })
        structure[kind] = await mapInTurns(this.#session, rows, toCanonicalRow)
      }),
    )
    return structure as CanonicalStructure
  }

  async records({ tableId, after }: CanonicalPlace, take: number): Promise<CanonicalBatch> {
    const { dialect, connection } = this.#session
    const [table, cellColumns] = await Promise.all([
      this.#own.first(findTable, { tableId }),
      this.#cellColumns(tableId),
    ])
    if (!table) return { rows: [], isCut: false }
    // In the order in which cells are hashed.
    const columns = [...recordColumns, ...cellColumns.toSorted(byName)]
    // What was moved to another storage has its own name there.
    const isMoved = this.#own !== this.#session
    const physicalName = isMoved ? table.db_table_name : table.physical_name
    const name = dialect.tables.named(table.base_id, physicalName)
    const texts = new StatementTexts(dialect, `canonical ${table.base_id} ${physicalName}`)
    const statement = texts.bounded(
      columns.map(({ name, type }) => `${type} ${name}`).join(),
      () => ({
        table: name,
        columns,
        selected: nameList(columns),
        condition: sql`${sql.id(systemColumns.autoNumber.name)} > ${new Place()}`,
        key: systemColumns.autoNumber,
        ending: sql` limit ${new Place()}`,
        lock: 'none',
      }),
    )
    const until = { most: take, length: limits.recordsLengthInOneTurn }
    const { rows, isCut } = await readBounded(connection, statement, [after, take], until)
    const canonical: CanonicalRow[] = []
    let length = 0
    for (const row of rows) {
      const cells: [string, unknown][] = []
      for (const [index, { name, type }] of columns.entries()) {
        const value = row[index]
        if (index >= recordColumns.length) cells.push([name, decodeCell(value, type)])
        if (typeof value === 'string') length += value.length
        if (length < lengthPerTurn) continue
        length = 0
        await this.#session.giveWay()
      }
      const record: Record<string, unknown> = {}
      for (const { name, place } of recordMembers) {
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

  /** The columns of all fields the table ever had. */
  async #cellColumns(tableId: string): Promise<readonly TypedColumn[]> {
    const rows = await this.#own.all(fieldsWithCells, { tableId })
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
