import { limits } from '../../limits.ts'
import { isStorable } from '../../values/storable-text.ts'
import { compareText, toText } from '../../values/text.ts'
import { type CastContext, type Cell, type CellRules, type LinkTargets, Refusal } from '../cell.ts'
import { listOf, one } from '../cell-form.ts'
import { compareLists } from './compare-lists.ts'
import { findItemIds, idMember, readItemIds } from './item-ids.ts'
import { joinNames, splitNames } from './name-list.ts'

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
  cast: (value, context) => castItems(value, context, ([item]) => item?.title ?? '')[0] ?? null,
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
  cast: (value, context) => {
    const items = castItems(value, context, titlesOf)
    return items.length > 0 ? items : null
  },
  format: (cell) => titlesOf(itemsOf(cell)),
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

function titlesOf(items: readonly LinkItem[]): string {
  return joinNames(items.map(titleOf))
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

/**
 * The records that a value names by id or title: the text of the present cell stands for the records in it, and a title for one
 * that is in the cell before any other of the same title.
 */
function castItems(
  value: unknown,
  { targets, held }: Pick<CastContext, 'targets' | 'held'>,
  textOf: (items: readonly LinkItem[]) => string,
): LinkItem[] {
  const present = held === null || held === undefined ? [] : itemsOf(held)
  if (present.length === 0 && !targets) return []
  if (present.length > 0 && isSameText(value, textOf(present))) {
    return present.map(({ id }) => ({ id }))
  }
  const known = present.length > 0 ? presentFirst(present, value, targets) : targets
  const idOf = (item: unknown) => known && findRecord(item, known)
  return findItemIds(value, { most: limits.linksPerCell, idOf }).map((id) => ({ id }))
}

function isSameText(value: unknown, text: string): boolean {
  const sent = typeof value === 'object' ? '' : toText(value).trim()
  return sent !== '' && sent === text.trim()
}

/** Finds the records of the present cell, each once by its title unless the value names its id, then others. */
function presentFirst(
  present: readonly LinkItem[],
  value: unknown,
  targets: LinkTargets | undefined,
): LinkTargets {
  const parts = Array.isArray(value) ? value : [value, ...splitNames(toText(value))]
  const named = new Set(parts.flatMap(textsOf))
  const ids = new Set(present.map(({ id }) => id))
  const byTitle = Map.groupBy(present.filter(({ id }) => !named.has(id)).toReversed(), (item) =>
    titleOf(item).trim(),
  )
  return {
    has: (id) => ids.has(id) || (targets?.has(id) ?? false),
    find: (title) => byTitle.get(title)?.pop()?.id ?? targets?.find(title),
  }
}

function findRecord(value: unknown, targets: LinkTargets): string | undefined {
  if (Array.isArray(value)) return undefined
  const id = idMember(value)
  if (typeof id === 'string' && targets.has(id)) return id
  const text = toText(value).trim()
  if (text === '') return undefined
  return targets.has(text) ? text : targets.find(text)
}
