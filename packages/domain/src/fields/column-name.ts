import { limits } from '../limits.ts'
import type { Field } from './field.ts'

/** Characters of a column name that is derived from a field's name: short enough to type. */
const derivedLength = 40

/**
 * A column name for the name of a field or table: in Latin letters without accents, other characters than letters and digits
 * as `_`, beginning with a letter; `unnamed` where nothing is left.
 */
export async function deriveColumnName(name: string): Promise<string> {
  // Marks belong to letters in many scripts: what is left of them is dropped afterwards.
  const latin = (await inLatin(name.normalize('NFKC'))).normalize('NFKD').replace(/\p{M}+/gu, '')
  const plain = latin.replace(/[^A-Za-z0-9_]+/g, '_').slice(0, derivedLength)
  if (/^_*$/.test(plain)) return 'unnamed'
  return /^[A-Za-z]/.test(plain) ? plain : `t${plain}`.slice(0, derivedLength)
}

/** The text in letters of ASCII, as far as others can be written in them: `Дата` is `Data`, `日本` is `Ri Ben`. */
async function inLatin(text: string): Promise<string> {
  if (!/[^\p{ASCII}]/u.test(text)) return text
  // Loaded where it is needed: it knows the letters of all scripts, which are some megabytes.
  const { transliterate } = await import('transliteration')
  return transliterate(text, { trim: true })
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
