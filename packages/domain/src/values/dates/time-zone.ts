import { limits } from '../../limits.ts'

/** The clocks of one region, past and future. All numbers are milliseconds. */
export interface TimeZone {
  readonly isUtc: boolean
  /** How far the clocks are ahead of UTC at the moment, in milliseconds since 1970-01-01 UTC. */
  offsetAt(epochMs: number): number
  /** As `offsetAt`, but nothing is remembered of it: for whoever asks for many days once. */
  askOffsetAt(epochMs: number): number
  /**
   * The moment at which the clocks show a local time, given as if it were UTC. Of two such moments
   * (clocks set back) the first; for a time that clocks skip, as much later as they skip.
   */
  toEpoch(localMs: number): number
}

/** Milliseconds of a day of 24 hours. */
export const dayMs = 86_400_000

const utc: TimeZone = {
  isUtc: true,
  offsetAt: () => 0,
  askOffsetAt: () => 0,
  toEpoch: (localMs) => localMs,
}

/** By the names that callers write, whose capital letters count for nothing. */
const zonesByName = new Map<string, TimeZone>()

/** By the one name of a zone that Intl writes: no more than there are by all names. */
const zonesById = new Map<string, TimeZone>()

/** The time zone of an IANA name; an unknown name is a mistake of ours and throws. */
export function timeZone(name: string): TimeZone {
  const known = zonesByName.get(name)
  if (known) return known
  const clock = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  if (zonesByName.size >= limits.timeZonesKept) {
    zonesByName.clear()
    zonesById.clear()
  }
  const zone = zoneOfId(clock)
  zonesByName.set(name, zone)
  return zone
}

function zoneOfId(clock: Intl.DateTimeFormat): TimeZone {
  const id = clock.resolvedOptions().timeZone
  const known = zonesById.get(id)
  if (known) return known
  const zone = id === 'UTC' ? utc : zoneOf(clock)
  zonesById.set(id, zone)
  return zone
}

const minuteMs = 60_000

/**
 * The zone, for who reads a local time that was shown of the moment, if it is the same minute: where clocks show that twice, it means
 * the time that the moment lies in, be it the second one.
 */
export function zoneNear(zone: TimeZone, momentMs: number): TimeZone {
  if (zone.isUtc) return zone
  const offset = zone.offsetAt(momentMs)
  const shownMinute = Math.floor((momentMs + offset) / minuteMs)
  return {
    ...zone,
    toEpoch: (localMs) => {
      const isShown = Math.floor(localMs / minuteMs) === shownMinute
      return isShown && zone.offsetAt(localMs - offset) === offset
        ? localMs - offset
        : zone.toEpoch(localMs)
    },
  }
}

/**
 * Asking Intl takes a microsecond, so the offset at the beginning of each day is remembered: a day
 * that begins and ends with one offset has it throughout.
 *
 * Not a library of dates: Luxon takes some eighty times as long for an offset, Day.js longer. Temporal, once all
 * supported versions of Node have it.
 */
function zoneOf(clock: Intl.DateTimeFormat): TimeZone {
  const offsetsByDay = new Map<number, number>()
  const offsetAtDay = (day: number): number => {
    const known = offsetsByDay.get(day)
    if (known !== undefined) return known
    if (offsetsByDay.size >= limits.zoneDaysKept) offsetsByDay.clear()
    const offset = askOffset(clock, day * dayMs)
    offsetsByDay.set(day, offset)
    return offset
  }
  const offsetAt = (epochMs: number): number => {
    const day = Math.floor(epochMs / dayMs)
    const offset = offsetAtDay(day)
    return offset === offsetAtDay(day + 1) ? offset : askOffset(clock, epochMs)
  }
  return {
    isUtc: false,
    offsetAt,
    askOffsetAt: (epochMs) => askOffset(clock, epochMs),
    toEpoch: (localMs) => {
      const before = offsetAt(localMs - dayMs)
      const after = offsetAt(localMs + dayMs)
      const isAfter = before !== after && offsetAt(localMs - before) !== before
      return isAfter && offsetAt(localMs - after) === after ? localMs - after : localMs - before
    },
  }
}

function askOffset(clock: Intl.DateTimeFormat, epochMs: number): number {
  const text = clock.format(epochMs)
  const [, sign, hours, minutes, seconds = '0'] =
    /GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(text) ?? []
  const ms = (Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds)) * 1_000
  return sign === '-' ? -ms : ms
}
