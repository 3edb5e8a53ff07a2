import type { NumberFormatting } from '@gateleg/domain/values/number-formatting'
import { foldCase } from '@gateleg/domain/values/text'
import { type RawBuilder, sql } from 'kysely'

/**
 * What is shown of a double, folded. `formatNumber` rounds the digits that JavaScript writes a number with, half away
 * from zero, as the server rounds its decimals; so it is all about getting the same digits.
 */
export function shownNumber(
  value: RawBuilder<number>,
  formatting?: NumberFormatting,
): RawBuilder<string> {
  const digits = digitsOf(value)
  if (!formatting) return sql`trim_scale(${digits})::text`
  const { type, precision } = formatting
  const scaled = type === 'percent' ? sql`${digits} * 100` : digits
  const rounded = sql`round(${scaled}, ${sql.lit(precision)})`
  if (type === 'decimal') return sql`${rounded}::text`
  if (type === 'percent') return sql`(${rounded}::text || '%')`
  const symbol = foldCase(formatting.symbol)
  const sign = sql`case when n.value < 0 then '-' else '' end`
  return sql`(select ${sign} || ${symbol}::text || ${groupedSql(precision)} from (select ${rounded} as value) as n)`
}

/** Digits before the point: of the largest double, and of nearly all that people enter. */
const mostDigits = 309
const usualDigits = 15

/** The size of the decimal `n.value`, with commas between thousands. The server takes longer the longer a form is. */
function groupedSql(precision: number): RawBuilder<string> {
  const grouped = (digits: number) => {
    const whole = `FM${'999,'.repeat(digits / 3 - 1)}990`
    const form = precision === 0 ? whole : `${whole}.${'0'.repeat(precision)}`
    return sql`to_char(abs(n.value), ${sql.lit(form)})`
  }
  const isUsual = sql`abs(n.value) < 1e${sql.lit(usualDigits)}`
  return sql`case when ${isUsual} then ${grouped(usualDigits)} else ${grouped(mostDigits)} end`
}

/** The least double from which on whole numbers are left out, and one beyond what is asked about below. */
const firstGap = 9_007_199_254_740_992
const lastHalfway = '1e41'

/**
 * The decimal that JavaScript writes for a double. Both write the shortest one that reads back as the number; but one
 * that lies halfway to the next double is taken by JavaScript alone, where it reads back. Its digits come from a number
 * of 54 bits, so that the powers of ten that it may have, and its size, are bounded.
 */
function digitsOf(value: RawBuilder<number>): RawBuilder<unknown> {
  const written = sql`${value}::text::numeric`
  const unit = sql`10::numeric ^ (length(d.written::text) - length(rtrim(d.written::text, '0')) + 1)`
  const halfway = sql`(select case
    when s.down::double precision = s.value then s.down
    when s.up::double precision = s.value then s.up
    else s.written end
    from (select d.value, d.written,
      trunc(d.written / ${unit}) * (${unit}) as down,
      (trunc(d.written / ${unit}) + sign(d.written)) * (${unit}) as up
      from (select ${value} as value, ${written} as written) as d) as s)`
  const hasGaps = sql`abs(${value}) >= ${sql.lit(firstGap)} and abs(${value}) < ${sql.lit(lastHalfway)}::double precision`
  return sql`(case when ${hasGaps} then ${halfway} else ${written} end)`
}
