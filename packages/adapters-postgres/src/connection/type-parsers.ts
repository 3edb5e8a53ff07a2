import pg from 'pg'

/** Object ids of types, which PostgreSQL never changes. */
const bigint = 20
const json = 114
const timestamptz = 1184
const jsonb = 3802

const asIs = (text: string) => text

const parsers = new Map<number, (text: string) => unknown>([
  // Counts and numbers of records, far below 2^53.
  [bigint, Number],
  [timestamptz, toIsoText],
  // Cells are parsed where the type of their column is known, as on every storage.
  [json, asIs],
  [jsonb, asIs],
])

/** How values that are read become values of the shared package. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    parsers.get(id) ?? pg.types.getTypeParser(id, format)) as pg.CustomTypesConfig['getTypeParser'],
}

/** PostgreSQL's text of a moment as ISO 8601: UTC, milliseconds. */
function toIsoText(text: string): string {
  // "2026-01-01 10:20:30.12+00", in the time zone that every connection sets.
  if (!text.endsWith('+00')) return new Date(text).toISOString()
  const milliseconds = text.slice(20, -3).padEnd(3, '0')
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`
}
