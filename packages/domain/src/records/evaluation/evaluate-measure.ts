import { itemsOf, scalarOf } from '../../queries/items-of.ts'
import type { Measured, MeasureKind } from '../../queries/statistics.ts'
import type { Measure } from '../reading/record-finder.ts'
import { cellOf } from '../stored/cell-of.ts'
import type { StoredRecord } from '../stored/stored-record.ts'

/** The kinds that are 0 of nothing; the others are null then. */
export const countingKinds: ReadonlySet<MeasureKind> = new Set([
  'filled',
  'unique',
  'items',
  'checked',
  'bytes',
])

/** A measure of the records, computed cell by cell: storages must find the same, but for the last digits of sums. */
export function evaluateMeasure(
  { field, kind }: Measure,
  records: readonly StoredRecord[],
): Measured {
  const { form } = field.rules
  const filled = records.map((record) => cellOf(field, record)).filter((cell) => cell !== null)
  if (kind === 'filled') return filled.length
  if (kind === 'checked') return filled.filter((cell) => itemsOf(form, cell).includes(true)).length
  const found = filled.flatMap((cell) => itemsOf(form, cell)).filter((item) => item !== null)
  if (kind === 'bytes') {
    const sizes = found.map((item) => (item as unknown as { readonly size: number }).size)
    return sizes.reduce((sum, size) => sum + size, 0)
  }
  const items = found.map((item) => scalarOf(form.item, item))
  if (kind === 'unique') return new Set(items).size
  if (kind === 'items') return items.length
  if (items.length === 0) return null
  if (kind === 'sum') {
    const numbers = items.map(Number)
    if (numbers.some((number) => Math.abs(number) >= 1e290)) return null
    return numbers.reduce((sum, number) => sum + number, 0)
  }
  const sorted = items.toSorted((a, b) => (a < b ? -1 : 1))
  return (kind === 'least' ? sorted[0] : sorted.at(-1)) as Measured
}
