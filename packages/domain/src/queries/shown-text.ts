import type { Cell, People } from '../fields/cell.ts'
import type { CellForm, ItemForm } from '../fields/cell-form.ts'
import { unknownPerson } from '../fields/cells/user-cells.ts'
import { localFormat, toLocalText } from '../values/dates/date-format.ts'
import { timeZone } from '../values/dates/time-zone.ts'
import { formatNumber } from '../values/number-format.ts'
import { foldCase } from '../values/text.ts'
import { itemsOf, textOf } from './items-of.ts'

/** The text between the items of a list. */
export const itemSeparator = ', '

/**
 * The text that people see in a cell, folded, in which a search looks. Items of a list are joined as they are, without
 * the quotation marks that a list as text has around some of them.
 */
export function shownText(form: CellForm, cell: Cell, people: Pick<People, 'name'>): string {
  const items = itemsOf(form, cell).filter((item) => item !== null)
  return foldCase(items.map((item) => itemText(form.item, item, people)).join(itemSeparator))
}

function itemText(form: ItemForm, item: Cell, people: Pick<People, 'name'>): string {
  switch (form.kind) {
    case 'number':
      return form.formatting ? formatNumber(item as number, form.formatting) : String(item)
    case 'date': {
      const local = toLocalText(item as string, timeZone(form.formatting.timeZone))
      return localFormat(form.formatting)(local)
    }
    case 'user':
      return people.name(item as string) ?? unknownPerson
    default:
      return textOf(form, item)
  }
}

/**
 * Whether some cell of the form may show the text, which is folded: most texts have letters that no number or date
 * has. Where it says no, there is none.
 */
export function canShow({ item, isList }: CellForm, text: string): boolean {
  const letters = lettersOf(item)
  if (letters === undefined) return true
  const known = new Set(isList ? letters + itemSeparator : letters)
  return [...text].every((letter) => known.has(letter))
}

/** The characters that items of the form are shown with, folded; undefined for all. */
function lettersOf(form: ItemForm): string | undefined {
  switch (form.kind) {
    case 'number': {
      const { formatting } = form
      const symbol = formatting?.type === 'currency' ? foldCase(formatting.symbol) : ''
      return `0123456789-.,%e+${symbol}`
    }
    case 'date':
      return '0123456789-/: amp'
    case 'boolean':
      return 'truefalse'
    case 'press':
      return ''
    default:
      return undefined
  }
}
