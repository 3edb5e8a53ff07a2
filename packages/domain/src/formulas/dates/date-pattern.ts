import { limits } from '../../limits.ts'

/**
 * How a date is written: tokens and, between them, text that stands for itself. Text in square brackets
 * is never a token.
 */
export type DatePattern = readonly DatePatternPart[]

type DatePatternPart =
  | { readonly token: DateToken; readonly text: string }
  | { readonly token?: undefined; readonly text: string }

export const dateTokens = [
  'YYYY',
  'YY',
  'GGGG',
  'gggg',
  'Qo',
  'Q',
  'MMMM',
  'MMM',
  'MM',
  'Mo',
  'M',
  'DDDD',
  'DDDo',
  'DDD',
  'DD',
  'Do',
  'D',
  'dddd',
  'ddd',
  'dd',
  'do',
  'd',
  'E',
  'ww',
  'wo',
  'w',
  'WW',
  'Wo',
  'W',
  'HH',
  'H',
  'hh',
  'h',
  'kk',
  'k',
  'A',
  'a',
  'mm',
  'm',
  'ss',
  's',
  'SSS',
  'SS',
  'S',
  'ZZ',
  'Z',
  'X',
  'x',
] as const

export type DateToken = (typeof dateTokens)[number]

/** Short names of whole patterns, as American English writes dates. */
const longForms: Readonly<Record<string, string>> = {
  LTS: 'h:mm:ss A',
  LT: 'h:mm A',
  LLLL: 'dddd, MMMM D, YYYY h:mm A',
  LLL: 'MMMM D, YYYY h:mm A',
  LL: 'MMMM D, YYYY',
  L: 'MM/DD/YYYY',
  llll: 'ddd, MMM D, YYYY h:mm A',
  lll: 'MMM D, YYYY h:mm A',
  ll: 'MMM D, YYYY',
  l: 'M/D/YYYY',
}

const longFormPattern = /\[[^\]]*\]|LTS?|L{1,4}|l{1,4}/g
const tokenPattern = new RegExp(`\\[([^\\]]*)\\]|(${dateTokens.join('|')})`, 'g')

/**
 * Reads how a date is to be written, undefined when that is said at too great length.
 *
 * Not a library of dates: the tokens are those of Moment, which is in maintenance mode. Day.js lacks ten of them (`Mo`,
 * `DDD`, `do`, `E`, ...), Luxon has others.
 */
export function parseDatePattern(text: string): DatePattern | undefined {
  if (text.length > limits.dateFormatLength) return undefined
  const source = text.replace(longFormPattern, (form) => longForms[form] ?? form)
  const parts: DatePatternPart[] = []
  let end = 0
  for (const found of source.matchAll(tokenPattern)) {
    if (found.index > end) parts.push({ text: source.slice(end, found.index) })
    const [whole, quoted, token] = found
    parts.push(quoted === undefined ? { token: token as DateToken, text: whole } : { text: quoted })
    end = found.index + whole.length
  }
  if (end < source.length) parts.push({ text: source.slice(end) })
  return parts
}
