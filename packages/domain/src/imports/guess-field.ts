import type { FieldDefinition } from '../fields/operations/definition/field-definition.ts'
import { limits } from '../limits.ts'
import { timestampFromIso } from '../values/dates/date-text.ts'
import { type TimeZone, timeZone as toTimeZone } from '../values/dates/time-zone.ts'

/** The types that a column of a file may become a field of. */
export const importTypes = [
  'singleLineText',
  'longText',
  'number',
  'checkbox',
  'date',
  'singleSelect',
  'multipleSelect',
  'rating',
  'user',
] as const
type ImportType = (typeof importTypes)[number]

/** What a new field is made of, but for its name. */
export type GuessedField = Pick<FieldDefinition, 'options'> & { readonly type: ImportType }

/** A number that people write, of so few digits that none is lost; what begins with zeros is a code. */
const numberPattern = /^-?(?:0|[1-9]\d{0,14}|[1-9]\d{0,2}(?:,\d{3}){1,4})(?:\.(\d{1,9}))?(%?)$/
const datePattern =
  /^\d{4}-\d{2}-\d{2}(?:[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/
const truthPattern = /^(?:true|false)$/i

/**
 * The field that fits the texts of a column, as far as they are known: a type that every one of them has a value of, or
 * text. Choices are taken for such where few texts are often repeated.
 */
export function guessField(texts: readonly string[], timeZone: string): GuessedField {
  const zone = toTimeZone(timeZone)
  const filled = texts.map((text) => text.trim()).filter((text) => text !== '')
  if (filled.length === 0) return { type: 'singleLineText' }
  const isAll = (pattern: RegExp) => filled.every((text) => pattern.test(text))
  if (isAll(truthPattern)) return { type: 'checkbox' }
  if (isAll(numberPattern)) return numberOf(filled)
  if (filled.every((text) => isDate(text, zone))) {
    const time = filled.some((text) => datePattern.exec(text)?.[1]) ? 'HH:mm' : 'None'
    return { type: 'date', options: { formatting: { date: 'YYYY-MM-DD', time, timeZone } } }
  }
  if (filled.some((text) => /[\r\n]/.test(text) || text.length > limits.importLineLength)) {
    return { type: 'longText' }
  }
  const choices = [...new Set(filled)]
  const areFew =
    choices.length <= limits.importChoices &&
    choices.length * repeatsOfChoice <= filled.length &&
    choices.every((choice) => choice.length <= limits.nameLength / 2)
  if (!areFew) return { type: 'singleLineText' }
  return { type: 'singleSelect', options: { choices: choices.map((name) => ({ name })) } }
}

/** How often a text must stand in a column on average to be taken for a choice. */
const repeatsOfChoice = 5

/** Whether the text is written as a date, and names one that there is: not the thirtieth of a February, nor half past 24. */
function isDate(text: string, zone: TimeZone): boolean {
  return datePattern.test(text) && timestampFromIso(text, zone) !== undefined
}

function numberOf(texts: readonly string[]): GuessedField {
  const parts = texts.map((text) => numberPattern.exec(text))
  const isPercent = parts.every((match) => match?.[2] === '%')
  const decimals = Math.max(...parts.map((match) => decimalsOf(match, isPercent)))
  const precision = Math.min(decimals, limits.numberPrecision)
  return {
    type: 'number',
    options: { formatting: { type: isPercent ? 'percent' : 'decimal', precision } },
  }
}

/** The decimals that a number is written with; a percentage among plain numbers becomes one of these, a hundredth of it. */
function decimalsOf(match: RegExpExecArray | null, areAllPercent: boolean): number {
  const [, decimals = '', percent] = match ?? []
  return decimals.length + (percent === '%' && !areAllPercent ? 2 : 0)
}

/** The type where the first field, by which records are known, can be of it; else text. */
export function asPrimary(field: GuessedField): GuessedField {
  return field.type === 'checkbox' || field.type === 'singleSelect'
    ? { type: 'singleLineText' }
    : field
}
