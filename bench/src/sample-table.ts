import type { Api } from '@gateleg/domain/api'
import type { Column } from './handwritten/rows.ts'

type NewTable = Parameters<Api['tables']['createTable']>[0]
export type NewField = NonNullable<NewTable['fields']>[number]

/** A record as requests carry it. */
export interface SampleRecord {
  readonly fields: Readonly<Record<string, unknown>>
}

const choices = ['open', 'planned', 'under way', 'done']

/** Kinds of columns, taken in turn; each with the value of the n-th record. */
const kinds: readonly {
  readonly field: NewField
  readonly column: Column['type']
  readonly value: (n: number) => unknown
}[] = [
  {
    field: { type: 'singleLineText' },
    column: 'text',
    value: (n) => `A line of text, number ${n}`,
  },
  { field: { type: 'number' }, column: 'real', value: (n) => (n * 7_919) / 100 },
  {
    field: { type: 'singleSelect', options: { choices: choices.map((name) => ({ name })) } },
    column: 'text',
    value: (n) => choices[n % choices.length],
  },
  { field: { type: 'checkbox' }, column: 'integer', value: (n) => n % 3 === 0 },
  {
    field: { type: 'date' },
    column: 'text',
    value: (n) => new Date(Date.UTC(2026, 0, 1) + n * 3_600_000).toISOString(),
  },
]

function kindOf(index: number) {
  const kind = kinds[index % kinds.length]
  if (!kind) throw new Error('There are kinds of columns')
  return kind
}

/** So many fields of all common types, the first one a text. */
export function sampleFields(count: number): NewField[] {
  return Array.from({ length: count }, (_, i) => ({ ...kindOf(i).field, name: `Field ${i}` }))
}

/** The columns of the sample, as a handwritten table has them. */
export function sampleColumns(count: number): Column[] {
  return Array.from({ length: count }, (_, i) => ({ name: `Field ${i}`, type: kindOf(i).column }))
}

/** The n-th record of a sample table. */
export function sampleRecord(fieldCount: number, n: number): SampleRecord {
  const cells = Array.from({ length: fieldCount }, (_, i) => [`Field ${i}`, kindOf(i).value(n + i)])
  return { fields: Object.fromEntries(cells) }
}

/** Consecutive records of a sample table. */
export function sampleRecords(fieldCount: number, first: number, count: number): SampleRecord[] {
  return Array.from({ length: count }, (_, index) => sampleRecord(fieldCount, first + index))
}
