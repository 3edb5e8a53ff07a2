import { limits } from '../../limits.ts'
import { isStorable } from '../../values/storable-text.ts'
import { compareText, toText } from '../../values/text.ts'
import { type Cell, type CellRules, type LinkTargets, Refusal } from '../cell.ts'
import { listOf, one } from '../cell-form.ts'
import { compareLists } from './compare-lists.ts'
import { findItemIds, idMember, readItemIds } from './item-ids.ts'
import { joinNames } from './name-list.ts'

/** A record that a cell is linked to, with its title as it is shown; one without text has none. */
export interface LinkItem {
  readonly [member: string]: unknown
  readonly id: string
  readonly title?: string
}

const oneRefusal = new Refusal('must be the id of a record, an object with one as id, or null')
const someRefusal = new Refusal(
  `must be a list of at most ${limits.linksPerCell} ids of records, or of objects with one as id, each once, or null`,
)

/** The rules for cells that are linked to one record. */
export const oneLinkCells: CellRules<Cell> = {
  form: one('link'),
  parse: (value) => {
    if (value === null) return null
    const id = toRecordId(value)
    return id === undefined ? oneRefusal : { id }
  },
  cast: (value, { targets }) => castItems(value, targets)[0] ?? null,
  format: (cell) => titleOf(cell as LinkItem),
  compare: (a, b) => compareItems(a as LinkItem, b as LinkItem),
  toFormula: (cell) => (cell as LinkItem).title ?? null,
}

/** The rules for cells that are linked to several records, each once. */
export const someLinksCells: CellRules<Cell> = {
  form: listOf(one('link')),
  parse: (value) => {
    if (value === null) return null
    const ids = readItemIds(value, { most: limits.linksPerCell, idOf: toRecordId })
    if (!ids) return someRefusal
    return ids.length > 0 ? ids.map((id) => ({ id })) : null
  },
  cast: (value, { targets }) => {
    const items = castItems(value, targets)
    return items.length > 0 ? items : null
  },
  format: (cell) => joinNames(itemsOf(cell).map(titleOf)),
  compare: (a, b) => compareLists(itemsOf(a), itemsOf(b), compareItems),
  toFormula: (cell) => itemsOf(cell).map(({ title }) => title ?? null),
}

/** The links of a cell, in its order. */
export function itemsOf(cell: Cell): readonly LinkItem[] {
  return (Array.isArray(cell) ? cell : [cell]) as readonly LinkItem[]
}

function titleOf({ title = '' }: LinkItem): string {
  return title
}

function compareItems(a: LinkItem, b: LinkItem): number {
  return compareText(titleOf(a), titleOf(b)) || compareText(a.id, b.id)
}

function toRecordId(value: unknown): string | undefined {
  const id = typeof value === 'string' ? value : idMember(value)
  if (typeof id !== 'string' || id === '' || id.length > limits.idLength) return undefined
  return isStorable(id) ? id : undefined
}

/** The texts that may be the id or the title of the record that a value names. */
export function textsOf(value: unknown): string[] {
  const id = idMember(value)
  const texts = [...(typeof id === 'string' ? [id] : []), toText(value).trim()]
  return texts.filter((text) => text !== '' && isStorable(text))
}

/** The records that a value names by id or title. */
function castItems(value: unknown, targets: LinkTargets | undefined): LinkItem[] {
  if (!targets) return []
  const idOf = (item: unknown) => findRecord(item, targets)
  return findItemIds(value, { most: limits.linksPerCell, idOf }).map((id) => ({ id }))
}

function findRecord(value: unknown, targets: LinkTargets): string | undefined {
  if (Array.isArray(value)) return undefined
  const id = idMember(value)
  if (typeof id === 'string' && targets.has(id)) return id
  const text = toText(value).trim()
  if (text === '') return undefined
  return targets.has(text) ? text : targets.find(text)
}
