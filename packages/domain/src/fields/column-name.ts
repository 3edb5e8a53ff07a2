import { limits } from '../limits.ts'
import type { Field } from './field.ts'

/** Characters of a column name that is derived from a field's name: short enough to type. */
const derivedLength = 40

/**
 * A column name for a field name: without accents, other characters than letters and digits as `_`,
 * beginning with a letter; `unnamed` where nothing is left.
 */
export function deriveColumnName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_]+/g, '_')
    .slice(0, derivedLength)
  if (/^_*$/.test(plain)) return 'unnamed'
  return /^[A-Za-z]/.test(plain) ? plain : `t${plain}`.slice(0, derivedLength)
}

/** The name, or the name with the lowest number that makes it free: `Status`, `Status_2`. */
export function toFreeColumnName(name: string, isTaken: (candidate: string) => boolean): string {
  if (!isTaken(name)) return name
  for (let number = 2; ; number++) {
    const suffix = `_${number}`
    const candidate = name.slice(0, limits.dbFieldNameLength - suffix.length) + suffix
    if (!isTaken(candidate)) return candidate
  }
}

/** The physical column of a field follows its name, as far as no other column has it already. */
export function columnNameOf(
  { columnName, dbFieldName: known }: Pick<Field, 'columnName' | 'dbFieldName'>,
  wanted: string,
  taken: ReadonlySet<string>,
): string {
  if (columnName !== null && wanted === known) return columnName
  const own = columnName?.toLowerCase()
  return toFreeColumnName(wanted, (candidate) => {
    const name = candidate.toLowerCase()
    return name !== own && taken.has(name)
  })
}
