import { limits } from '../../limits.ts'
import { compareText, toText } from '../../values/text.ts'
import { type CastContext, type CellRules, type People, Refusal } from '../cell.ts'
import { listOf, one } from '../cell-form.ts'
import { compareLists } from './compare-lists.ts'
import { findItemIds, idMember, readItemIds } from './item-ids.ts'
import { joinNames } from './name-list.ts'

const oneRefusal = new Refusal('must be the id of a user, an object with one as id, or null')
const someRefusal = new Refusal(
  'must be a list of ids of users, or of objects with one as id, each once, or null',
)

/** The rules for cells that name one user. */
export const oneUserCells: CellRules<string> = {
  form: one('user'),
  parse: (value) => (value === null ? null : (toUserId(value) ?? oneRefusal)),
  cast: (value, context) => castUsers(value, context)[0] ?? null,
  format: toTitle,
  toJson: toUser,
  compare: compareUsers,
  userIds: (cell) => [cell],
  toFormula: toTitle,
}

/** The rules for cells that name several users, each once. */
export const someUsersCells: CellRules<readonly string[]> = {
  form: listOf(one('user')),
  parse: (value) => {
    if (value === null) return null
    const ids = readItemIds(value, { most: limits.collaboratorsPerResource, idOf: toUserId })
    if (!ids) return someRefusal
    return ids.length > 0 ? ids : null
  },
  cast: (value, context) => {
    const ids = castUsers(value, context)
    return ids.length > 0 ? ids : null
  },
  format: (cell, people) => joinNames(cell.map((id) => toTitle(id, people))),
  toJson: (cell, people) => cell.map((id) => toUser(id, people)),
  compare: (a, b, people) => compareLists(a, b, (x, y) => compareUsers(x, y, people)),
  userIds: (cell) => cell,
  toFormula: (cell, people) => cell.map((id) => toTitle(id, people)),
}

/** What a user is called whom nobody knows any more. */
export const unknownPerson = 'Unknown'

function toTitle(id: string, people: People): string {
  return people.name(id) ?? unknownPerson
}

function toUser(id: string, people: People) {
  return { id, title: toTitle(id, people), ...people.details?.(id) }
}

/** By title, so that people find what they see in order; those of one title by id, so that they stay together. */
function compareUsers(a: string, b: string, people: People): number {
  if (a === b) return 0
  return compareText(toTitle(a, people), toTitle(b, people)) || compareText(a, b)
}

/** The id in a value of the form that a caller sends; whether there is such a user is asked elsewhere. */
function toUserId(value: unknown): string | undefined {
  const id = typeof value === 'string' ? value : idMember(value)
  return typeof id === 'string' && id !== '' && id.length <= limits.idLength ? id : undefined
}

/** The users that a value names by id, name or e-mail address. Whom the cell names already is known by id, collaborator or not. */
function castUsers(value: unknown, { people, held }: CastContext): string[] {
  const heldIds = new Set([held ?? []].flat() as readonly string[])
  const idOf = (item: unknown) => findUser(item, people, heldIds)
  return findItemIds(value, { most: limits.collaboratorsPerResource, idOf })
}

function findUser(
  value: unknown,
  people: People,
  heldIds: ReadonlySet<string>,
): string | undefined {
  if (Array.isArray(value)) return undefined
  const id = idMember(value)
  if (typeof id === 'string' && (heldIds.has(id) || people.name(id) !== undefined)) return id
  const text = toText(value).trim()
  if (heldIds.has(text)) return text
  return text === '' ? undefined : people.find(text)
}
