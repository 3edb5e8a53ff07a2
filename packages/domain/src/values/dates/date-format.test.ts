import { dateFormatting, timestamp, timeZoneName } from '@gateleg/testing/arbitraries/field-options'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareDates, dateFormat, dateGranularity } from './date-format.ts'
import { dateFormattingSchema } from './date-formatting.ts'
import { timestampFromText } from './date-text.ts'
import { timeZone } from './time-zone.ts'

const moment = '2024-03-05T22:07:59.123Z'
const show = (formatting: unknown, at = moment): string =>
  dateFormat(dateFormattingSchema.parse(formatting))(at)

describe('the text of a moment', () => {
  it.each([
    ['M/D/YYYY', '3/5/2024'],
    ['D/M/YYYY', '5/3/2024'],
    ['YYYY/MM/DD', '2024/03/05'],
    ['YYYY-MM-DD', '2024-03-05'],
    ['YYYY-MM', '2024-03'],
    ['MM-DD', '03-05'],
    ['YYYY', '2024'],
    ['MM', '03'],
    ['DD', '05'],
  ])('[FIELD-99] has the form %s', (date, text) => {
    expect(show({ date })).toBe(text)
  })

  it.each([
    ['HH:mm', '22:07', '00:30', '12:00'],
    ['hh:mm A', '10:07 PM', '12:30 AM', '12:00 PM'],
  ])('[FIELD-99] has a time of the form %s', (time, evening, night, noon) => {
    expect(show({ time })).toBe(`2024-03-05 ${evening}`)
    expect(show({ time }, '2024-03-05T00:30:00.000Z')).toBe(`2024-03-05 ${night}`)
    expect(show({ time }, '2024-03-05T12:00:00.000Z')).toBe(`2024-03-05 ${noon}`)
  })

  it('[FIELD-99] goes by the clocks of the zone', () => {
    expect(show({ time: 'HH:mm', timeZone: 'Asia/Kolkata' })).toBe('2024-03-06 03:37')
    expect(show({ timeZone: 'Asia/Kolkata' }, '9999-12-31T23:00:00.000Z')).toBe('9999-12-31')
  })

  it('[FIELD-261] is in the years 1 to 9999, on whichever side of UTC', () => {
    const kolkata = { time: 'HH:mm', timeZone: 'Asia/Kolkata' } as const
    expect(show(kolkata, '9999-12-31T23:00:00.000Z')).toBe('9999-12-31 23:59')
    const lima = dateFormattingSchema.parse({ time: 'HH:mm', timeZone: 'America/Lima' })
    const shown = dateFormat(lima)('0001-01-01T02:00:00.000Z')
    expect(shown).toBe('0001-01-01 00:00')
    expect(timestampFromText(shown, lima.date, timeZone(lima.timeZone))).toMatch(/^0001-01-01T05/)
  })

  it('[FIELD-99] is always what the clocks of the zone show', () => {
    const middle = timestamp.filter((at) => at > '0002' && at < '9999')
    fc.assert(
      fc.property(timeZoneName, middle, (name, at) => {
        const clock = new Intl.DateTimeFormat('en-US', {
          timeZone: name,
          hourCycle: 'h23',
          year: 'numeric',
          month: '2-digit',
          day: '2-digit',
          hour: '2-digit',
          minute: '2-digit',
        })
        const parts = clock.formatToParts(Date.parse(at))
        const part = (type: string): string =>
          parts.find((candidate) => candidate.type === type)?.value ?? ''
        const date = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
        const shown = show({ time: 'HH:mm', timeZone: name }, at)
        expect(shown).toBe(`${date} ${part('hour')}:${part('minute')}`)
      }),
    )
  })

  it('[FIELD-101] is always read as what it shows, if it shows year, month and day', () => {
    const full = dateFormatting
      .map((formatting) => dateFormattingSchema.parse(formatting))
      .filter(({ date }) => /D/.test(date) && /Y/.test(date))
    const middle = timestamp.filter((at) => at > '0002' && at < '9999')
    fc.assert(
      fc.property(full, middle, (formatting, at) => {
        const text = dateFormat(formatting)(at)
        const read = timestampFromText(text, formatting.date, timeZone(formatting.timeZone)) ?? ''
        expect(dateFormat(formatting)(read)).toBe(text)
      }),
    )
  })
})

describe('the formatting of moments', () => {
  it('[FIELD-93] has defaults for each of its parts', () => {
    const formatting = { date: 'YYYY-MM-DD', time: 'None', timeZone: 'UTC' }
    expect(dateFormattingSchema.parse(undefined)).toEqual(formatting)
    expect(dateFormattingSchema.parse({ time: 'HH:mm' })).toEqual({ ...formatting, time: 'HH:mm' })
  })

  it('[FIELD-93] knows its presets and no others', () => {
    for (const wrong of [
      { date: 'YY' },
      { time: 'HH:mm:ss' },
      { timeZone: 'Nowhere' },
      { zone: 1 },
    ]) {
      expect(dateFormattingSchema.safeParse(wrong).success).toBe(false)
    }
  })
})

describe('the order of moments', () => {
  it.each([
    [{ date: 'YYYY' }, 'year'],
    [{ date: 'YYYY-MM' }, 'month'],
    [{ date: 'MM' }, 'month'],
    [{ date: 'MM-DD' }, 'day'],
    [{ date: 'DD' }, 'day'],
    [{ date: 'M/D/YYYY' }, 'day'],
    [{ date: 'YYYY', time: 'HH:mm' }, 'minute'],
  ])('[FIELD-102] for %o goes down to the %s', (formatting, granularity) => {
    expect(dateGranularity(dateFormattingSchema.parse(formatting))).toBe(granularity)
  })

  it('[FIELD-102] tells apart what is shown differently by the clocks of the zone', () => {
    const order = (formatting: unknown, a: string, b: string): number =>
      Math.sign(compareDates(dateFormattingSchema.parse(formatting))(a, b))
    const [night, day] = ['2024-03-05T03:00:00.000Z', '2024-03-05T12:00:00.000Z']
    expect(order({}, night, day)).toBe(0)
    expect(order({ time: 'HH:mm' }, night, day)).toBe(-1)
    expect(order({ time: 'HH:mm' }, day, '2024-03-05T12:00:59.999Z')).toBe(0)
    expect(order({ timeZone: 'America/New_York' }, day, night)).toBe(1)
    expect(order({ date: 'YYYY-MM' }, '2024-03-31T00:00:00.000Z', day)).toBe(0)
    expect(order({ date: 'MM' }, '2023-04-01T00:00:00.000Z', day)).toBe(-1)
    expect(order({ date: 'YYYY' }, '2024-12-31T00:00:00.000Z', day)).toBe(0)
  })
})
