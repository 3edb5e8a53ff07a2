import { createHash } from 'node:crypto'
import { limits } from '@gateleg/domain/limits'
import type { SqlDialect, TypedColumn } from '@gateleg/sql/core/dialect'
import { columnDefinitions, quote } from '@gateleg/sql/schemas/record-table'
import { PostgresQueryCompiler, sql } from 'kysely'

/** Rows that one statement takes: more make it hardly faster, and hold a batch in memory twice. */
const rowsPerStatement = 5_000

/** Values that one statement takes, but for a single row: the driver writes them in one go, for some 10 ms. */
const valuesPerStatement = 20_000

const columnTypes: SqlDialect['columnTypes'] = {
  // By code point, whatever the locale of the database is.
  TEXT: 'text collate "C"',
  INTEGER: 'bigint',
  DATETIME: 'timestamptz(3)',
  REAL: 'double precision',
  BLOB: 'bytea',
  JSON: 'jsonb',
  BOOLEAN: 'boolean',
}

/** The types of values that are bound: without a collation, which belongs to a column. */
const valueTypes: SqlDialect['columnTypes'] = { ...columnTypes, TEXT: 'text' }

const dialects = new Map<string, SqlDialect>()

/** What PostgreSQL says in its own way, with the product's own tables in the schema. One object per schema. */
export function postgresDialect(metadataSchema: string): SqlDialect {
  let dialect = dialects.get(metadataSchema)
  if (!dialect) {
    dialect = makeDialect(metadataSchema)
    dialects.set(metadataSchema, dialect)
  }
  return dialect
}

function makeDialect(metadataSchema: string): SqlDialect {
  return {
    createQueryCompiler: () => new PostgresQueryCompiler(),
    metadataSchema,
    skipLockedClause: 'for update skip locked',
    lockClause: (lock, table) => (lock === 'none' ? '' : `for ${lock} of ${quote(table)}`),
    isIn: (column, values) => sql`${sql.ref(column)} = any(${values as unknown})`,
    claim: async (connection, name) => {
      await connection.all('select pg_advisory_xact_lock($1)', [lockNumber(metadataSchema, name)])
    },
    columnTypes,
    readColumn: ({ name, type }) => `${quote(name)}::${valueTypes[type]}`,
    textLength,
    placeholder: (position, type) => (type ? `$${position}::${valueTypes[type]}` : `$${position}`),
    ...userTableStatements,
    // A column that was dropped counts for ever.
    countColumns: (baseId, dbTableName) => {
      const name = recordTable(baseId, dbTableName).replaceAll("'", "''")
      return `select count(*) from pg_attribute where attrelid = to_regclass('${name}') and attnum > 0`
    },
    isInList,
    // An index entry takes some 2,700 bytes at most, a text may take more.
    uniqueKey: ({ name, type }) => (type === 'TEXT' ? `md5(${quote(name)})` : quote(name)),
    isInUniqueList: (column, position) => {
      if (column.type !== 'TEXT') return isInList(column, position)
      const hashes = `select md5(value) from unnest($${position}::text[]) as value`
      return `md5(${quote(column.name)}) in (${hashes}) and ${isInList(column, position)}`
    },
    insertsOneByOne: false,
    rowsPerStatement: (columns, left) => {
      const most = Math.min(rowsPerStatement, Math.floor(valuesPerStatement / columns))
      return Math.min(left, Math.max(1, most))
    },
    // The driver copies all of it at once.
    get lengthPerStatement() {
      return limits.recordsLengthInOneTurn
    },
    rowsTable,
    listItems: (list, name) =>
      `jsonb_array_elements_text(${list}) with ordinality as ${name}(value, key)`,
    listOf: (value, place) => `jsonb_agg(${value} order by ${place})`,
    bindRows,
  }
}

/** A user table lies in the schema of its base, with a sequence that numbers its records. */
const userTableStatements: Pick<
  SqlDialect,
  | 'createUserSchema'
  | 'dropUserSchema'
  | 'recordTable'
  | 'userIndex'
  | 'createUserTable'
  | 'dropUserTable'
> = {
  createUserSchema: (baseId) => [`create schema ${quote(baseId)}`],
  dropUserSchema: (baseId) => [`drop schema ${quote(baseId)} cascade`],
  recordTable,
  userIndex: recordTable,
  createUserTable: ({ id, baseId, dbTableName }, fieldColumns) => {
    const numbers = numbersOf(baseId, id)
    const autoNumber = `${columnTypes.INTEGER} not null default nextval('${numbers.replaceAll("'", "''")}')`
    return [
      // Owned by no column, because a distributed table can't own one.
      `create sequence ${numbers}`,
      `create table ${recordTable(baseId, dbTableName)} (
        ${columnDefinitions(columnTypes, { autoNumber }, fieldColumns)},
        constraint ${quote(`${id}_pk`)} primary key ("__id"),
        constraint ${quote(`${id}_number`)} unique ("__auto_number")
      )`,
    ]
  },
  dropUserTable: (baseId, dbTableName, tableId) => [
    `drop table ${recordTable(baseId, dbTableName)}`,
    `drop sequence ${numbersOf(baseId, tableId)}`,
  ],
}

function recordTable(baseId: string, dbTableName: string): string {
  return `${quote(baseId)}.${quote(dbTableName)}`
}

function numbersOf(baseId: string, tableId: string): string {
  return `${quote(baseId)}.${quote(`${tableId}_numbers`)}`
}

/**
 * One row as it is, more of them as a list of each column's values. A list of JSON is JSON itself: in an array
 * all its quotation marks would be escaped, which takes several times as long.
 */
function rowsTable(
  name: string,
  columns: readonly TypedColumn[],
  rows: number,
  position: number,
): string {
  const names = columns.map((column) => quote(column.name))
  const places = columns.map((_, index) => `$${position + index}`)
  if (rows === 1) {
    const values = columns.map(({ type }, index) => `${places[index]}::${valueTypes[type]}`)
    return `(values (${values.join(', ')})) as ${name}(${names.join(', ')})`
  }
  const lists = columns.map(({ type }, index) => {
    if (type === 'JSON') return `jsonb_array_elements(${places[index]}::jsonb)`
    return `unnest(${places[index]}::${valueTypes[type]}[])`
  })
  const read = columns.map(({ type }, index) => {
    if (type !== 'JSON') return names[index]
    return `nullif(r.${names[index]}, 'null'::jsonb) as ${names[index]}`
  })
  const from = `rows from (${lists.join(', ')}) as r(${names.join(', ')})`
  return `(select ${read.join(', ')} from ${from}) as ${name}`
}

function bindRows(
  columns: readonly TypedColumn[],
  rows: readonly (readonly unknown[])[],
): unknown[] {
  const [only] = rows
  if (only && rows.length === 1) return columns.map((_, index) => only[index] ?? null)
  return columns.map(({ type }, index) => {
    if (type === 'JSON') return `[${rows.map((row) => row[index] ?? 'null').join()}]`
    return rows.map((row) => row[index] ?? null)
  })
}

function isInList({ name, type }: TypedColumn, position: number): string {
  return `${quote(name)} = any($${position}::${valueTypes[type]}[])`
}

/** The length of a text stands beside it; of packed JSON only how much room it takes, a fraction of it. */
function textLength({ name, type }: TypedColumn): string | undefined {
  const column = quote(name)
  if (type === 'TEXT') return `coalesce(octet_length(${column}::text), 0)`
  if (type !== 'JSON') return undefined
  const packed = `case when pg_column_compression(${column}) is null then 1 else ${jsonPackedTimes} end`
  return `coalesce(pg_column_size(${column}) * ${packed}, 0)`
}

/** How much smaller packed JSON is, where it is a list of ids or names. */
const jsonPackedTimes = 8

/** Names are locked by a number of 64 bits; two names of one number wait for each other, no more. */
function lockNumber(metadataSchema: string, name: string): string {
  const hash = createHash('sha256').update(`${metadataSchema}\n${name}`).digest()
  return String(hash.readBigInt64BE())
}
