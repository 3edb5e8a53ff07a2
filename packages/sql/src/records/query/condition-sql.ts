import type { Condition, ItemTest } from '@gateleg/domain/queries/condition'
import type { SchemaField } from '@gateleg/domain/schemas/table-schema'
import { type RawBuilder, sql } from 'kysely'
import type { SqlDialect } from '../../core/dialect/sql-dialect.ts'
import { linkedRecords } from '../../links/link-statements.ts'
import { isLiving } from '../../record-tables/is-living.ts'
import { recordTableOf } from '../../record-tables/record-table.ts'
import { systemColumns } from '../../record-tables/system-columns.ts'
import { cellColumn, type ItemValue, jsonItem, onlyItem } from '../expressions/cell-value.ts'
import { comparedSql, sharedSql } from '../expressions/comparison-sql.ts'
import { isInGroupSql } from '../expressions/group-sql.ts'
import { showsSql } from '../expressions/shown-text-sql.ts'

const holds = sql<boolean>`1 = 1`
const holdsNot = sql<boolean>`1 = 0`

/**
 * The condition about the table as `t`. It may be null where it doesn't hold: what denies it asks whether it is true,
 * so that nothing is unknown.
 */
export function conditionSql(condition: Condition, dialect: SqlDialect): RawBuilder<boolean> {
  switch (condition.kind) {
    case 'all':
    case 'any': {
      const parts = condition.conditions.map((one) => conditionSql(one, dialect))
      if (parts.length === 0) return condition.kind === 'all' ? holds : holdsNot
      return sql`(${sql.join(parts, condition.kind === 'all' ? sql` and ` : sql` or `)})`
    }
    case 'not':
      return dialect.queries.isNotTrue(conditionSql(condition.condition, dialect))
    case 'empty': {
      const cell = cellColumn(condition.field)
      return cell ? sql`${cell} is null` : holds
    }
    case 'group':
      return isInGroupSql(condition.field, condition.values, dialect)
    case 'some':
      return someSql(condition.field, condition.test, dialect)
    case 'every':
      return everySql(condition, dialect)
    case 'compared':
      return comparedSql(condition, dialect)
    case 'shared':
      return sharedSql(condition, dialect)
    case 'ids': {
      const id = sql.ref(`t.${systemColumns.id.name}`)
      return condition.ids.length === 0
        ? holdsNot
        : dialect.queries.isOneOf(id, condition.ids, 'TEXT')
    }
    case 'linked': {
      // The pairs may lie in another base, whose tables aren't joined: they are read first.
      const pairs = linkedRecords(condition, dialect, amongSql(condition, dialect))
      const id = sql.ref(`t.${systemColumns.id.name}`)
      return sql`${id} in (with linked as materialized (${pairs}) select * from linked)`
    }
    case 'shows': {
      const parts = condition.fields.map((field) => showsSql(field, condition.text, dialect))
      return parts.length === 0 ? holdsNot : sql`(${sql.join(parts, sql` or `)})`
    }
  }
}

/** The ids of the records of the other table that count. */
function amongSql(
  { among }: Extract<Condition, { kind: 'linked' }>,
  dialect: SqlDialect,
): RawBuilder<unknown> | undefined {
  if (!among) return undefined
  const table = recordTableOf(among.schema, dialect).name
  const id = sql.ref(`t.${systemColumns.id.name}`)
  return sql`select ${id} from ${table} as t where ${isLiving} and ${conditionSql(among.condition, dialect)}`
}

function someSql(field: SchemaField, test: ItemTest, dialect: SqlDialect): RawBuilder<boolean> {
  const cell = cellColumn(field)
  if (!cell) return holdsNot
  const { form } = field.rules
  if (!form.isList) return testSql(test, onlyItem(field, cell, dialect.queries), dialect)
  const { table, item } = dialect.queries.items(cell, 'i')
  const passes = testSql(test, jsonItem(form.item, item, sql.ref('i.value')), dialect)
  return sql`exists (select 1 from ${table} where ${passes})`
}

function everySql(
  { field, values, alone }: Extract<Condition, { kind: 'every' }>,
  { queries }: SqlDialect,
): RawBuilder<boolean> {
  const cell = cellColumn(field)
  if (!cell) return holdsNot
  const { table, item } = queries.items(cell, 'i')
  const { value, type } = jsonItem(field.rules.form.item, item, sql.ref('i.value'))
  const isOne = values.length === 0 ? holdsNot : queries.isOneOf(value, values, type)
  const found = sql`(select count(distinct ${value}) from ${table} where ${isOne})`
  const hasAll = sql<boolean>`(${cell} is not null and ${found} = ${sql.lit(values.length)})`
  if (!alone) return hasAll
  const other = sql`${value} is not null and ${queries.isNotTrue(isOne)}`
  return sql`(${hasAll} and not exists (select 1 from ${table} where ${other}))`
}

function testSql(
  test: ItemTest,
  { value, type, text }: ItemValue,
  { queries }: SqlDialect,
): RawBuilder<boolean> {
  switch (test.kind) {
    case 'oneOf':
      return test.values.length === 0 ? holdsNot : queries.isOneOf(value, test.values, type)
    case 'contains':
      return queries.foldedContains(text, test.text)
    case 'range': {
      const { from, to } = test
      const bounds = [
        ...(from
          ? [sql`${value} ${sql.raw(from.isOpen ? '>' : '>=')} ${queries.given(from.value, type)}`]
          : []),
        ...(to
          ? [sql`${value} ${sql.raw(to.isOpen ? '<' : '<=')} ${queries.given(to.value, type)}`]
          : []),
      ]
      return sql`(${sql.join(bounds, sql` and `)})`
    }
  }
}
