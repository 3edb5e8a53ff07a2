import { timestamp, timeZoneName } from '@gateleg/testing/arbitraries/field-options'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { timeZone, timeZoneSchema } from './time-zone.ts'

const hourMs = 3_600_000

describe('time zones', () => {
  it('[FIELD-94] have IANA names', () => {
    for (const name of ['UTC', 'Europe/Berlin', 'Asia/Calcutta', 'Etc/GMT+5']) {
      expect(timeZoneSchema.safeParse(name).success).toBe(true)
    }
    for (const name of ['', 'Mars/Olympus', '+05:30', 'GMT+5', 5]) {
      expect(timeZoneSchema.safeParse(name).success).toBe(false)
    }
  })

  it('[FIELD-99] tell how far their clocks are ahead', () => {
    const offsetAt = (name: string, moment: string): number =>
      timeZone(name).offsetAt(Date.parse(moment))
    expect(offsetAt('Europe/Berlin', '2024-03-31T00:59:59.999Z')).toBe(hourMs)
    expect(offsetAt('Europe/Berlin', '2024-03-31T01:00:00.000Z')).toBe(2 * hourMs)
    expect(offsetAt('America/New_York', '2024-01-01T00:00:00.000Z')).toBe(-5 * hourMs)
    expect(offsetAt('Asia/Kolkata', '2024-01-01T00:00:00.000Z')).toBe(5.5 * hourMs)
    expect(offsetAt('America/New_York', '0001-01-01T00:00:00.000Z')).toBe(-17_762_000)
  })

  it.each([
    ['Europe/Berlin', '2024-07-01T12:00', '2024-07-01T10:00:00.000Z', 'common'],
    ['Europe/Berlin', '2024-10-27T02:30', '2024-10-27T00:30:00.000Z', 'shown twice'],
    ['Europe/Berlin', '2024-03-31T02:30', '2024-03-31T01:30:00.000Z', 'skipped'],
    ['America/New_York', '2024-11-03T01:30', '2024-11-03T05:30:00.000Z', 'shown twice'],
    ['America/New_York', '2024-03-10T02:30', '2024-03-10T07:30:00.000Z', 'skipped'],
    ['America/New_York', '2024-03-10T03:00', '2024-03-10T07:00:00.000Z', 'just after skipped'],
    ['America/Sao_Paulo', '2018-11-04T00:00', '2018-11-04T03:00:00.000Z', 'a skipped midnight'],
    ['Pacific/Apia', '2011-12-30T00:00', '2011-12-30T10:00:00.000Z', 'a skipped day'],
  ])('[FIELD-98] mean by %s %s the moment %s (%s)', (name, local, moment) => {
    const epochMs = timeZone(name).toEpoch(Date.parse(`${local}Z`))
    expect(new Date(epochMs).toISOString()).toBe(moment)
  })

  it('[FIELD-104] always find a moment by the local time that it has', () => {
    fc.assert(
      fc.property(timeZoneName, timestamp, (name, moment) => {
        const zone = timeZone(name)
        const epochMs = Date.parse(moment)
        const local = epochMs + zone.offsetAt(epochMs)
        const found = zone.toEpoch(local)
        expect(found + zone.offsetAt(found)).toBe(local)
        expect(found).toBeLessThanOrEqual(epochMs)
      }),
    )
  })
})
