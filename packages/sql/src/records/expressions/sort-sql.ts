import type { ItemForm } from '@gateleg/domain/fields/cell-form'
import { hasOwnIdentity } from '@gateleg/domain/queries/group-identity'
import type { QueryPosition, RecordQuery } from '@gateleg/domain/queries/record-query'
import { type SortKey, sortTextLength } from '@gateleg/domain/queries/sort-keys'
import { type RawBuilder, sql } from 'kysely'
import type { SqlDialect } from '../../core/dialect/sql-dialect.ts'
import { isOrderedAsIs } from '../../index-demand/wanted-keys.ts'
import { placeOfRecord } from '../../record-tables/row-order-table.ts'
import { systemColumns } from '../../record-tables/system-columns.ts'
import { cellColumn, type ItemValue, jsonItem, onlyItem } from './cell-value.ts'
import { identityOf } from './group-sql.ts'
import { plainValue, sortType } from './plain-value.ts'
import { userTitleSql } from './shown-text-sql.ts'

/** One value that orders records, as an expression about the table as `t`. */
export interface SortTerm {
  readonly value: RawBuilder<unknown>
  readonly type: 'TEXT' | 'REAL'
  readonly isDescending: boolean
  /** Whether it is a column as it is stored, and nothing that is made of one. */
  readonly isColumn: boolean
}

const autoNumber = sql.ref(`t.${systemColumns.autoNumber.name}`)

/** The values that order what a query finds, of the records of `withNotedPlaces`: those of its keys, then their places. */
export function queryTerms(
  { keys, rowOrder }: Pick<RecordQuery, 'keys' | 'rowOrder'>,
  dialect: SqlDialect,
): readonly SortTerm[] {
  const terms = sortTerms(keys, dialect)
  return rowOrder
    ? [...terms, { value: placeOfRecord, type: 'REAL', isDescending: false, isColumn: false }]
    : terms
}

/** The values that order records by the keys; as many as `sortValuesOf` gives for each. */
function sortTerms(keys: readonly SortKey[], dialect: SqlDialect): readonly SortTerm[] {
  return keys.flatMap((key): SortTerm[] => {
    const { field, isDescending, isGroup = false } = key
    const { item: form, isList } = field.rules.form
    const cell = cellColumn(field)
    const { queries } = dialect
    const first =
      cell &&
      (isList ? jsonItem(form, queries.firstOf(cell), cell) : onlyItem(field, cell, queries))
    const value = first ? sortValue(form, first, sortTextLength(key, keys), dialect) : sql`null`
    const length = {
      value: cell ? queries.lengthOf(cell) : sql`null`,
      type: 'REAL' as const,
    }
    const terms = [
      { value, type: sortType(form) },
      ...(isList ? [length] : []),
      ...(isGroup && hasOwnIdentity(field.rules.form) ? [identityOf(field, dialect)] : []),
    ]
    const isColumn = isOrderedAsIs(key)
    return terms.map((term) => ({ ...term, isDescending, isColumn }))
  })
}

/**
 * What follows `order by`: empty cells first upwards, last downwards; those that are alike by their numbers, or by what
 * else comes last.
 */
export function orderSql(
  terms: readonly SortTerm[],
  names: readonly RawBuilder<unknown>[],
  last: RawBuilder<unknown> = autoNumber,
): RawBuilder<unknown> {
  const parts = terms.map(({ isDescending }, index) => {
    const direction = sql.raw(isDescending ? 'desc nulls last' : 'asc nulls first')
    return sql`${names[index]} ${direction}`
  })
  return sql.join([...parts, last])
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

/**
 * What holds of the records after the position, in parts that follow one another in the order: each is a range of an
 * index that has records in the order. All of them together are `afterSql`.
 */
export function stepsAfter(
  terms: readonly SortTerm[],
  { values, autoNumber: last }: QueryPosition,
  dialect: SqlDialect,
): readonly RawBuilder<boolean>[] {
  const given = (index: number) =>
    dialect.queries.given(values[index] ?? null, terms[index]?.type ?? 'TEXT')
  const isAt = terms.map(({ value }, index) =>
    (values[index] ?? null) === null
      ? sql<boolean>`${value} is null`
      : sql<boolean>`${value} = ${given(index)}`,
  )
  const number = dialect.queries.given(last, 'INTEGER')
  const isUpwards = terms.every(
    ({ isDescending, isColumn }, index) =>
      !isDescending &&
      (values[index] ?? null) !== null &&
      (isColumn || dialect.queries.searchesExpressions),
  )
  if (isUpwards) {
    // Those without a value stand before: a comparison with nothing leaves them out.
    const standing = sql.join([...terms.map(({ value }) => value), autoNumber])
    return [sql<boolean>`(${standing}) > (${sql.join([...terms.map((_, i) => given(i)), number])})`]
  }
  const isLater = sql<boolean>`${autoNumber} > ${number}`
  const steps = [[...isAt, isLater]]
  // The fewer of its values a record shares with the position, the further away it is.
  for (const [index, { value, isDescending }] of [...terms.entries()].toReversed()) {
    const isEmpty = (values[index] ?? null) === null
    const same = isAt.slice(0, index)
    if (!isDescending) {
      const isBeyond = isEmpty ? sql`${value} is not null` : sql`${value} > ${given(index)}`
      steps.push([...same, isBeyond as RawBuilder<boolean>])
    } else if (!isEmpty) {
      steps.push([...same, sql<boolean>`${value} < ${given(index)}`])
      steps.push([...same, sql<boolean>`${value} is null`])
    }
  }
  return steps.map((parts) => sql<boolean>`(${sql.join(parts, sql` and `)})`)
}

/** What an item orders records by, so many characters of a text. */
export function sortValue(
  form: ItemForm,
  item: ItemValue,
  length: number,
  dialect: SqlDialect,
): RawBuilder<unknown> {
  const { value, text } = item
  const { queries } = dialect
  switch (form.kind) {
    case 'choice':
      return queries.placeIn(form.names(), value)
    case 'number':
    case 'boolean':
    case 'press':
    case 'date':
      return plainValue(form, item, dialect)
    case 'user':
      return userTitleSql(value, dialect, length)
    default:
      return queries.foldStart(text, length)
  }
}
