import type { Cell, People } from '../fields/cell.ts'
import type { ItemForm } from '../fields/cell-form.ts'
import { unknownPerson } from '../fields/cells/user-cells.ts'
import { limits } from '../limits.ts'
import type { SchemaField } from '../schemas/table-schema.ts'
import { foldCase } from '../values/text.ts'
import { groupIdentityOf, hasOwnIdentity, plainValueOf } from './group-identity.ts'
import { itemsOf, textOf } from './items-of.ts'
import type { SortValue } from './sort-value.ts'

/** By what records are ordered: one field, upwards (empty cells first) or downwards (empty cells last). */
export interface SortKey {
  readonly field: SchemaField
  readonly isDescending: boolean
  /** Whether records are grouped by it: then those of one group stand together, and their identity orders them, too. */
  readonly isGroup?: boolean
}

/**
 * Characters of each text that orders records by one of the keys. Groups are in one order whatever else orders the
 * records in them.
 */
export function sortTextLength({ isGroup = false }: SortKey, keys: readonly SortKey[]): number {
  return isGroup ? limits.groupTextLength : Math.floor(limits.sortLength / keys.length)
}

/**
 * How many values of its own a key orders records by: a list goes by its first item, then by how many it has; what
 * tells groups apart comes last where the others don't.
 */
export function sortValueCount({ field, isGroup = false }: SortKey): number {
  const { form } = field.rules
  return (form.isList ? 2 : 1) + (isGroup && hasOwnIdentity(form) ? 1 : 0)
}

/**
 * The values that order a record by a key: as many as `sortValueCount` says. Texts go by their first characters,
 * folded; choices by their place, users, links and files by their title, dates by as much as is shown of them.
 */
export function sortValuesOf(
  { field, isGroup = false }: SortKey,
  cell: Cell | null,
  people: Pick<People, 'name'>,
  textLength: number,
): readonly SortValue[] {
  const { form } = field.rules
  const own = isGroup && hasOwnIdentity(form) ? [groupIdentityOf(form, cell)] : []
  if (cell === null) return [...(form.isList ? [null, null] : [null]), ...own]
  const items = itemsOf(form, cell)
  const [first = null] = items
  const value = first === null ? null : sortValueOf(form.item, first, people, textLength)
  return [...(form.isList ? [value, items.length] : [value]), ...own]
}

function sortValueOf(
  form: ItemForm,
  item: Cell,
  people: Pick<People, 'name'>,
  textLength: number,
): SortValue {
  switch (form.kind) {
    case 'choice': {
      const place = form.names().indexOf(item as string)
      return place < 0 ? null : place
    }
    case 'number':
    case 'boolean':
    case 'press':
    case 'date':
      return plainValueOf(form, item)
    case 'user':
      return toSortText(people.name(item as string) ?? unknownPerson, textLength)
    default:
      return toSortText(textOf(form, item), textLength)
  }
}

function toSortText(text: string, length: number): string {
  return foldCase([...text.slice(0, 2 * length)].slice(0, length).join(''))
}
