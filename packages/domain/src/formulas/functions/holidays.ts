import { toDayNumber } from '../../values/dates/civil-time.ts'
import { timeZone } from '../../values/dates/time-zone.ts'
import { momentOfText, toLocalMs } from '../dates/moment.ts'
import type { FormulaScalar } from '../formula-type.ts'
import { type Evaluation, spend } from '../runtime/evaluation.ts'
import { listOf, stepsPerConversion } from '../runtime/reading.ts'
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
      .map((each) => `"${each.trim().slice(0, 50)}" is not a date; write it as 2024-12-25`)
      .at(0),
  read: () => (value, evaluation) => listOf(value).flatMap((item) => dayNumbers(item, evaluation)),
}

function dayNumbers(item: FormulaScalar | null, evaluation: Evaluation): readonly number[] {
  const { zone } = evaluation
  if (typeof item === 'number') return [toDayNumber(toLocalMs(item, zone))]
  if (typeof item !== 'string') return []
  const dates = item.split(',')
  spend(evaluation, dates.length * stepsPerConversion)
  return dates
    .map((each) => momentOfText(each, zone))
    .filter((date) => date !== null)
    .map((date) => toDayNumber(toLocalMs(date, zone)))
}
