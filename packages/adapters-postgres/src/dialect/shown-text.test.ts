import { toTimestamp } from '@gateleg/domain/clock'
import { localFormat, toLocalText } from '@gateleg/domain/values/dates/date-format'
import { timeZone } from '@gateleg/domain/values/dates/time-zone'
import { formatNumber } from '@gateleg/domain/values/number-format'
import { foldCase } from '@gateleg/domain/values/text'
import {
  dateFormatting,
  numberFormatting,
  timestamp,
} from '@gateleg/testing/arbitraries/field-options'
import fc from 'fast-check'
import { createQueryId, type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testConnectionString } from '../../../../test/fresh-postgres.ts'
import { isOn } from '../../../../test/storages.ts'
import { toParameter } from '../connection/to-parameter.ts'
import { postgresDialect } from '../dialect.ts'
import { queryDialect } from './query-dialect.ts'

/** The bits of doubles, and numbers that are hard to write: halfway between others, or halfway to the next digit. */
const double = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc
    .tuple(fc.nat(), fc.nat({ max: 0x1fffff }), fc.nat({ max: 60 }))
    .map(([low, high, shift]) => (2 ** 53 + 2 * (high * 2 ** 31 + low)) * 2 ** shift),
  fc
    .tuple(fc.nat({ max: 999 }), fc.integer({ min: 10, max: 50 }))
    .map(([digits, power]) => Number(`${digits}e${power}`)),
  fc.integer().map((thousandths) => thousandths / 1_000),
  fc.integer({ min: -1_074, max: 1_023 }).map((power) => 2 ** power),
  fc.constantFrom(0, -0, 1.005, 2.5, 1e21, 1e23, -1e15, Number.MAX_VALUE, -Number.MAX_VALUE),
)

/** Vithkuqi, Garay, Medefaidrin and Beria Erfe, which fold as the database knows them. */
const scriptsOfFew = [
  [0x10570, 0x105bf],
  [0x10d40, 0x10d8f],
  [0x16e40, 0x16e9f],
  [0x16ea0, 0x16edf],
] as const

describe.runIf(isOn('postgres'))('what is shown of a value', () => {
  let client: pg.Client

  beforeAll(async () => {
    client = new pg.Client({ connectionString: testConnectionString() })
    await client.connect()
    await client.query("set timezone = 'UTC'")
  })
  afterAll(() => client.end())

  const textsOf = async (
    shown: RawBuilder<string>,
    values: readonly unknown[],
    type: 'float8' | 'timestamptz' | 'text',
  ): Promise<readonly string[]> => {
    const statement = sql`select array_agg(${shown} order by v.place) as texts
      from unnest(${values as unknown}::${sql.raw(type)}[]) with ordinality as v(value, place)`
    const compiler = postgresDialect('any').createQueryCompiler()
    const compiled = compiler.compileQuery(statement.toOperationNode(), createQueryId())
    const { rows } = await client.query(compiled.sql, compiled.parameters.map(toParameter))
    return rows[0].texts
  }

  test('[QUERY-16] a number always has the digits that the program shows', () =>
    fc.assert(
      fc.asyncProperty(
        numberFormatting,
        fc.array(double, { minLength: 50, maxLength: 100 }),
        async (some, values) => {
          const formatting = { precision: 2, ...some } as Parameters<typeof formatNumber>[1]
          const shown = queryDialect.shownNumber(sql`v.value`, formatting)
          expect(await textsOf(shown, values, 'float8')).toEqual(
            values.map((value) => foldCase(formatNumber(value, formatting))),
          )
        },
      ),
      { numRuns: 100 },
    ))

  test('[QUERY-16] a number without a formatting always has its plain digits', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.maxSafeInteger(), { minLength: 1 }), async (values) => {
        const texts = await textsOf(queryDialect.shownNumber(sql`v.value`), values, 'float8')
        expect(texts).toEqual(values.map(String))
      }),
      { numRuns: 50 },
    ))

  test('[QUERY-16] a date is always shown as the program shows it', () =>
    fc.assert(
      fc.asyncProperty(
        dateFormatting,
        fc.array(timestamp, { minLength: 20, maxLength: 50 }),
        async (some, moments) => {
          const formatting = {
            ...({ date: 'YYYY-MM-DD', time: 'None', timeZone: 'UTC' } as const),
            ...some,
          } as Parameters<typeof queryDialect.shownDate>[1]
          const shown = queryDialect.shownDate(sql`v.value`, formatting)
          const zone = timeZone(formatting.timeZone)
          const show = localFormat(formatting)
          expect(await textsOf(shown, moments, 'timestamptz')).toEqual(
            moments.map((at) => foldCase(show(toLocalText(toTimestamp(Date.parse(at)), zone)))),
          )
        },
      ),
      { numRuns: 100 },
    ))

  test('[FIELD-370] letters are folded as the program folds them, whatever Unicode the database knows', async () => {
    const all = Array.from({ length: 0x1_ffff }, (_, index) => index + 1)
    const isLetter = (code: number) =>
      (code < 0xd800 || code > 0xdfff) &&
      scriptsOfFew.every(([first, last]) => code < first || code > last)
    const letters = all.filter(isLetter).map((code) => String.fromCodePoint(code))
    const folded = await textsOf(queryDialect.fold(sql`v.value`), letters, 'text')
    const differing = letters.filter((letter, index) => folded[index] !== foldCase(letter))
    expect(differing.map((letter) => letter.codePointAt(0)?.toString(16))).toEqual([])
  })
})
