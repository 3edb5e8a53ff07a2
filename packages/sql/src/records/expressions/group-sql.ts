import type { ItemForm } from '@gateleg/domain/fields/cell-form'
import { limits } from '@gateleg/domain/limits'
import { hasOwnIdentity } from '@gateleg/domain/queries/group-identity'
import type { SortValue } from '@gateleg/domain/queries/sort-value'
import type { SchemaField } from '@gateleg/domain/schemas/table-schema'
import { type RawBuilder, sql } from 'kysely'
import type { SqlDialect } from '../../core/dialect/sql-dialect.ts'
import { cellColumn, type ItemValue, jsonItem, onlyItem } from './cell-value.ts'
import { booleanText, plainValue, sortType } from './plain-value.ts'

/** What tells the group of a record by a field, about the table as `t`: see `groupIdentityOf`. */
export interface Identity {
  readonly value: RawBuilder<unknown>
  readonly type: 'TEXT' | 'REAL'
}

/** The identity of the groups of a field. */
export function identityOf(field: SchemaField, dialect: SqlDialect): Identity {
  const { form } = field.rules
  const isPlain = !hasOwnIdentity(form)
  const type = isPlain ? sortType(form.item) : 'TEXT'
  const cell = cellColumn(field)
  if (!cell) return { value: sql`null`, type }
  const { queries } = dialect
  if (!form.isList) {
    const item = onlyItem(field, cell, queries)
    if (isPlain) return { value: plainValue(form.item, item, dialect), type }
    const text = itemText(form.item, item, dialect)
    return { value: isShort(form.item) ? text : shortened(text, dialect), type }
  }
  const joined = queries.joined(cell, (json) => {
    const text = itemText(form.item, jsonItem(form.item, json, json.text), dialect)
    return sql`coalesce(length(${text}) || ':' || ${text}, '-')`
  })
  // The text of the list is made once and then looked at.
  const text = sql<string>`l.items`
  const value = sql`case when ${cell} is not null then (select ${shortened(text, dialect)} from (select ${joined} as items) as l) end`
  return { value, type }
}

/** Whether no item is so long that it would be shortened: of choices that is known. */
function isShort(form: ItemForm): boolean {
  return (
    form.kind === 'choice' && form.names().every((name) => name.length <= limits.groupTextLength)
  )
}

/** Whether the identity is one of the values. */
export function isInGroupSql(
  field: SchemaField,
  values: readonly SortValue[],
  dialect: SqlDialect,
): RawBuilder<boolean> {
  const { value, type } = identityOf(field, dialect)
  const filled = values.filter((one) => one !== null)
  const isEmpty = sql<boolean>`${value} is null`
  if (filled.length === 0) return values.length === 0 ? sql`1 = 0` : isEmpty
  const isOne = dialect.queries.isOneOf(value, filled, type)
  return filled.length === values.length ? isOne : sql`(${isEmpty} or ${isOne})`
}

/** An identity that was read. */
export function toIdentity(value: unknown, { type }: Pick<Identity, 'type'>): SortValue {
  if (value === null || value === undefined) return null
  return type === 'REAL' ? Number(value) : (value as string)
}

/** The text that tells an item from others; null for an empty one. */
function itemText(form: ItemForm, item: ItemValue, dialect: SqlDialect): RawBuilder<string> {
  const { queries } = dialect
  switch (form.kind) {
    case 'number':
    case 'press':
      return queries.numberBits(plainValue(form, item, dialect) as RawBuilder<number>)
    case 'boolean':
      return booleanText(item)
    case 'date':
      return plainValue(form, item, dialect) as RawBuilder<string>
    case 'link':
      return sql`(${item.value} || ' ' || ${item.text})`
    default:
      return item.text
  }
}

/** The text itself as far as it has room, and what tells long ones apart that begin alike. */
export function shortened(
  text: RawBuilder<string>,
  { queries }: Pick<SqlDialect, 'queries'>,
): RawBuilder<string> {
  const most = sql.lit(limits.groupTextLength)
  const long = sql`substr(${text}, 1, ${most}) || ${queries.digest(text)}`
  return sql`case when length(${text}) <= ${most} then ${text} else ${long} end`
}
