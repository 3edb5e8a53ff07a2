import { timestamp } from '@gateleg/testing/arbitraries/field-options'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DatePreset } from './date-formatting.ts'
import { timestampFromIso, timestampFromText } from './date-text.ts'
import { timeZone } from './time-zone.ts'

const utc = timeZone('UTC')
const newYork = timeZone('America/New_York')

describe('a moment in ISO 8601', () => {
  it.each([
    ['2024-03-05', '2024-03-05T00:00:00.000Z'],
    ['2024-03-05T10:20', '2024-03-05T10:20:00.000Z'],
    ['2024-03-05T10:20:30', '2024-03-05T10:20:30.000Z'],
    ['2024-03-05T10:20:30Z', '2024-03-05T10:20:30.000Z'],
    ['2024-03-05t10:20z', '2024-03-05T10:20:00.000Z'],
    ['2024-03-05T10:20:30.5Z', '2024-03-05T10:20:30.500Z'],
    ['2024-03-05T10:20:30.123456789Z', '2024-03-05T10:20:30.123Z'],
    ['2024-03-05T10:20:30+05:30', '2024-03-05T04:50:30.000Z'],
    ['2024-03-05T10:20:30-0800', '2024-03-05T18:20:30.000Z'],
    ['2024-03-05T10:20:30+02', '2024-03-05T08:20:30.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['0050-06-01', '0050-06-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('[FIELD-95] %s is %s', (text, moment) => {
    expect(timestampFromIso(text, utc)).toBe(moment)
  })

  it.each([
    '',
    '2024',
    '2024-03',
    '2024-3-5',
    '20240305',
    '2024-03-05  10:20',
    '2024-03-05 10',
    '2024-03-05T10',
    '3/5/2024',
    '2024-03-05Z',
    ' 2024-03-05',
    '12024-03-05',
    'now',
  ])('[FIELD-95] is not %j', (text) => {
    expect(timestampFromIso(text, utc)).toBeUndefined()
  })

  it('[FIELD-96] goes by the clocks of the zone where it names no other', () => {
    expect(timestampFromIso('2024-03-05', newYork)).toBe('2024-03-05T05:00:00.000Z')
    expect(timestampFromIso('2024-07-05', newYork)).toBe('2024-07-05T04:00:00.000Z')
    expect(timestampFromIso('2024-03-05T10:20', newYork)).toBe('2024-03-05T15:20:00.000Z')
    expect(timestampFromIso('2024-02-28 16:00', newYork)).toBe('2024-02-28T21:00:00.000Z')
    expect(timestampFromIso('2024-03-05T10:20Z', newYork)).toBe('2024-03-05T10:20:00.000Z')
  })

  it.each([
    '2024-02-30',
    '2023-02-29',
    '1900-02-29',
    '2024-04-31',
    '2024-13-01',
    '2024-00-10',
    '2024-01-00',
    '2024-02-30T00:00:00.000Z',
    '2024-01-01T24:00:00.000Z',
    '2024-01-01T24:00',
    '2024-01-01T10:60',
    '2024-01-01T10:20:60Z',
    '2024-01-01T10:60:00.000Z',
    '2024-01-01T10:20:60.000Z',
    '2024-01-01T10:20+24:00',
    '2024-01-01T10:20+05:60',
    '0000-12-31',
    '0000-12-31T23:59:59.999Z',
    '0001-01-01T00:00+00:01',
    '9999-12-31T23:59-00:01',
  ])('[FIELD-97] is not %s', (text) => {
    expect(timestampFromIso(text, utc)).toBeUndefined()
  })

  it('[FIELD-97] always takes a moment that there is as it is', () => {
    fc.assert(fc.property(timestamp, (moment) => timestampFromIso(moment, newYork) === moment))
  })
})

describe('a moment as people write it', () => {
  const read = (text: string, preset: DatePreset = 'YYYY-MM-DD'): string | undefined =>
    timestampFromText(text, preset, utc)?.slice(0, 16)

  it.each([
    ['3/5/2024', 'M/D/YYYY', '2024-03-05T00:00'],
    ['3/5/2024', 'D/M/YYYY', '2024-05-03T00:00'],
    ['05.03.2024', 'D/M/YYYY', '2024-03-05T00:00'],
    ['3/5/2024', 'YYYY-MM-DD', '2024-03-05T00:00'],
    ['2024/3/5', 'D/M/YYYY', '2024-03-05T00:00'],
    ['2024-03', 'YYYY-MM', '2024-03-01T00:00'],
    ['2024', 'YYYY', '2024-01-01T00:00'],
    [' 2024-03-05 10:20 ', 'YYYY-MM-DD', '2024-03-05T10:20'],
    ['2024-03-05 9:20', 'YYYY-MM-DD', '2024-03-05T09:20'],
    ['3/5/2024, 10:20 pm', 'M/D/YYYY', '2024-03-05T22:20'],
    ['3/5/2024 12:20 AM', 'M/D/YYYY', '2024-03-05T00:20'],
    ['3/5/2024 12:20:30 PM', 'M/D/YYYY', '2024-03-05T12:20'],
    ['2024-03-05 10:20 +02:00', 'YYYY-MM-DD', '2024-03-05T08:20'],
  ] as const)('[FIELD-100] %j under %s is %s', (text, preset, moment) => {
    expect(read(text, preset)).toBe(moment)
  })

  it.each([
    ['2024', 'YYYY-MM-DD'],
    ['03-05', 'MM-DD'],
    ['03', 'MM'],
    ['05', 'DD'],
    ['3/5/24', 'M/D/YYYY'],
    ['13/5/2024', 'M/D/YYYY'],
    ['30.2.2024', 'D/M/YYYY'],
    ['3/5/2024 13:20 PM', 'M/D/YYYY'],
    ['3/5/2024 0:20 AM', 'M/D/YYYY'],
    ['3/5/2024 25:00', 'M/D/YYYY'],
    ['tomorrow', 'YYYY-MM-DD'],
  ] as const)('[FIELD-100] %j under %s is none', (text, preset) => {
    expect(read(text, preset)).toBeUndefined()
  })

  it('[FIELD-100] goes by the clocks of the zone', () => {
    const moment = timestampFromText('3/5/2024 10:20', 'M/D/YYYY', newYork)
    expect(moment).toBe('2024-03-05T15:20:00.000Z')
  })
})
