import { limits } from '../../limits.ts'
import { type DatePattern, parseDatePattern } from '../dates/date-pattern.ts'
import { type DateUnit, findDateUnit } from '../dates/date-units.ts'
import { unreadableToken } from '../dates/read-date.ts'
import type { FormulaValue, PartType } from '../formula-type.ts'
import { type Read, spend } from '../runtime/evaluation.ts'
import {
  readMoment,
  readNumber,
  readNumbers,
  readText,
  readTexts,
  readTruth,
  readTruths,
  single,
  stepsPerConversion,
} from '../runtime/reading.ts'
import type { Parameter } from './formula-function.ts'

function isSingle(type: PartType, ...scalars: readonly PartType['scalar'][]): boolean {
  return type.scalar === 'blank' || (!type.isMultiple && scalars.includes(type.scalar))
}

const isAny = () => true

/** One number; text is none, VALUE reads it. */
export const number: Parameter<number | null> = {
  expects: 'a single number',
  accepts: (type) => isSingle(type, 'number'),
  read: readNumber,
}

/** A number or a list of them; text that holds a number counts, true counts as 1. */
export const numbers: Parameter<readonly number[]> = {
  expects: 'numbers',
  accepts: (type) => type.scalar !== 'dateTime',
  read: readNumbers,
}

/** Any value, in its text form. */
export const text: Parameter<string | null> = { expects: 'text', accepts: isAny, read: readText }

/** Any value or list, each item in its text form. */
export const texts: Parameter<readonly (string | null)[]> = {
  expects: 'text',
  accepts: isAny,
  read: readTexts,
}

/** Whether any value is true. */
export const truth: Parameter<boolean> = {
  expects: 'a condition',
  accepts: isAny,
  read: readTruth,
}

/** Whether any value is true, for each item of a list by itself. */
export const truths: Parameter<readonly boolean[]> = {
  expects: 'conditions',
  accepts: isAny,
  read: readTruths,
}

/** One date, or a text that tells one. */
export const moment: Parameter<number | null> = {
  expects: 'a single date',
  accepts: (type) => isSingle(type, 'dateTime', 'string'),
  read: readMoment,
}

/** Any value as it is. */
export const anything: Parameter<FormulaValue> = {
  expects: 'a value',
  accepts: isAny,
  read: () => (value) => value,
}

/**
 * A text that is parsed: once when it is written out in the formula, where text that can't be parsed is
 * refused, else whenever it differs from the record before.
 */
export function parsed<T>(
  expects: string,
  parse: (text: string) => T | undefined,
  refuses: (text: string) => string | undefined = (text) =>
    parse(text) === undefined ? `Expected ${expects}` : undefined,
): Parameter<T | null | undefined> {
  return {
    expects,
    accepts: (type) => isSingle(type, 'string'),
    refuses: (literal) => refuses(String(literal)),
    read: () => rememberLast(parse),
  }
}

/** Reads null as null, and a text that can't be parsed as undefined. */
function rememberLast<T>(parse: (text: string) => T | undefined): Read<T | null | undefined> {
  let last: string | undefined
  let result: T | undefined
  return (value, evaluation) => {
    const source = single(value)
    if (source === null) return null
    // Whether it was parsed just before depends on other records: steps must not.
    spend(evaluation, String(source).length * stepsPerConversion)
    if (source !== last) {
      last = String(source)
      result = parse(last)
    }
    return result
  }
}

/** The name of a unit of time, such as "days" or "d"; undefined for a text that names none. */
export const unit: Parameter<DateUnit | null | undefined> = parsed(
  'a unit: "millisecond", "second", "minute", "hour", "day", "week", "month", "quarter" or "year"',
  findDateUnit,
)

function findFirstWeekday(name: string): 0 | 1 | undefined {
  const found = ['sunday', 'monday'].indexOf(name.trim().toLowerCase())
  return found === 0 || found === 1 ? found : undefined
}

/** The weekday that weeks begin on: 0 for Sunday, 1 for Monday, undefined for any other text. */
export const firstWeekday: Parameter<0 | 1 | null | undefined> = parsed(
  '"Sunday" or "Monday"',
  findFirstWeekday,
)

/** A date format by which dates are written; undefined for one that is too long. */
export const datePattern: Parameter<DatePattern | null | undefined> = parsed(
  `a date format of at most ${limits.dateFormatLength} characters`,
  parseDatePattern,
)

function parseReadablePattern(source: string): DatePattern | undefined {
  const pattern = parseDatePattern(source)
  return pattern && unreadableToken(pattern) === undefined ? pattern : undefined
}

/** A date format by which dates are read; undefined for one that is too long, or has a token that can only be written. */
export const readablePattern: Parameter<DatePattern | null | undefined> = parsed(
  'a date format from which a date can be read',
  parseReadablePattern,
  (source) => {
    const token = unreadableToken(parseDatePattern(source) ?? [])
    if (token) return `"${token}" can be written but not read; put other text in square brackets`
    return parseReadablePattern(source) ? undefined : 'The date format is too long'
  },
)
