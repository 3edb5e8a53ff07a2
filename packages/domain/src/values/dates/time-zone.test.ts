import { timestamp, timeZoneName } from '@gateleg/testing/arbitraries/field-options'
import { withLimits } from '@gateleg/testing/with-limits'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { limits } from '../../limits.ts'
import { timeZone } from './time-zone.ts'
import { timeZoneSchema } from './time-zone-schema.ts'

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

  it('[FIELD-200] are kept, up to a number, and prepared again', async () => {
    expect(limits.timeZonesKept).toBe(1_000)
    const berlin = timeZone('Europe/Berlin')
    const names = ['Europe/Paris', 'Europe/Rome', 'Europe/Oslo']
    for (const name of names) timeZone(name)
    expect(timeZone('Europe/Berlin')).toBe(berlin)
    await withLimits({ timeZonesKept: 3 }, async () => {
      // Spelt as no other test does, so that it is not known: all that there were are forgotten.
      timeZone('aNTARCTICA/tROLL')
      const again = timeZone('Europe/Berlin')
      expect(again).not.toBe(berlin)
      timeZone('Europe/Rome')
      expect(timeZone('Europe/Berlin')).toBe(again)
      timeZone('Europe/Oslo')
      expect(timeZone('Europe/Berlin')).not.toBe(again)
    })
  })

  it('[FIELD-200] remember the offsets of days, up to a number, and find them again', async () => {
    expect(limits.zoneDaysKept).toBe(36_525)
    const zone = timeZone('America/Bogota')
    const asked = vi.spyOn(
      Intl.DateTimeFormat.prototype as { readonly format: unknown },
      'format',
      'get',
    )
    /** How often the system was asked for the offset at noon of that day. */
    const asksAt = (day: number) => {
      const before = asked.mock.calls.length
      expect(zone.offsetAt((day + 0.5) * 24 * hourMs)).toBe(-5 * hourMs)
      return asked.mock.calls.length - before
    }
    // A day is known by its beginning and that of the next one.
    expect([asksAt(19_000), asksAt(19_000), asksAt(19_001)]).toEqual([2, 0, 1])
    await withLimits({ zoneDaysKept: 3 }, async () => {
      expect(asksAt(19_000)).toBe(0)
      expect(asksAt(19_100)).toBe(2)
      expect(asksAt(19_000)).toBe(2)
    })
    asked.mockRestore()
  })
})
