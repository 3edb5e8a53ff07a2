import { type TimeZone, timeZone } from '../../fields/cells/time-zone.ts'
import { toDayNumber } from '../dates/civil-time.ts'
import { momentOfText, toLocalMs } from '../dates/moment.ts'
import type { FormulaScalar } from '../formula-type.ts'
import { listOf } from '../reading.ts'
import type { Parameter } from './formula-function.ts'

/**
 * Days off, as day numbers: dates, a list of them, or text that holds dates between commas. What tells
 * no date is passed over.
 */
export const holidays: Parameter<readonly number[]> = {
  expects: 'dates, or text that holds dates between commas',
  accepts: ({ scalar }) => scalar === 'dateTime' || scalar === 'string' || scalar === 'blank',
  refuses: (literal) =>
    String(literal)
      .split(',')
      .filter((each) => each.trim() !== '' && momentOfText(each, timeZone('UTC')) === null)
      .map((each) => `"${each.trim().slice(0, 50)}" is no date; write it as 2024-12-25`)
      .at(0),
  read:
    () =>
    (value, { zone }) =>
      listOf(value).flatMap((item) => dayNumbers(item, zone)),
}

function dayNumbers(item: FormulaScalar | null, zone: TimeZone): readonly number[] {
  if (typeof item === 'number') return [toDayNumber(toLocalMs(item, zone))]
  if (typeof item !== 'string') return []
  return item
    .split(',')
    .map((each) => momentOfText(each, zone))
    .filter((date) => date !== null)
    .map((date) => toDayNumber(toLocalMs(date, zone)))
}
