import type { Cell } from '../../fields/cell.ts'
import type { CellForm } from '../../fields/cell-form.ts'
import type { Comparison, Condition, Scalar } from '../../queries/condition.ts'
import { itemsOf, scalarOf, textOf } from '../../queries/items-of.ts'
import { granularityLengths, toLocalText } from '../../values/dates/date-format.ts'
import { timeZone } from '../../values/dates/time-zone.ts'
import { foldCase } from '../../values/text.ts'
import { cellOf } from '../stored/cell-of.ts'
import type { StoredRecord } from '../stored/stored-record.ts'

/** Whether some item of a cell stands so to another cell of the record. */
export function standsTo(
  { field, other, comparison }: Extract<Condition, { kind: 'compared' }>,
  record: StoredRecord,
): boolean {
  const [cell, with_] = [cellOf(field, record), cellOf(other, record)]
  if (cell === null || with_ === null) return false
  const { form } = field.rules
  const second = comparedBy(form, comparison, with_)
  return itemsIn(form, cell).some((item) => {
    const first = comparedBy(form, comparison, item)
    return holds(comparison, first, second)
  })
}

/** Whether two cells of the record share items as far as the condition says. */
export function sharesItems(
  { field, other, extent }: Extract<Condition, { kind: 'shared' }>,
  record: StoredRecord,
): boolean {
  const [first, second] = [field, other].map((one) => {
    const { form } = one.rules
    const cell = cellOf(one, record)
    const items = cell === null ? [] : itemsIn(form, cell)
    return new Set(items.map((item) => scalarOf(form.item, item)))
  }) as [Set<Scalar>, Set<Scalar>]
  if (first.size === 0 || second.size === 0) return false
  if (extent === 'some') return !first.isDisjointFrom(second)
  return second.isSubsetOf(first) && (extent === 'all' || first.isSubsetOf(second))
}

function itemsIn(form: CellForm, cell: Cell): readonly Cell[] {
  return itemsOf(form, cell).filter((item) => item !== null)
}

/** What an item is compared by; dates by their day, by the clocks of the field that is asked. */
function comparedBy({ item: form }: CellForm, comparison: Comparison, item: Cell): Scalar {
  if (form.kind === 'date') {
    const zone = timeZone(form.formatting.timeZone)
    return toLocalText(item as string, zone).slice(0, granularityLengths.day)
  }
  return comparison === 'contains' ? foldCase(textOf(form, item)) : scalarOf(form, item)
}

function holds(comparison: Comparison, first: Scalar, second: Scalar): boolean {
  switch (comparison) {
    case 'equal':
      return first === second
    case 'less':
      return first < second
    case 'atMost':
      return first <= second
    case 'greater':
      return first > second
    case 'atLeast':
      return first >= second
    case 'contains':
      return String(first).includes(String(second))
  }
}
