import type { ItemForm } from '@gateleg/domain/fields/cell-form'
import { unknownPerson } from '@gateleg/domain/fields/cells/user-cells'
import { itemSeparator } from '@gateleg/domain/queries/shown-text'
import type { SchemaField } from '@gateleg/domain/schemas/table-schema'
import { foldCase } from '@gateleg/domain/values/text'
import { type RawBuilder, sql } from 'kysely'
import type { SqlDialect } from '../../core/dialect/sql-dialect.ts'
import { ownTable } from '../../core/own-tables/own-table.ts'
import { cellColumn, type ItemValue, jsonItem, onlyItem } from './cell-value.ts'
import { booleanText, momentOf } from './plain-value.ts'

/**
 * Whether what is shown of the cell of a field, in the table as `t`, has the text in it, which is folded: see
 * `shownText`. Null or false where it doesn't.
 */
export function showsSql(
  field: SchemaField,
  text: string,
  dialect: SqlDialect,
): RawBuilder<boolean> {
  const { queries } = dialect
  const plain = plainText(field, dialect)
  if (plain) return queries.foldedContains(plain, text)
  const shown = shownSql(field, dialect)
  return shown ? queries.contains(shown, sql`${text}`) : sql`1 = 0`
}

/** The text of a cell that is shown as it is; undefined where it isn't. */
function plainText(field: SchemaField, { queries }: SqlDialect): RawBuilder<string> | undefined {
  const { item: form, isList } = field.rules.form
  const cell = cellColumn(field)
  if (!cell || isList || madeKinds.has(form.kind)) return undefined
  return onlyItem(field, cell, queries).text
}

/** What is shown of items of these kinds is made of what is stored. */
const madeKinds: ReadonlySet<ItemForm['kind']> = new Set([
  'number',
  'boolean',
  'date',
  'user',
  'press',
])

/** Undefined where nothing is shown of any cell of the field. */
function shownSql(field: SchemaField, dialect: SqlDialect): RawBuilder<string> | undefined {
  const cell = cellColumn(field)
  const { item: form, isList } = field.rules.form
  if (!cell || form.kind === 'press') return undefined
  const { queries } = dialect
  if (!isList) return itemSql(form, onlyItem(field, cell, queries), dialect)
  const { table, item } = queries.items(cell, 'i')
  const shown = itemSql(form, jsonItem(form, item, sql.ref('i.value')), dialect)
  return sql`(select string_agg(${shown}, ${sql.lit(itemSeparator)} order by i.key) from ${table})`
}

/** What is shown of an item, folded. */
function itemSql(form: ItemForm, item: ItemValue, dialect: SqlDialect): RawBuilder<string> {
  const { queries } = dialect
  const { value, text } = item
  switch (form.kind) {
    case 'number':
      return queries.shownNumber(value, form.formatting)
    case 'boolean':
      return booleanText(item)
    case 'date':
      return queries.shownDate(momentOf(item, dialect), form.formatting)
    case 'user':
      return userTitleSql(value, dialect)
    default:
      return queries.fold(text)
  }
}

/** The name of the user of an id, or so many characters of it, folded; null where the id is. */
export function userTitleSql(
  id: RawBuilder<unknown>,
  dialect: SqlDialect,
  length?: number,
): RawBuilder<string> {
  const { queries } = dialect
  const users = ownTable(dialect, 'users')
  const name =
    length === undefined ? sql<string>`u.name` : sql<string>`substr(u.name, 1, ${sql.lit(length)})`
  const title = sql`(select ${queries.fold(name)} from ${users} as u where u.id = ${id})`
  return sql`case when ${id} is not null then coalesce(${title}, ${sql.lit(foldCase(unknownPerson))}) end`
}
