import { formulaFunctions } from '../functions/formula-functions.ts'

/** What other languages call a function, and what it is called here. */
const otherNames: Readonly<Record<string, string>> = {
  AVG: 'AVERAGE',
  CEIL: 'CEILING',
  CONCAT: 'CONCATENATE',
  DATEBETWEEN: 'DATETIME_DIFF',
  DATEDIF: 'DATETIME_DIFF',
  DATEDIFF: 'DATETIME_DIFF',
  DATEVALUE: 'DATETIME_PARSE',
  ENCODEURL: 'ENCODE_URL_COMPONENT',
  FORMATDATE: 'DATETIME_FORMAT',
  LENGTH: 'LEN',
  MEAN: 'AVERAGE',
  NETWORKDAYS: 'WORKDAY_DIFF',
  PARSEDATE: 'DATETIME_PARSE',
  POW: 'POWER',
  REGEXREPLACE: 'REGEXP_REPLACE',
  SPLIT: 'TEXTSPLIT',
  SUBSTR: 'MID',
  SUBSTRING: 'MID',
  TEXTJOIN: 'ARRAY_JOIN',
  UNIQUE: 'ARRAY_UNIQUE',
}

/** What people write here instead of a function of other languages that there is none for. */
const otherWays: Readonly<Record<string, string>> = {
  IFERROR: 'write IF(IS_ERROR(value), other, value)',
  ISBLANK: 'write value = BLANK()',
}

const withoutLines = (name: string): string => name.replaceAll('_', '')

const namesWithoutLines: ReadonlyMap<string, string> = new Map([
  ...Object.entries(otherNames),
  ...[...formulaFunctions.keys()].map((name) => [withoutLines(name), name] as const),
])

/** What to write in place of a function that there isn't, by its name in capital letters; undefined for none known. */
export function functionHint(name: string): string | undefined {
  const plain = withoutLines(name)
  if (Object.hasOwn(otherWays, plain)) return otherWays[plain]
  const known = namesWithoutLines.get(plain)
  return known && `did you mean ${known}?`
}
