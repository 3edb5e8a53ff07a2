import type { NumberFormatting } from './number-formatting.ts'

/** The number as people see it: `1234.57`, `25.6%`, `-$1,234.50`. A rounded zero has no sign. */
export function formatNumber(value: number, formatting: NumberFormatting): string {
  const { type, precision } = formatting
  const magnitude = roundToText(Math.abs(value), precision, type === 'percent' ? 2 : 0)
  const sign = value < 0 && /[1-9]/.test(magnitude) ? '-' : ''
  if (type === 'percent') return `${sign}${magnitude}%`
  if (type === 'currency') return `${sign}${formatting.symbol}${groupThousands(magnitude)}`
  return sign + magnitude
}

/**
 * The number times a power of ten, with so many decimals. Works on the decimal digits that the number
 * is written with, so that 1.005 is rounded as 1.005 and not as the binary fraction just below it:
 * half away from zero, never an exponent.
 */
function roundToText(magnitude: number, decimals: number, powerOfTen: number): string {
  // Most numbers are whole, and their digits needn't be looked at.
  if (Number.isSafeInteger(magnitude) && magnitude > 0) {
    return withPoint(`${magnitude}${'0'.repeat(powerOfTen + decimals)}`, decimals)
  }
  const [mantissa = '', exponent = '0'] = String(magnitude).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = whole + fraction
  const kept = whole.length + Number(exponent) + powerOfTen + decimals
  if (kept < 0) return withPoint('0', decimals)
  const roundsUp = (digits[kept] ?? '0') >= '5'
  const units = BigInt(digits.slice(0, kept).padEnd(kept, '0')) + (roundsUp ? 1n : 0n)
  return withPoint(units.toString(), decimals)
}

function withPoint(units: string, decimals: number): string {
  if (decimals === 0) return units
  const padded = units.padStart(decimals + 1, '0')
  return `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`
}

function groupThousands(text: string): string {
  const point = text.indexOf('.')
  const whole = point === -1 ? text : text.slice(0, point)
  const groups: string[] = []
  for (let end = whole.length; end > 0; end -= 3)
    groups.unshift(whole.slice(Math.max(0, end - 3), end))
  return groups.join(',') + text.slice(whole.length)
}
