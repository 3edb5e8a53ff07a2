import { toTimestamp } from '../../clock.ts'
import { momentOfText } from '../dates/moment.ts'
import type { FormulaScalar, FormulaValue } from '../formula-type.ts'
import { type Evaluation, fault, type Part, type Read, spend, spendText } from './evaluation.ts'
import { plainNumber } from './plain-number.ts'

/** The one item of a list of one, null for an empty list; a longer list is no single value. */
export function single(value: FormulaValue): FormulaScalar | null {
  if (value === null || typeof value !== 'object') return value
  if (value.length > 1) throw fault
  return value[0] ?? null
}

/** Every value as a list: an empty cell as a list of one empty item. */
export function listOf(value: FormulaValue): readonly (FormulaScalar | null)[] {
  if (value === null || typeof value !== 'object') return [value]
  return value.length === 0 ? [null] : value
}

/** Number() by itself also takes "", "0x10" and "Infinity". */
const numeral = /^\s*[+-]?[\d.][\d.eE+-]*\s*$/

/** The number that a text is, NaN when it is none. No signs but those of arithmetic. */
function numberOfText(text: string): number {
  return numeral.test(text) ? Number(text) : Number.NaN
}

function numberOf(value: FormulaScalar): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' ? numberOfText(value) : Number(value)
}

/** The number that a value stands for, NaN for text that is none, null for nothing. */
export function readNumber(part: Part): Read<number | null> {
  if (part.type.scalar === 'number' && !part.type.isMultiple)
    return (value) => value as number | null
  return (value, evaluation) => {
    const item = single(value)
    if (typeof item === 'string') spend(evaluation, item.length)
    return item === null ? null : numberOf(item)
  }
}

/** Steps that reading or writing an item as another kind takes, beside those for its characters. */
export const stepsPerConversion = 40

/** The numbers among the items of a value; what is no number is passed over. */
export function readNumbers({ type }: Part): Read<readonly number[]> {
  const stepsPerItem = type.scalar === 'number' ? 1 : stepsPerConversion
  return (value, evaluation) => {
    const items = listOf(value)
    spend(evaluation, items.length * stepsPerItem)
    return items
      .map((item) => (item === null ? Number.NaN : numberOf(item)))
      .filter(Number.isFinite)
  }
}

/** The text form of single values of a part: numbers plainly, all else of a field in its display form. */
export function formatOf({ type, format }: Part): (value: FormulaScalar) => string {
  if (type.scalar === 'string') return String
  if (type.scalar === 'number') return (value) => plainNumber(value as number)
  if (type.scalar !== 'dateTime') return format ?? String
  if (!format) return (value) => toTimestamp(value as number)
  return (value) => format(toTimestamp(value as number))
}

/** Steps that the text form of an item takes. */
export function stepsPerTextOf({ type }: Part): number {
  return type.scalar === 'string' ? 1 : stepsPerConversion
}

/** The text form of a value; of a list, its items' joined by commas. */
export function readText(part: Part): Read<string | null> {
  const format = formatOf(part)
  const stepsPerText = stepsPerTextOf(part)
  return (value, evaluation) => {
    if (value === null) return null
    if (typeof value !== 'object') return format(value)
    spend(evaluation, value.length * stepsPerText)
    const texts = value.filter((item) => item !== null).map(format)
    if (texts.length === 0) return null
    return joinTexts(texts, ', ', evaluation)
  }
}

/** Joins texts, after making sure that the result isn't too long to exist. */
export function joinTexts(
  texts: readonly string[],
  separator: string,
  evaluation: Evaluation,
): string {
  let length = Math.max(texts.length - 1, 0) * separator.length
  for (const text of texts) length += text.length
  spendText(evaluation, length)
  return texts.join(separator)
}

/** The text form of a single value; faults on a longer list. */
export function readSingleText(part: Part): Read<string | null> {
  const format = formatOf(part)
  return (value) => {
    const item = single(value)
    return item === null ? null : format(item)
  }
}

/** The text forms of all items. */
export function readTexts(part: Part): Read<readonly (string | null)[]> {
  const format = formatOf(part)
  const stepsPerText = stepsPerTextOf(part)
  return (value, evaluation) => {
    const items = listOf(value)
    spend(evaluation, items.length * stepsPerText)
    return items.map((item) => (item === null ? null : format(item)))
  }
}

/** The moment that a value is: a date itself, or the one that a text tells. */
export function readMoment({ type }: Part): Read<number | null> {
  if (type.scalar === 'dateTime') return (value) => single(value) as number | null
  return (value, { zone }) => {
    const item = single(value)
    return typeof item === 'string' ? momentOfText(item, zone) : null
  }
}

function isTrue(value: FormulaScalar | null): boolean {
  return value !== null && value !== false && value !== 0 && value !== ''
}

/** Empty, 0, false and "" are false, all else is true; so is a list of more than one item. */
export function readTruth({ type }: Part): Read<boolean> {
  if (type.scalar === 'dateTime') return (value) => listOf(value).some((item) => item !== null)
  return (value) => {
    if (value === null || typeof value !== 'object') return isTrue(value)
    return value.length > 1 || isTrue(value[0] ?? null)
  }
}

/** Whether each item is true; an empty value is false. */
export function readTruths({ type }: Part): Read<readonly boolean[]> {
  if (type.scalar === 'dateTime') return (value) => listOf(value).map((item) => item !== null)
  return (value) => listOf(value).map(isTrue)
}
