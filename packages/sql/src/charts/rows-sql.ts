import type { ChartField, ChartJoin, ChartRows } from '@gateleg/domain/charts/chart-query'
import type { JoinType } from '@gateleg/domain/charts/saved-query'
import type { SchemaField, TableSchema } from '@gateleg/domain/schemas/table-schema'
import { type RawBuilder, sql } from 'kysely'
import type { SqlDialect } from '../core/dialect/sql-dialect.ts'
import { sumOf } from '../core/statements/sum-of.ts'
import { isLiving } from '../record-tables/is-living.ts'
import { recordTableOf } from '../record-tables/record-table.ts'
import { systemColumns } from '../record-tables/system-columns.ts'
import { cellColumn, onlyItem } from '../records/expressions/cell-value.ts'
import { comparedBy } from '../records/expressions/comparison-sql.ts'
import { shortened } from '../records/expressions/group-sql.ts'

const number = sql.ref(`t.${systemColumns.autoNumber.name}`)
const id = sql.ref(`t.${systemColumns.id.name}`)

/**
 * The rows of a chart as a table: of each table of the chart the number and the id of its record, `n0`, `r0` and so on,
 * and the cells of the fields, `c0` and so on. Joins that keep what has no counterpart among the rows before them are
 * bounded: where one makes more rows, some are missing.
 */
export function rowsSql(
  rows: ChartRows,
  most: number,
  dialect: SqlDialect,
  cellOf: CellOf = cellColumn,
): RawBuilder<unknown> {
  return keepsRecords(rows)
    ? byNumbersSql(rows, most, dialect, cellOf)
    : inTurnSql(rows, dialect, cellOf)
}

/** What stands for the cell of a field, about its table as `t`; undefined for a broken field. */
type CellOf = (field: SchemaField) => RawBuilder<unknown> | undefined

/**
 * A statement that has a row with the bytes of the cells of all rows, of each field as often as it is told; undefined
 * where none of them has cells.
 */
export function bytesSql(
  rows: ChartRows,
  looks: ReadonlyMap<SchemaField, number>,
  most: number,
  dialect: SqlDialect,
): RawBuilder<unknown> | undefined {
  const lengthOf = ({ field, column }: SchemaField) => {
    if (field.hasError || !column) return undefined
    const { textLength, storedBytes } = dialect.values
    return textLength?.(column) ?? storedBytes(column.name)
  }
  const fields = rows.fields.filter(({ own, inRow }) => looks.has(inRow) && lengthOf(own))
  if (fields.length === 0) return undefined
  const sums = fields.map(
    ({ inRow }) =>
      sql`${looks.get(inRow)} * coalesce(sum(${sql.ref(`m.${inRow.column?.name}`)}), 0)`,
  )
  return sql`select ${sumOf(sums)} from ${rowsSql({ ...rows, fields }, most, dialect, lengthOf)} as m`
}

/**
 * Statements each of which has a row with how many rows some of the joins make, up to so many: in turn, since what
 * follows a join that makes too many could take for ever.
 */
export function countsSql(
  rows: ChartRows,
  most: number,
  dialect: SqlDialect,
): readonly RawBuilder<unknown>[] {
  if (keepsRecords(rows)) {
    const counts = rows.joins.map((_, index) => sql`(select count(*) from ${joinName(index + 1)})`)
    return [sql`${joinsSql(rows, most, dialect)} select ${sql.join(counts)}`]
  }
  return rows.joins.map((_, index) => {
    const joins = rows.joins.slice(0, index + 1)
    const made = inTurnSql({ tables: rows.tables, joins, fields: [] }, dialect)
    return sql`select count(*) from (select 1 from ${made} as m limit ${sql.lit(most)}) as l`
  })
}

/** Whether some join keeps records that no row before it has a counterpart of. */
function keepsRecords({ joins }: ChartRows): boolean {
  return joins.some(({ type }) => type === 'RIGHT JOIN' || type === 'FULL JOIN')
}

/** The rows where each join follows the other: nothing is kept in between. */
function inTurnSql(
  rows: ChartRows,
  dialect: SqlDialect,
  cellOf: CellOf = cellColumn,
): RawBuilder<unknown> {
  const parts = rows.tables.slice(0, rows.joins.length + 1).map((schema, table) => {
    const join = rows.joins[table - 1]
    const keys = rows.joins.flatMap(({ earlier }, index) => {
      if (earlier.table !== table) return []
      return [sql`${keySql(earlier.own, earlier.own, dialect)} as ${sql.id(`p${index + 1}`)}`]
    })
    const own = join && sql`${keySql(join.own.own, join.earlier.own, dialect)} as k`
    const records = recordsSql(rows, schema, table, dialect, cellOf, [
      ...keys,
      ...(own ? [own] : []),
    ])
    const name = sql.id(`x${table}`)
    if (!join) return sql`(${records}) as ${name}`
    const kind = sql.raw(join.type === 'LEFT JOIN' ? 'left join' : 'join')
    const key = sql.ref(`x${join.earlier.table}.p${table}`)
    return sql`${kind} ${dialect.queries.keyed(records)} as ${name} on ${name}.k = ${key}`
  })
  const columns = columnsOf(rows, cellOf, numbersOf(rows.joins.length + 1))
  return sql`(select ${columns} from ${sql.join(parts, sql` `)})`
}

/**
 * The rows where joins are made first, of numbers alone. Cells are taken out of their records once: an engine that looked a
 * record up for each row would read all that stands before a cell each time.
 */
function byNumbersSql(
  rows: ChartRows,
  most: number,
  dialect: SqlDialect,
  cellOf: CellOf,
): RawBuilder<unknown> {
  const found = rows.tables.map(
    (schema, table) =>
      sql`left join ${dialect.queries.keyed(recordsSql(rows, schema, table, dialect, cellOf))} as ${sql.id(`x${table}`)} on ${sql.ref(`x${table}.n${table}`)} = ${sql.ref(`j.n${table}`)}`,
  )
  const columns = columnsOf(rows, cellOf, numbersOf(rows.tables.length, 'j'))
  return sql`(${joinsSql(rows, most, dialect)} select ${columns} from ${joinName(rows.joins.length)} as j ${sql.join(found, sql` `)})`
}

/** The living records of a table of the chart: number, id, cells, and what else is asked for. */
function recordsSql(
  rows: ChartRows,
  schema: TableSchema,
  table: number,
  dialect: SqlDialect,
  cellOf: CellOf,
  more: readonly RawBuilder<unknown>[] = [],
): RawBuilder<unknown> {
  const cells = rows.fields.flatMap(({ own, inRow, table: of }) => {
    const cell = of === table ? cellOf(own) : undefined
    return cell && inRow.column ? [sql`${cell} as ${sql.id(inRow.column.name)}`] : []
  })
  const own = [sql`${number} as ${sql.id(`n${table}`)}`, sql`${id} as ${sql.id(`r${table}`)}`]
  const { name } = recordTableOf(schema, dialect)
  return sql`select ${sql.join([...own, ...cells, ...more])} from ${name} as t where ${isLiving}`
}

/** The numbers as they are given, and the ids and cells of the tables `x0` and so on, as many. */
function columnsOf(
  rows: ChartRows,
  cellOf: CellOf,
  numbers: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> {
  const ids = numbers.map((_, table) => sql.ref(`x${table}.r${table}`))
  const cells = rows.fields.flatMap(({ own, inRow, table }) =>
    cellOf(own) && inRow.column ? [sql.ref(`x${table}.${inRow.column.name}`)] : [],
  )
  return sql.join([...numbers, ...ids, ...cells])
}

/**
 * The joins in turn, with the numbers of records alone: cells can be long, and a record may stand in many rows. Nothing
 * but `left join` and `join` by one value: no engine need look at all pairs of records for these.
 */
function joinsSql(rows: ChartRows, most: number, dialect: SqlDialect): RawBuilder<unknown> {
  const parts = rows.joins.flatMap((join, index) => {
    const table = index + 1
    const [before, added] = [sql.id(`b${table}`), sql.id(`a${table}`)]
    const made = sql`select * from (${joinedSql(join.type, table, before, added)}) as m limit ${sql.lit(most)}`
    return [
      materialized(before, beforeSql(rows, join, table, dialect)),
      materialized(added, keysSql(rows, join.own, join, dialect)),
      materialized(joinName(table), made),
    ]
  })
  return sql`with ${sql.join(parts)}`
}

function materialized(name: RawBuilder<unknown>, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${name} as materialized (${rows})`
}

function joinName(table: number): RawBuilder<unknown> {
  return sql.id(`j${table}`)
}

/** The numbers of the first tables, so many, in a table of the name, or in one for each, `x0` and so on. */
function numbersOf(count: number, name?: string): readonly RawBuilder<unknown>[] {
  return Array.from({ length: count }, (_, table) => sql.ref(`${name ?? `x${table}`}.n${table}`))
}

/** The rows before a join, with what they are joined by as `k`. */
function beforeSql(
  rows: ChartRows,
  join: ChartJoin,
  table: number,
  dialect: SqlDialect,
): RawBuilder<unknown> {
  const { earlier } = join
  const keys = keysSql(rows, earlier, join, dialect)
  if (table === 1) return sql`select x.n as n0, x.k as k from (${keys}) as x`
  const numbers = sql.join(numbersOf(table, 'j'))
  return sql`select ${numbers}, x.k as k from ${joinName(table - 1)} as j left join (${keys}) as x on x.n = ${sql.ref(`j.n${earlier.table}`)}`
}

/** The records of the table of a field, as `n`, with what they are joined by as `k`. */
function keysSql(
  rows: ChartRows,
  { own, table }: ChartField,
  { earlier }: ChartJoin,
  dialect: SqlDialect,
): RawBuilder<unknown> {
  const schema = rows.tables[table]
  if (!schema) return sql``
  const { name } = recordTableOf(schema, dialect)
  const key = keySql(own, earlier.own, dialect)
  return sql`select ${number} as n, ${key} as k from ${name} as t where ${isLiving}`
}

/** What a record is joined by: what a filter compares cells by; of long texts what tells them apart. */
function keySql(field: SchemaField, asked: SchemaField, dialect: SqlDialect): RawBuilder<unknown> {
  const { kind } = asked.rules.form.item
  const cell = cellColumn(field)
  if (!cell) return dialect.queries.given(null, kind === 'number' ? 'REAL' : 'TEXT')
  const value = comparedBy(asked, 'equal', onlyItem(field, cell, dialect.queries), dialect)
  return kind === 'number' || kind === 'date' ? value : shortened(value, dialect)
}

/** The rows of a join, with the numbers of its tables. */
function joinedSql(
  type: JoinType,
  table: number,
  before: RawBuilder<unknown>,
  added: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const numbers = sql`${sql.join(numbersOf(table, 'b'))}, a.n as ${sql.id(`n${table}`)}`
  const rows = sql`select ${numbers} from ${before} as b`
  const records = sql`select ${numbers} from ${added} as a left join ${before} as b on a.k = b.k`
  const kept = sql`${rows} left join ${added} as a on a.k = b.k`
  switch (type) {
    case 'INNER JOIN':
      return sql`${rows} join ${added} as a on a.k = b.k`
    case 'LEFT JOIN':
      return kept
    case 'RIGHT JOIN':
      return records
    case 'FULL JOIN':
      // What has found a counterpart has something that it is joined by.
      return sql`${kept} union all ${records} where b.k is null`
  }
}
