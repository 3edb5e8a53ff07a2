import { toText } from './text.ts'

/** A sign, a currency sign, digits in thousands or not, decimals, an exponent, a percent sign. */
const numberPattern =
  /^([+-]?) ?\p{Sc}? ?([+-]?)(\d{1,3}(?:,\d{3})+|\d*)(\.\d*)?(?:e([+-]?\d{1,4}))? ?\p{Sc}?(%?)$/iu

/**
 * The number that a text shows, as people and `formatNumber` write it, undefined when it shows none.
 * Any currency sign is understood, and the symbol of the field.
 */
export function numberFromText(text: string, symbol = ''): number | undefined {
  const trimmed = text.trim()
  return readNumber(trimmed) ?? readNumber(trimmed.replace(symbol, '').trim())
}

/** What programs write. */
const plainPattern = /^-?\d+(?:\.\d+)?$/

function readNumber(text: string): number | undefined {
  if (plainPattern.test(text)) return toFinite(Number(text))
  const match = numberPattern.exec(text)
  if (!match) return undefined
  const [, sign = '', innerSign = '', whole = '', fraction = '', exponent = '0', percent] = match
  if ((sign && innerSign) || !/\d/.test(whole + fraction)) return undefined
  const digits = whole.replaceAll(',', '') + fraction
  const power = Number(exponent) - (percent ? 2 : 0)
  return toFinite(Number(`${sign || innerSign}${digits}e${power}`))
}

/** JSON can write numbers that are none (1e999); zero has one form. */
export function toFinite(value: number): number | undefined {
  return Number.isFinite(value) ? value + 0 : undefined
}

/** The nearest number to any JSON value, undefined where it has no reading as one. */
export function castNumber(value: unknown, symbol = ''): number | undefined {
  if (typeof value === 'number') return toFinite(value)
  if (typeof value === 'boolean') return Number(value)
  return numberFromText(toText(value), symbol)
}
