import { formulaTimeZone } from '@gateleg/testing/arbitraries/formula-row'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { timeZone } from '../../values/dates/time-zone.ts'
import { dateTokens, parseDatePattern } from './date-pattern.ts'
import { readDate, unreadableToken } from './read-date.ts'
import { writeDate } from './write-date.ts'

const utc = timeZone('UTC')

function write(date: string, pattern: string, zone = utc): string {
  return writeDate(Date.parse(date), parseDatePattern(pattern) ?? [], zone)
}

function read(text: string, pattern: string, zone = utc): string | null {
  const nowMs = Date.parse('2024-03-05T10:20:30.123Z')
  const found = readDate(text, parseDatePattern(pattern) ?? [], { zone, nowMs })
  return found === null ? null : new Date(found).toISOString()
}

describe('writing dates', () => {
  const date = '2024-03-05T13:04:09.078Z'

  it.each([
    ['YYYY YY', '2024 24'],
    ['GGGG gggg', '2024 2024'],
    ['Q Qo', '1 1st'],
    ['MMMM MMM MM Mo M', 'March Mar 03 3rd 3'],
    ['DDDD DDDo DDD', '065 65th 65'],
    ['DD Do D', '05 5th 5'],
    ['dddd ddd dd do d E', 'Tuesday Tue Tu 2nd 2 2'],
    ['ww wo w WW Wo W', '10 10th 10 10 10th 10'],
    ['HH H hh h kk k', '13 13 01 1 13 13'],
    ['A a', 'PM pm'],
    ['mm m ss s', '04 4 09 9'],
    ['SSS SS S', '078 07 0'],
    ['ZZ Z', '+0000 +00:00'],
    ['X x', '1709643849 1709643849078'],
    ['L | LL', '03/05/2024 | March 5, 2024'],
    ['LLL | LLLL', 'March 5, 2024 1:04 PM | Tuesday, March 5, 2024 1:04 PM'],
    ['l | ll', '3/5/2024 | Mar 5, 2024'],
    ['lll | llll', 'Mar 5, 2024 1:04 PM | Tue, Mar 5, 2024 1:04 PM'],
    ['LT | LTS', '1:04 PM | 1:04:09 PM'],
    ['[YYYY] [at LT] YYYY', 'YYYY at LT 2024'],
    ['YYYYMMDD', '20240305'],
    ['[', '['],
    ['', ''],
  ])('[FORMULA-86] writes %s as %s', (pattern, text) => {
    expect(write(date, pattern)).toBe(text)
  })

  it.each([
    ['2024-01-01T00:00:00.000Z', 'h hh k kk A', '12 12 24 24 AM'],
    ['2024-01-01T12:00:00.000Z', 'h A', '12 PM'],
    ['2024-01-07T00:00:00.000Z', 'd E W w', '0 7 1 2'],
    ['2023-01-01T00:00:00.000Z', 'GGGG-[W]WW gggg-ww', '2022-W52 2023-01'],
    ['2024-12-31T00:00:00.000Z', 'GGGG-[W]WW DDDD Q', '2025-W01 366 4'],
    ['2024-01-11T00:00:00.000Z', 'Do', '11th'],
    ['2024-01-22T00:00:00.000Z', 'Do', '22nd'],
    ['0033-01-01T00:00:00.000Z', 'YYYY YY', '0033 33'],
    ['1969-12-31T23:59:59.999Z', 'X x SSS', '-1 -1 999'],
  ])('[FORMULA-86] writes %s in %s as %s', (moment, pattern, text) => {
    expect(write(moment, pattern)).toBe(text)
  })

  it('[FORMULA-86] writes offsets of every kind', () => {
    expect(write(date, 'Z', timeZone('America/St_Johns'))).toBe('-03:30')
    expect(write(date, 'ZZ', timeZone('Pacific/Apia'))).toBe('+1300')
  })

  it('[FORMULA-86] knows every token', () => {
    for (const token of dateTokens) expect(write(date, token)).not.toBe(token)
  })
})

describe('reading dates', () => {
  it.each([
    ['2024-03-05', 'YYYY-MM-DD', '2024-03-05T00:00:00.000Z'],
    ['5/3/24', 'D/M/YY', '2024-03-05T00:00:00.000Z'],
    ['5/3/69', 'D/M/YY', '1969-03-05T00:00:00.000Z'],
    ['Tuesday, march 5th 2024', 'dddd, MMMM Do YYYY', '2024-03-05T00:00:00.000Z'],
    ['Tue Mar 5 2024', 'ddd MMM D YYYY', '2024-03-05T00:00:00.000Z'],
    ['20240305', 'YYYYMMDD', '2024-03-05T00:00:00.000Z'],
    ['2024-03-05 1:04 pm', 'YYYY-MM-DD h:mm a', '2024-03-05T13:04:00.000Z'],
    ['2024-03-05 12:04 AM', 'YYYY-MM-DD h:mm A', '2024-03-05T00:04:00.000Z'],
    ['2024-03-05 23:04:05.678', 'YYYY-MM-DD HH:mm:ss.SSS', '2024-03-05T23:04:05.678Z'],
    ['2024-03-05 10 -0430', 'YYYY-MM-DD H ZZ', '2024-03-05T14:30:00.000Z'],
    ['1709643849', 'X', '2024-03-05T13:04:09.000Z'],
    ['1709643849078', 'x', '2024-03-05T13:04:09.078Z'],
    ['at 5.3.2024', '[at] L', null],
    ['on 03/05/2024', '[on] L', '2024-03-05T00:00:00.000Z'],
    [' 2024 ', 'YYYY', '2024-01-01T00:00:00.000Z'],
    ['2024-02-30', 'YYYY-MM-DD', null],
    ['2024-13-01', 'YYYY-MM-DD', null],
    ['24:00', 'HH:mm', null],
    ['13:00 pm', 'h:mm a', null],
    ['0:00 am', 'h:mm a', null],
    ['2024-03-05x', 'YYYY-MM-DD', null],
    ['2024-03', 'YYYY-MM-DD', null],
    ['Marc 5', 'MMMM D', null],
    ['', 'YYYY', null],
  ])('[FORMULA-87] reads %j by %s as %s', (text, pattern, date) => {
    expect(read(text, pattern)).toBe(date)
  })

  it.each([
    ['10:00', 'HH:mm', '2024-03-05T10:00:00.000Z'],
    ['Apr', 'MMM', '2024-04-01T00:00:00.000Z'],
    ['12', 'D', '2024-03-12T00:00:00.000Z'],
    ['1999', 'YYYY', '1999-01-01T00:00:00.000Z'],
    ['5 1999', 'D YYYY', '1999-01-05T00:00:00.000Z'],
  ])('[FORMULA-88] reads %j by %s as %s', (text, pattern, date) => {
    expect(read(text, pattern)).toBe(date)
  })

  it.each([
    ['2024-03-05 10:00 PM', 'YYYY-MM-DD HH:mm A', '2024-03-05T22:00:00.000Z'],
    ['2024-03-05 12:30 am', 'YYYY-MM-DD H:mm a', '2024-03-05T00:30:00.000Z'],
    ['2024-03-05 12:30 PM', 'YYYY-MM-DD HH:mm A', '2024-03-05T12:30:00.000Z'],
    ['2024-03-05 22:00 PM', 'YYYY-MM-DD HH:mm A', '2024-03-05T22:00:00.000Z'],
    ['2024-03-05 PM', 'YYYY-MM-DD A', '2024-03-05T00:00:00.000Z'],
    ['2024-03-05 22:00 AM', 'YYYY-MM-DD HH:mm A', null],
    ['2024-03-05 24:00 PM', 'YYYY-MM-DD HH:mm A', null],
  ])('[FORMULA-302] reads %j by %s as %s', (text, pattern, date) => {
    expect(read(text, pattern)).toBe(date)
  })

  it.each(['+99:99', '+24:00', '-05:60'])(
    '[FORMULA-303] reads no date with the offset %s',
    (offset) => {
      expect(read(`2024-03-05 10:00 ${offset}`, 'YYYY-MM-DD HH:mm Z')).toBeNull()
      expect(read('2024-03-05 10:00 +2359', 'YYYY-MM-DD HH:mm ZZ')).toBe('2024-03-04T10:01:00.000Z')
    },
  )

  it('[FORMULA-87] tells which tokens it can not read', () => {
    const unreadable = dateTokens.filter((token) => unreadableToken([{ token, text: token }]))
    expect(unreadable.join(' ')).toBe('GGGG gggg Qo Q DDDD DDDo DDD do d E ww wo w WW Wo W kk k')
  })

  it('[FORMULA-87] always reads what was written with all parts', () => {
    const date = fc.date({
      min: new Date('0002-01-01T00:00:00.000Z'),
      max: new Date('9998-12-31T00:00:00.000Z'),
      noInvalidDate: true,
    })
    const pattern = fc.constantFrom(
      'YYYY-MM-DD HH:mm:ss.SSS Z',
      'dddd, MMMM Do YYYY h:mm:ss.SSS A ZZ',
      'x',
    )
    fc.assert(
      fc.property(date, formulaTimeZone, pattern, (moment, name, each) => {
        const zone = timeZone(name)
        const offset = zone.offsetAt(moment.getTime())
        // Offsets are written in minutes; before standard time, zones had seconds as well.
        fc.pre(each === 'x' || offset % 60_000 === 0)
        expect(read(write(moment.toISOString(), each, zone), each, zone)).toBe(moment.toISOString())
      }),
    )
  })

  it('[FORMULA-87] never fails on any text and pattern', () => {
    const part = fc.constantFrom<string>(...dateTokens, ' ', '-', '[x]')
    const pattern = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''))
    const unit = fc.constantFrom(...'0123456789 -+:/.apmZMarch')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 20 }), pattern, (text, each) => {
        expect(read(text, each)).toSatisfy((found) => found === null || typeof found === 'string')
      }),
    )
  })
})
