import type { Cell, People } from '../fields/cell.ts'
import type { CellForm, ItemForm } from '../fields/cell-form.ts'
import { unknownPerson } from '../fields/cells/user-cells.ts'
import { limits } from '../limits.ts'
import type { SchemaField } from '../schemas/table-schema.ts'
import { dateGranularity, granularityLengths } from '../values/date-format.ts'
import { foldCase } from '../values/text.ts'
import { timeZone } from '../values/time-zone.ts'
import { itemsOf, textOf } from './items-of.ts'
import { localSortText } from './local-sort-text.ts'

/** By what records are ordered: one field, upwards (empty cells first) or downwards (empty cells last). */
export interface SortKey {
  readonly field: SchemaField
  readonly isDescending: boolean
}

/** A value that orders records; null where the cell is empty. */
export type SortValue = string | number | null

/** Characters of each text that orders records by these fields. */
export function sortTextLength(keys: readonly SortKey[]): number {
  return Math.floor(limits.sortLength / Math.max(1, keys.length))
}

/** How many values of its own a field orders records by: a list goes by its first item, then by how many it has. */
export function sortValueCount({ isList }: CellForm): number {
  return isList ? 2 : 1
}

/**
 * The values that order a record by a field: as many as `sortValueCount` says. Texts go by their first characters,
 * folded; choices by their place, users, links and files by their title, dates by as much as is shown of them.
 */
export function sortValuesOf(
  form: CellForm,
  cell: Cell | null,
  people: Pick<People, 'name'>,
  textLength: number,
): readonly SortValue[] {
  if (cell === null) return form.isList ? [null, null] : [null]
  const items = itemsOf(form, cell)
  const [first = null] = items
  const value = first === null ? null : sortValueOf(form.item, first, people, textLength)
  return form.isList ? [value, items.length] : [value]
}

function sortValueOf(
  form: ItemForm,
  item: Cell,
  people: Pick<People, 'name'>,
  textLength: number,
): SortValue {
  switch (form.kind) {
    case 'number':
      return item as number
    case 'boolean':
      return Number(item)
    case 'press':
      return (item as unknown as { readonly count: number }).count
    case 'choice': {
      const place = form.names().indexOf(item as string)
      return place < 0 ? null : place
    }
    case 'date': {
      const length = granularityLengths[dateGranularity(form.formatting)]
      return localSortText(item as string, timeZone(form.formatting.timeZone)).slice(0, length)
    }
    case 'user':
      return toSortText(people.name(item as string) ?? unknownPerson, textLength)
    default:
      return toSortText(textOf(form, item), textLength)
  }
}

function toSortText(text: string, length: number): string {
  return foldCase([...text.slice(0, 2 * length)].slice(0, length).join(''))
}
