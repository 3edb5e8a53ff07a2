/**
 * The shortest text that reads back as the number, as numbers enter texts: without an exponent below
 * 1e21, from where on most of its digits would say nothing.
 */
export function plainNumber(value: number): string {
  const text = String(value)
  const [digits = '', exponent] = text.split('e-')
  if (exponent === undefined) return text
  const sign = value < 0 ? '-' : ''
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${digits.replace(/[-.]/g, '')}`
}
