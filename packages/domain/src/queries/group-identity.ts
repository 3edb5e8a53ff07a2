import type { Cell } from '../fields/cell.ts'
import type { CellForm, ItemForm } from '../fields/cell-form.ts'
import { limits } from '../limits.ts'
import { sha256 } from '../values/bytes/sha256.ts'
import { dateGranularity, granularityLengths, toLocalText } from '../values/dates/date-format.ts'
import { timeZone } from '../values/dates/time-zone.ts'
import { itemsOf, scalarOf, textOf } from './items-of.ts'
import type { SortValue } from './sort-value.ts'

/** What items of these kinds are ordered by also tells them apart. */
const plainKinds: ReadonlySet<ItemForm['kind']> = new Set(['number', 'boolean', 'press', 'date'])

/** Whether what orders cells of the form doesn't tell all groups of them apart. */
export function hasOwnIdentity({ item, isList }: CellForm): boolean {
  return isList || !plainKinds.has(item.kind)
}

/**
 * What tells the group of a cell from all others of its field: two cells are in one group where it is the same. Null
 * for empty cells. Whatever orders cells follows from it, so that those of a group stand together.
 */
export function groupIdentityOf(form: CellForm, cell: Cell | null): SortValue {
  if (cell === null) return null
  const { item, isList } = form
  if (!hasOwnIdentity(form)) return plainValueOf(item, cell)
  if (!isList) return shortened(itemText(item, cell))
  const texts = itemsOf(form, cell).map((one) => {
    if (one === null) return emptyItem
    const text = itemText(item, one)
    return `${[...text].length}:${text}`
  })
  return shortened(texts.join())
}

/** The kinds of items that their identities tell whole: of dates these tell as much as is shown. */
const toldKinds: ReadonlySet<ItemForm['kind']> = new Set(['number', 'boolean'])

/** Whether cells of the form are told by the identities of their groups: see `cellToldBy`. */
export function tellsCells({ item, isList }: CellForm): boolean {
  return !isList && toldKinds.has(item.kind)
}

/** The cell that all records of a group have, of a form that tells it by the group's identity. */
export function cellToldBy({ item }: CellForm, identity: SortValue): Cell | null {
  return identity !== null && item.kind === 'boolean' ? identity === 1 : identity
}

/** What orders and tells apart an item of one of these kinds: dates by as much of their text as is shown. */
export function plainValueOf(form: ItemForm, item: Cell): string | number {
  switch (form.kind) {
    case 'press':
      return (item as unknown as { readonly count: number }).count
    case 'date': {
      const length = granularityLengths[dateGranularity(form.formatting)]
      return toLocalText(item as string, timeZone(form.formatting.timeZone)).slice(0, length)
    }
    default:
      return Number(item)
  }
}

/** Stands in the text of a list for an empty item; all others begin with their length. */
const emptyItem = '-'

/** The text that tells an item from all others of its form. */
function itemText(form: ItemForm, item: Cell): string {
  switch (form.kind) {
    case 'number':
    case 'press':
      return numberBits(plainValueOf(form, item) as number)
    case 'boolean':
      return item === true ? 'true' : 'false'
    case 'date':
      return plainValueOf(form, item) as string
    case 'link':
      // Two records have a title each, and one has two for a while when it gets another.
      return `${scalarOf(form, item)} ${textOf(form, item)}`
    default:
      return textOf(form, item)
  }
}

/** The bits of a number in hexadecimal: no two storages write all numbers alike. */
export function numberBits(value: number): string {
  const bits = new DataView(new ArrayBuffer(8))
  // There is one zero.
  bits.setFloat64(0, value + 0)
  return bits.getBigUint64(0).toString(16).padStart(16, '0')
}

/** The text itself as far as it has room, and what tells long ones apart that begin alike. */
function shortened(text: string): string {
  const most = limits.groupTextLength
  if (text.length <= most) return text
  const letters = [...text.slice(0, 2 * most + 1)]
  return letters.length <= most ? text : letters.slice(0, most).join('') + sha256(text)
}
