import type { ItemForm } from '@gateleg/domain/fields/cell-form'
import type { QueryPosition, RecordQuery } from '@gateleg/domain/queries/record-query'
import { type SortKey, sortTextLength } from '@gateleg/domain/queries/sort-keys'
import { dateGranularity, granularityLengths } from '@gateleg/domain/values/date-format'
import { timeZone } from '@gateleg/domain/values/time-zone'
import { type RawBuilder, sql } from 'kysely'
import type { SqlDialect } from '../../core/dialect/sql-dialect.ts'
import { systemColumns } from '../../schemas/system-columns.ts'
import { placeOfRecord } from '../../views/row-order-table.ts'
import { cellColumn, type ItemValue, jsonItem, onlyItem } from './cell-value.ts'
import { userTitleSql } from './shown-text-sql.ts'

/** One value that orders records, as an expression about the table as `t`. */
export interface SortTerm {
  readonly value: RawBuilder<unknown>
  readonly type: 'TEXT' | 'REAL'
  readonly isDescending: boolean
}

const autoNumber = sql.ref(`t.${systemColumns.autoNumber.name}`)

/** The values that order what a query finds, of the records of `withNotedPlaces`: those of its keys, then their places. */
export function queryTerms(
  { keys, rowOrder }: Pick<RecordQuery, 'keys' | 'rowOrder'>,
  dialect: SqlDialect,
): readonly SortTerm[] {
  const terms = sortTerms(keys, dialect)
  return rowOrder ? [...terms, { value: placeOfRecord, type: 'REAL', isDescending: false }] : terms
}

/** The values that order records by the keys; as many as `sortValuesOf` gives for each. */
export function sortTerms(keys: readonly SortKey[], dialect: SqlDialect): readonly SortTerm[] {
  const length = sortTextLength(keys)
  return keys.flatMap(({ field, isDescending }): SortTerm[] => {
    const { item: form, isList } = field.rules.form
    const cell = cellColumn(field)
    const { queries } = dialect
    const first =
      cell &&
      (isList ? jsonItem(form, queries.firstOf(cell), cell) : onlyItem(field, cell, queries))
    const value = first ? sortValue(form, first, length, dialect) : sql`null`
    const term: SortTerm = { value, type: typeOf(form), isDescending }
    if (!isList) return [term]
    return [term, { value: cell ? queries.lengthOf(cell) : sql`null`, type: 'REAL', isDescending }]
  })
}

/** What follows `order by`: empty cells first upwards, last downwards; those that are alike by their numbers. */
export function orderSql(
  terms: readonly SortTerm[],
  names: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> {
  const parts = terms.map(({ isDescending }, index) => {
    const direction = sql.raw(isDescending ? 'desc nulls last' : 'asc nulls first')
    return sql`${names[index]} ${direction}`
  })
  return sql.join([...parts, autoNumber])
}

/** Whether a record stands after the position. */
export function afterSql(
  terms: readonly SortTerm[],
  { values, autoNumber: last }: QueryPosition,
  dialect: SqlDialect,
): RawBuilder<boolean> {
  const isLater = sql<boolean>`${autoNumber} > ${dialect.queries.given(last, 'INTEGER')}`
  return terms.reduceRight((rest, { value, type, isDescending }, index): RawBuilder<boolean> => {
    const at = values[index] ?? null
    if (at === null) {
      const isSame = sql<boolean>`(${value} is null and ${rest})`
      return isDescending ? isSame : sql`(${value} is not null or ${isSame})`
    }
    const given = dialect.queries.given(at, type)
    const isSame = sql<boolean>`(${value} = ${given} and ${rest})`
    if (isDescending) return sql`(${value} < ${given} or ${value} is null or ${isSame})`
    return sql`(${value} > ${given} or ${isSame})`
  }, isLater)
}

function typeOf({ kind }: ItemForm): SortTerm['type'] {
  return kind === 'number' || kind === 'boolean' || kind === 'press' || kind === 'choice'
    ? 'REAL'
    : 'TEXT'
}

function sortValue(
  form: ItemForm,
  { value, type, text, presses }: ItemValue,
  length: number,
  dialect: SqlDialect,
): RawBuilder<unknown> {
  const { queries } = dialect
  switch (form.kind) {
    case 'number':
      return value
    case 'boolean':
      return sql`case when ${value} then 1 when not ${value} then 0 end`
    case 'press':
      return presses ?? sql`null`
    case 'choice':
      return queries.placeIn(form.names(), value)
    case 'date': {
      const moment = type === 'DATETIME' ? value : queries.toMoment(value)
      const shown = granularityLengths[dateGranularity(form.formatting)]
      const zone = timeZone(form.formatting.timeZone).isUtc ? 'UTC' : form.formatting.timeZone
      return queries.localText(moment, zone, shown)
    }
    case 'user':
      return userTitleSql(value, dialect, length)
    default:
      return queries.fold(sql`substr(${text}, 1, ${sql.lit(length)})`)
  }
}
