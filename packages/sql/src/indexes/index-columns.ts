import { fromIndexKey, type IndexPart } from '@gateleg/domain/indexes/table-index'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import { type RawBuilder, sql } from 'kysely'
import { queryBuilderOf } from '../core/database.ts'
import type { SqlDialect } from '../core/dialect/sql-dialect.ts'
import { quote } from '../core/statements/quote.ts'
import { isLiving } from '../record-tables/is-living.ts'
import { systemColumns } from '../record-tables/system-columns.ts'
import { cellColumn, onlyItem } from '../records/expressions/cell-value.ts'
import { sortValue } from '../records/expressions/sort-sql.ts'

/**
 * The columns of the index of a key, as a statement lists them; undefined where a field is gone, or can't have it as it
 * is by now. Each is the very expression that queries have, so that the engine sees that the index fits.
 */
export function indexColumns(
  schema: TableSchema,
  key: string,
  dialect: SqlDialect,
): string | undefined {
  const columns: string[] = []
  for (const part of fromIndexKey(key)) {
    const text = partText(schema, part, dialect)
    if (text === undefined) return undefined
    const direction = part.isDescending ? 'desc nulls last' : 'asc nulls first'
    columns.push(`${text}${dialect.tables.indexes.direction(direction)}`)
  }
  const { autoNumber, deletionId } = systemColumns
  const others = dialect.tables.indexes.areReadAlone ? [autoNumber, deletionId] : [autoNumber]
  return [...columns, ...others.map(({ name }) => quote(name))].join(', ')
}

/** The statement that makes an index for queries, of the living records; `besideOthers` as the engine says it, if it may be so. */
export function createIndex(index: {
  readonly name: string
  readonly table: RawBuilder<unknown>
  readonly columns: string
  readonly besideOthers?: RawBuilder<unknown>
}): RawBuilder<unknown> {
  const { name, table, columns, besideOthers = sql`` } = index
  return sql`create index ${besideOthers} ${sql.id(name)} on ${table} (${sql.raw(columns)}) where ${isLiving}`
}

/** The columns of fields that the index of a key has, where it has them as they are; undefined where it has what is made of them. */
export function columnsAsTheyAre(
  schema: TableSchema,
  key: string,
  dialect: SqlDialect,
): readonly string[] | undefined {
  const columns: string[] = []
  for (const part of fromIndexKey(key)) {
    const name = schema.byKey.id.get(part.fieldId)?.column?.name
    if (name === undefined || partText(schema, part, dialect) !== `(${quote(name)})`)
      return undefined
    columns.push(name)
  }
  return columns
}

/** A column of an index, or what is made of it; undefined where the field is gone, or can't be in one. */
function partText(schema: TableSchema, part: IndexPart, dialect: SqlDialect): string | undefined {
  const value = partValue(schema, part, dialect)
  if (!value) return undefined
  const { sql: text, parameters } = sql`(${value})`.compile(queryBuilderOf(dialect))
  // What a caller sent, or what may change, can't be in an index. That is on one table, which has no other name in it.
  return parameters.length > 0 ? undefined : text.replaceAll('"t".', '')
}

function partValue(
  schema: TableSchema,
  { fieldId, kind, length }: IndexPart,
  dialect: SqlDialect,
): RawBuilder<unknown> | undefined {
  const field = schema.byKey.id.get(fieldId)
  if (!field?.column || field.rules.form.isList || field.column.type === 'JSON') return undefined
  const cell = cellColumn(field)
  if (!cell) return undefined
  const item = onlyItem(field, cell, dialect.queries)
  return kind === 'value' ? item.value : sortValue(field.rules.form.item, item, length, dialect)
}
