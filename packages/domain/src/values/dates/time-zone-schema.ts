import { limits } from '../../limits.ts'
import { textUpTo } from '../storable-text.ts'
import { timeZone } from './time-zone.ts'

/** An IANA name such as `Europe/Berlin`. */
export const timeZoneSchema = textUpTo(limits.timeZoneLength).refine(
  isTimeZone,
  'must be the IANA name of a time zone, like "Europe/Berlin"',
)

/** Whether there is a time zone of the name. Offsets (`+05:30`) are none: they know no summer time. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    timeZone(name)
    return true
  } catch {
    return false
  }
}
