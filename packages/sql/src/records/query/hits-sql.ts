import type { PlacedHit, RecordQuery } from '@gateleg/domain/queries/record-query'
import type { Search } from '@gateleg/domain/queries/search'
import type { HitPage } from '@gateleg/domain/records/reading/record-finder'
import { type RawBuilder, sql } from 'kysely'
import type { SqlDialect } from '../../core/dialect/sql-dialect.ts'
import { isLiving } from '../../record-tables/is-living.ts'
import { systemColumns } from '../../record-tables/system-columns.ts'
import { showsSql } from '../expressions/shown-text-sql.ts'
import { orderSql, queryTerms } from '../expressions/sort-sql.ts'
import { conditionSql } from './condition-sql.ts'

/**
 * The records with the hits of a page: the id of each, its place, a text with `1` for each field that shows what is
 * searched and `0` for each other (for all fields of a record that can't show it, where that is known), and how many hits there are up to and with it. The
 * table is that of `withNotedPlaces`.
 */
export function hitsSql(
  table: RawBuilder<unknown>,
  query: RecordQuery,
  { fields, text, isCandidate }: Search & { readonly isCandidate: RawBuilder<boolean> | undefined },
  { skip, take }: HitPage,
  dialect: SqlDialect,
): RawBuilder<unknown> {
  const terms = queryTerms(query, dialect)
  const order = orderSql(
    terms,
    terms.map(({ value }) => value),
  )
  const bits = fields.map(
    (field) => sql`case when ${showsSql(field, text, dialect)} then '1' else '0' end`,
  )
  const all = concatenated(bits)
  const hits = isCandidate
    ? sql`case when ${isCandidate} then ${all} else ${'0'.repeat(fields.length)} end`
    : all
  const id = sql`t.${sql.id(systemColumns.id.name)}`
  const where = sql`${isLiving} and ${conditionSql(query.condition, dialect)}`
  const placed = sql`select ${id} as id, row_number() over (order by ${order}) as place, ${hits} as hits from ${table} where ${where}`
  const count = sql`length(replace(p.hits, '0', ''))`
  const counted = sql`select p.id, p.place, p.hits, sum(${count}) over (order by p.place) as upto, ${count} as own from (${placed}) as p where ${count} > 0`
  return sql`select c.id, c.place, c.hits, c.upto from (${counted}) as c where c.upto > ${skip} and c.upto - c.own < ${skip + take} order by c.place`
}

/** Texts one after another, so nested that hundreds of them stay within the depth of expressions. */
function concatenated(texts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  if (texts.length <= 1) return texts[0] ?? sql`''`
  const middle = Math.ceil(texts.length / 2)
  return sql`(${concatenated(texts.slice(0, middle))} || ${concatenated(texts.slice(middle))})`
}

/** The hits of the page, from the rows that the statement gives. */
export function toHits(
  rows: readonly (readonly unknown[])[],
  { fields }: Search,
  { skip, take }: HitPage,
): readonly PlacedHit[] {
  const hits = rows.flatMap(([recordId, place, bits]) =>
    fields.flatMap(({ field }, index): PlacedHit | readonly PlacedHit[] =>
      (bits as string)[index] === '1'
        ? { index: Number(place), recordId: recordId as string, fieldId: field.id }
        : [],
    ),
  )
  const [first] = rows
  if (!first) return []
  // The page may begin within the hits of its first record.
  const ofFirst = hits.filter(({ recordId }) => recordId === first[0]).length
  const before = Number(first[3]) - ofFirst
  return hits.slice(skip - before, skip - before + take)
}
