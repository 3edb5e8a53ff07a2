import type { Cell } from '../fields/cell.ts'
import type { CellForm, ItemForm } from '../fields/cell-form.ts'
import type { Scalar } from './condition.ts'

/** The items of a cell, in their order; lists that formulas make may have empty ones. */
export function itemsOf({ isList }: CellForm, cell: Cell): readonly (Cell | null)[] {
  return isList ? (cell as readonly (Cell | null)[]) : [cell]
}

/** The value by which an item is compared: the id of an item that has one, else the item itself. */
export function scalarOf({ kind }: ItemForm, item: Cell): Scalar {
  switch (kind) {
    case 'link':
      return (item as unknown as { readonly id: string }).id
    case 'file':
      return (item as unknown as { readonly name: string }).name
    case 'press':
      return ''
    default:
      return item as Scalar
  }
}

/** The text of an item as people see it, of those that are texts or have a title. */
export function textOf({ kind }: ItemForm, item: Cell): string {
  if (kind === 'link') return (item as unknown as { readonly title?: string }).title ?? ''
  return String(scalarOf({ kind } as ItemForm, item))
}
