import type { DateFormatting } from '../values/dates/date-formatting.ts'
import type { NumberFormatting } from '../values/number-formatting.ts'

/** What one item of a cell is, as far as queries go by it; a cell that isn't a list is one item. */
export type ItemForm =
  | { readonly kind: 'text' | 'boolean' | 'user' | 'link' | 'file' | 'press' }
  /** Shown as plain digits where there is no formatting. */
  | { readonly kind: 'number'; readonly formatting?: NumberFormatting }
  | { readonly kind: 'date'; readonly formatting: DateFormatting }
  /** The names of the choices, in their order. */
  | { readonly kind: 'choice'; readonly names: () => readonly string[] }

/** What the cells of a field hold, as far as queries go by it. */
export interface CellForm {
  readonly item: ItemForm
  readonly isList: boolean
}

/** The form of cells that hold one item of the kind. */
export function one(kind: Exclude<ItemForm['kind'], 'date' | 'choice'>): CellForm {
  return { item: { kind }, isList: false }
}

/** The form of cells that hold one number, shown as the formatting says. */
export function oneNumber(formatting: NumberFormatting): CellForm {
  return { item: { kind: 'number', formatting }, isList: false }
}

/** The form of cells that hold a list of what the others hold one of. */
export function listOf({ item }: CellForm): CellForm {
  return { item, isList: true }
}
