import { formulaTimeZone } from '@gateleg/testing/arbitraries/formula-row'
import { evaluateIn, type FormulaCell } from '@gateleg/testing/factories/formula-world'
import { withLimits } from '@gateleg/testing/with-limits'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../../limits.ts'

const cells: Readonly<Record<string, FormulaCell>> = {
  date: { type: 'dateTime', value: '2024-03-05T23:30:15.678Z' },
  noDate: { type: 'dateTime', value: null },
  days: { type: 'dateTime', value: ['2024-03-04T00:00:00.000Z', '2024-03-09T00:00:00.000Z'] },
  noCount: { type: 'number', value: null },
  empty: { type: 'string', value: null },
}

const evaluate = (formula: string, timeZone = 'UTC') => evaluateIn(formula, { cells, timeZone })
const day = (date: string) => `${date}T00:00:00.000Z`

describe('date functions', () => {
  it.each([
    ['YEAR({date})', 'UTC', 2024],
    ['MONTH({date})', 'UTC', 3],
    ['DAY({date})', 'UTC', 5],
    ['DAY({date})', 'Europe/Berlin', 6],
    ['HOUR({date})', 'Europe/Berlin', 0],
    ['HOUR({date})', 'America/New_York', 18],
    ['MINUTE({date})', 'Asia/Kathmandu', 15],
    ['SECOND({date})', 'UTC', 15],
    ['WEEKDAY({date})', 'Europe/Berlin', 3],
    ['DATESTR({date})', 'Europe/Berlin', '2024-03-06'],
    ['TIMESTR({date})', 'Europe/Berlin', '00:30:15'],
    ['YEAR("2023-12-31T23:30:00Z")', 'Europe/Berlin', 2024],
    ['HOUR("2024-03-05 10:00")', 'America/New_York', 10],
    ['YEAR({noDate})', 'UTC', null],
    ['DATESTR({noDate})', 'UTC', null],
  ])('[FORMULA-80] %s in %s is %j', (formula, timeZone, value) => {
    expect(evaluate(formula, timeZone)).toBe(value)
  })

  it.each([
    ['DATE_ADD("2024-01-31",1,"month")', day('2024-02-29')],
    ['DATE_ADD("2023-01-31",1,"month")', day('2023-02-28')],
    ['DATE_ADD("2024-03-31",-1,"months")', day('2024-02-29')],
    ['DATE_ADD("2024-02-29",1,"year")', day('2025-02-28')],
    ['DATE_ADD("2024-02-29",-4,"years")', day('2020-02-29')],
    ['DATE_ADD("2024-11-30",1,"quarter")', day('2025-02-28')],
    ['DATE_ADD("2024-02-28",2,"day")', day('2024-03-01')],
    ['DATE_ADD("2024-02-28",1.9,"days")', day('2024-02-29')],
    ['DATE_ADD("2024-02-28",1,"w")', day('2024-03-06')],
    ['DATE_ADD("2024-02-28",36,"hour")', '2024-02-29T12:00:00.000Z'],
    ['DATE_ADD("2024-02-28",0.5,"m")', '2024-02-28T00:00:30.000Z'],
    ['DATE_ADD("2024-02-28",1,"M")', day('2024-03-28')],
    ['DATE_ADD("2024-02-28",-1,"ms")', '2024-02-27T23:59:59.999Z'],
    ['DATE_ADD("2024-02-28",{noCount},"day")', day('2024-02-28')],
    ['DATE_ADD({noDate},1,"day")', null],
    ['DATE_ADD("2024-02-28",1,{empty})', null],
  ])('[FORMULA-81] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it.each([
    ['day', '2024-03-31T21:30:00.000Z'],
    ['hours', '2024-03-31T22:30:00.000Z'],
    ['week', '2024-04-06T21:30:00.000Z'],
    ['month', '2024-04-30T21:30:00.000Z'],
  ])('[FORMULA-81] moves by the calendar over a change of clocks: a %s', (unit, value) => {
    const count = unit === 'hours' ? 24 : 1
    const formula = `DATE_ADD("2024-03-30T23:30:00+01:00",${count},"${unit}")`
    expect(evaluate(formula, 'Europe/Berlin')).toBe(value)
  })

  it.each([
    ['DATETIME_DIFF("2024-03-05","2024-03-01")', 4],
    ['DATETIME_DIFF("2024-03-01","2024-03-05","day")', -4],
    ['DATETIME_DIFF("2024-03-05 23:00","2024-03-04","day")', 1],
    ['DATETIME_DIFF("2024-03-05","2024-03-04 01:00","hours")', 23],
    ['DATETIME_DIFF("2024-03-05","2024-03-04","minute")', 1440],
    ['DATETIME_DIFF("2024-03-05 00:00:00.5","2024-03-05","ms")', 500],
    ['DATETIME_DIFF("2024-03-20","2024-03-05","week")', 2],
    ['DATETIME_DIFF("2024-03-30","2024-01-31","month")', 1],
    ['DATETIME_DIFF("2024-03-31","2024-01-31","month")', 2],
    ['DATETIME_DIFF("2024-01-31","2024-02-29","month")', 0],
    ['DATETIME_DIFF("2024-02-29","2024-01-31","month")', 1],
    ['DATETIME_DIFF("2024-01-31","2024-03-31","month")', -2],
    ['DATETIME_DIFF("2024-01-31","2024-03-30","month")', -1],
    ['DATETIME_DIFF("2024-12-31","2024-01-01","quarter")', 3],
    ['DATETIME_DIFF("2024-12-31","2020-12-31","y")', 4],
    ['DATETIME_DIFF("2020-12-31","2024-12-30","y")', -3],
    ['DATETIME_DIFF({noDate},"2024-01-01")', null],
    ['DATETIME_DIFF("soon","2024-01-01")', null],
  ])('[FORMULA-82] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it('[FORMULA-82] counts days by the calendar over a change of clocks', () => {
    const formula = (unit: string) => `DATETIME_DIFF("2024-04-01","2024-03-31","${unit}")`
    expect(evaluate(formula('day'), 'Europe/Berlin')).toBe(1)
    expect(evaluate(formula('hour'), 'Europe/Berlin')).toBe(23)
  })

  it('[FORMULA-82] always counts back what DATE_ADD added', () => {
    const date = fc
      .date({
        min: new Date(Date.UTC(1990, 0)),
        max: new Date(Date.UTC(2035, 0)),
        noInvalidDate: true,
      })
      .map((each) => each.toISOString())
    const unit = fc.constantFrom('ms', 'second', 'minute', 'hour', 'day', 'week')
    fc.assert(
      fc.property(date, fc.integer({ min: 0, max: 5_000 }), unit, (start, count, by) => {
        const formula = `DATETIME_DIFF(DATE_ADD("${start}",${count},"${by}"),"${start}","${by}")`
        expect(evaluate(formula)).toBe(count)
      }),
    )
  })

  it.each([
    ['IS_SAME("2024-03-05","2024-03-05")', true],
    ['IS_SAME("2024-03-05","2024-03-06")', false],
    ['IS_SAME("2024-03-05 01:00","2024-03-05","day")', true],
    ['IS_SAME("2024-03-05","2024-03-31","month")', true],
    ['IS_SAME("2024-03-05","2024-01-31","quarter")', true],
    ['IS_SAME("2024-03-02","2024-03-03","week")', false],
    ['IS_SAME("2024-03-03","2024-03-09","week")', true],
    ['IS_AFTER("2024-03-10","2024-03-08")', true],
    ['IS_AFTER("2024-03-10","2024-03-08","month")', false],
    ['IS_AFTER("2024-03-10","2024-03-10")', false],
    ['IS_BEFORE("2024-03-08","2024-03-10")', true],
    ['IS_BEFORE("2023-12-31","2024-01-01","year")', true],
    ['IS_BEFORE({noDate},"2024-01-01")', false],
    ['IS_SAME({noDate},{noDate})', false],
    ['IS_SAME("2024-03-05","2024-03-05",{empty})', true],
  ])('[FORMULA-83] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it('[FORMULA-83] compares days by the clocks of the time zone', () => {
    const formula = 'IS_SAME("2024-03-05T22:30:00Z","2024-03-05T23:30:00Z","day")'
    expect(evaluate(formula)).toBe(true)
    expect(evaluate(formula, 'Europe/Berlin')).toBe(false)
  })

  it.each([
    ['WORKDAY("2023-09-08",200)', day('2024-06-14')],
    ['WORKDAY("2024-03-01",1,"2024-03-04")', day('2024-03-05')],
    ['WORKDAY("2024-03-01",1,"2024-03-02, 2024-03-04,2024-03-05")', day('2024-03-06')],
    ['WORKDAY("2024-03-01",1,{days})', day('2024-03-05')],
    ['WORKDAY("2024-03-05",-1,{days})', day('2024-03-01')],
    ['WORKDAY("2024-03-02",1)', day('2024-03-04')],
    ['WORKDAY("2024-03-02",0)', day('2024-03-02')],
    ['WORKDAY("2024-03-03",-5)', day('2024-02-26')],
    ['WORKDAY("2024-03-01 17:30",1)', '2024-03-04T17:30:00.000Z'],
    ['WORKDAY("2024-03-01",1.9,{empty})', day('2024-03-04')],
    ['WORKDAY({noDate},1)', null],
    ['WORKDAY("2024-03-01",POWER(10,300))', null],
    ['WORKDAY("2024-03-01",3000000)', null],
    ['WORKDAY_DIFF("2023-06-18","2023-10-01")', 75],
    ['WORKDAY_DIFF("2024-03-05","2024-03-01")', -3],
    ['WORKDAY_DIFF("2024-03-02","2024-03-03")', 0],
    ['WORKDAY_DIFF("2024-03-01","2024-03-05",{days})', 2],
    ['WORKDAY_DIFF("2024-03-01","2024-03-05","2024-03-04, 2024-03-04")', 2],
    ['WORKDAY_DIFF({noDate},"2024-03-05")', null],
  ])('[FORMULA-84] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it('[FORMULA-84] adds so many workdays, forth or back, and no more', async () => {
    await withLimits({ workdays: 5 }, async () => {
      expect(evaluate('WORKDAY("2024-03-01",5)')).toBe(day('2024-03-08'))
      expect(evaluate('WORKDAY("2024-03-08",-5)')).toBe(day('2024-03-01'))
      expect(evaluate('WORKDAY("2024-03-01",6)')).toBeNull()
      expect(evaluate('WORKDAY("2024-03-08",-6)')).toBeNull()
    })
    // From the first year to the last.
    const most = limits.workdays - 400_000
    expect(evaluate(`WORKDAY("0001-01-01",${most})`)).toMatch(/^9[5-9]/)
  })

  it('[FORMULA-84] keeps the time on the clock of the time zone', () => {
    const formula = 'WORKDAY("2024-03-29 09:00",1)'
    expect(evaluate(formula, 'Europe/Berlin')).toBe('2024-04-01T07:00:00.000Z')
  })

  it.each([
    ['WEEKDAY("2024-03-03")', 0],
    ['WEEKDAY("2024-03-03","Monday")', 6],
    ['WEEKDAY("2024-03-03","sunday")', 0],
    ['WEEKDAY("1969-12-31")', 3],
    ['WEEKNUM("2024-01-01")', 1],
    ['WEEKNUM("2024-01-07")', 2],
    ['WEEKNUM("2024-01-07","Monday")', 1],
    ['WEEKNUM("2023-12-31")', 1],
    ['WEEKNUM("2023-12-30")', 52],
    ['WEEKNUM({noDate})', null],
  ])('[FORMULA-85] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it.each([
    ['DATETIME_FORMAT({date})', 'Asia/Kathmandu', '2024-03-06T05:15:15+05:45'],
    ['DATETIME_FORMAT({date},{empty})', 'UTC', '2024-03-05T23:30:15+00:00'],
    ['DATETIME_FORMAT({noDate},"YYYY")', 'UTC', null],
    ['DATETIME_FORMAT({date},"")', 'UTC', null],
  ])('[FORMULA-86] %s in %s is %j', (formula, timeZone, value) => {
    expect(evaluate(formula, timeZone)).toBe(value)
  })

  it.each([
    ['DATETIME_PARSE("5 Mar 2024","D MMM YYYY")', '2024-03-04T23:00:00.000Z'],
    ['DATETIME_PARSE("2024-03-05")', '2024-03-04T23:00:00.000Z'],
    ['DATETIME_PARSE("2024-03-05T10:00Z")', '2024-03-05T10:00:00.000Z'],
    ['DATETIME_PARSE("soon")', null],
    ['DATETIME_PARSE({empty})', null],
  ])('[FORMULA-87] %s in Berlin is %j', (formula, value) => {
    expect(evaluate(formula, 'Europe/Berlin')).toBe(value)
  })

  it.each([
    ['NOW()', '2024-03-05T23:30:15.678Z'],
    ['TODAY()', '2024-03-05T23:00:00.000Z'],
    ['FROMNOW("2024-03-10 12:00","day")', 4],
    ['TONOW("2024-03-10 12:00","day")', -4],
    ['FROMNOW("2024-03-01","hours")', -120],
    ['TONOW("2024-03-01")', 5],
    ['FROMNOW({noDate},"day")', null],
  ])('[FORMULA-89] %s in Berlin is %j', (formula, value) => {
    const world = { cells, timeZone: 'Europe/Berlin', now: '2024-03-05T23:30:15.678Z' }
    expect(evaluateIn(formula, world)).toBe(value)
  })

  it.each([
    'DATE_ADD("9999-12-31",2,"day")',
    'DATE_ADD("0001-01-01",-1,"ms")',
    'DATE_ADD("2024-01-01",1000000000000000000000,"year")',
    'DATE_ADD("2024-01-01",-1000000000000000000000,"day")',
    'DATE_ADD("2024-01-01",1000000000000000000000,"hour")',
    'DATE_ADD("2024-01-01",10000,"year")',
    'WORKDAY("9999-12-31",1)',
    'DATETIME_PARSE("0000-01-01")',
  ])('[FORMULA-90] has no value for %s', (formula) => {
    expect(evaluate(formula)).toBeNull()
    expect(evaluate(formula, 'Pacific/Apia')).toBeNull()
  })

  it.each([
    ['YEAR("2024/3/5")', 2024],
    ['DAY(" 2024-03-05 ")', 5],
    ['HOUR("2024-03-05T10:20:30.123+02:00")', 8],
    ['YEAR("soon")', null],
    ['YEAR("2024-02-30")', null],
    ['YEAR({empty})', null],
    ['IS_BEFORE("soon","2024-01-01")', false],
  ])('[FORMULA-91] %s is %j', (formula, value) => {
    expect(evaluate(formula)).toBe(value)
  })

  it('[FORMULA-80] always agrees with the format on the parts of a date', () => {
    const date = fc
      .date({ min: new Date(-6e13), max: new Date(2.5e14), noInvalidDate: true })
      .map((each) => each.toISOString())
    const parts =
      'YEAR({d})&" "&MONTH({d})&" "&DAY({d})&" "&HOUR({d})&" "&MINUTE({d})&" "&SECOND({d})&" "&WEEKDAY({d})&" "&WEEKNUM({d})'
    fc.assert(
      fc.property(date, formulaTimeZone, (value, timeZone) => {
        const world = { cells: { d: { type: 'dateTime' as const, value } }, timeZone }
        const written = evaluateIn('DATETIME_FORMAT({d},"YYYY M D H m s d w")', world)
        expect(String(written).replace(/^0+/, '')).toBe(evaluateIn(parts, world))
      }),
    )
  })
})
