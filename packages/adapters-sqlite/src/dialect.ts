import { limits } from '@gateleg/domain/limits'
import type { SqlDialect } from '@gateleg/sql/core/dialect'
import { columnDefinitions, quote } from '@gateleg/sql/schemas/record-table'
import { SqliteQueryCompiler, sql } from 'kysely'

const columnTypes: SqlDialect['columnTypes'] = {
  TEXT: 'text',
  INTEGER: 'integer',
  DATETIME: 'text',
  REAL: 'real',
  BLOB: 'blob',
  JSON: 'text',
  BOOLEAN: 'integer',
}

const ownDefinitions = {
  id: 'text not null unique',
  autoNumber: 'integer primary key autoincrement',
}

/**
 * A value's place. The sign leaves every value as it is, text included, and keeps the planner from looking
 * at it: SQLite would plan a join or a limit anew for each new value, which takes ten times as long as
 * running it.
 */
const place = '+?'

class PlannedOnceCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return place
  }
}

/** What SQLite says in its own way. */
export const sqliteDialect: SqlDialect = {
  createQueryCompiler: () => new PlannedOnceCompiler(),
  metadataSchema: undefined,
  lockClause: () => '',
  skipLockedClause: '',
  isIn: (column, values) =>
    sql`${sql.ref(column)} in (select value from json_each(${values as unknown}))`,
  claim: async () => {},
  columnTypes,
  placeholder: () => place,
  readColumn: ({ name }) => quote(name),
  // There are no schemas: the base's id is part of the name.
  createUserSchema: () => [],
  dropUserSchema: () => [],
  recordTable: (baseId, dbTableName) => quote(`${baseId}.${dbTableName}`),
  createUserTable: ({ baseId, dbTableName }, fieldColumns) => {
    const columns = columnDefinitions(columnTypes, ownDefinitions, fieldColumns)
    return [`create table ${sqliteDialect.recordTable(baseId, dbTableName)} (${columns})`]
  },
  dropUserTable: (baseId, dbTableName) => [
    `drop table ${sqliteDialect.recordTable(baseId, dbTableName)}`,
  ],
  emptySome: (table) => `delete from ${table} where rowid in (select rowid from ${table} limit ?)`,
  countColumns: (baseId, dbTableName) => {
    const name = `${baseId}.${dbTableName}`.replaceAll("'", "''")
    return `select count(*) from pragma_table_xinfo('${name}')`
  },
  userIndex: (_baseId, name) => quote(name),
  isInList: ({ name }) => `${quote(name)} in (select value from json_each(?))`,
  uniqueKey: ({ name }) => quote(name),
  isInUniqueList: (column, position) => sqliteDialect.isInList(column, position),
  insertsOneByOne: true,
  // Nothing is copied to be sent: how much one statement takes is bounded by what others wait for.
  get lengthPerStatement() {
    return limits.recordsLength
  },
  rowsPerStatement: (columns, left) => {
    const most = Math.min(left, Math.floor(variablesMax / columns))
    if (most >= manyRows && columns <= fewColumns) return manyRows
    return rowCounts.find((rows) => rows <= most) ?? 1
  },
  rowsTable: (name, columns, rows) => {
    const row = `(${columns.map(() => '?').join()})`
    const values = new Array(rows).fill(row).join()
    const names = columns.map((column) => quote(column.name)).join()
    return `(with rows(${names}) as (values ${values}) select * from rows) as ${name}`
  },
  listItems: (list, name) => `json_each(${list}) as ${name}`,
  listOf: (value, place) => `nullif(json_group_array(${value} order by ${place}), '[]')`,
  bindRows: (_columns, rows) => rows.flat(),
}

/** Rows that one statement takes, largest first: its text depends on their number. */
const rowCounts = [256, 32, 4, 1]

/** Rows that one statement takes where they have few columns: a whole batch of what is worked out. */
const manyRows = 1_000
const fewColumns = 4

/** Values that one statement may have; leaves room for those beside the rows. */
const variablesMax = 32_000
