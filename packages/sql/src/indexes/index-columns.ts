import { fromIndexKey, type IndexPart } from '@gateleg/domain/indexes/table-index'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import { type RawBuilder, sql } from 'kysely'
import { queryBuilderOf } from '../core/database.ts'
import type { SqlDialect } from '../core/dialect/sql-dialect.ts'
import { quote } from '../core/statements/quote.ts'
import { cellColumn, onlyItem } from '../records/query/cell-value.ts'
import { sortValue } from '../records/query/sort-sql.ts'
import { systemColumns } from '../schemas/system-columns.ts'

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
    const value = partValue(schema, part, dialect)
    if (!value) return undefined
    const { sql: text, parameters } = sql`(${value})`.compile(queryBuilderOf(dialect))
    // What a caller sent, or what may change, can't be in an index.
    if (parameters.length > 0) return undefined
    const direction = part.isDescending ? 'desc nulls last' : 'asc nulls first'
    // An index is on one table, which has no other name in it.
    columns.push(`${text.replaceAll('"t".', '')}${dialect.tables.indexes.direction(direction)}`)
  }
  const { autoNumber, deletionId } = systemColumns
  const others = dialect.tables.indexes.areReadAlone ? [autoNumber, deletionId] : [autoNumber]
  return [...columns, ...others.map(({ name }) => quote(name))].join(', ')
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
