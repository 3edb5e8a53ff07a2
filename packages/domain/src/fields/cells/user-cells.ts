import { limits } from '../../limits.ts'
import { type CellRules, type People, Refusal } from '../field-type.ts'
import { compareLists } from './compare-lists.ts'
import { joinNames, splitNames } from './name-list.ts'
import { compareText, toText } from './text.ts'
import { isUnique } from './unique-items.ts'

const oneRefusal = new Refusal('must be the id of a user, an object with one as id, or null')
const someRefusal = new Refusal(
  'must be a list of ids of users, or of objects with one as id, each once, or null',
)

/** The rules for cells that name one user. */
export const oneUserCells: CellRules<string> = {
  parse: (value) => (value === null ? null : (toUserId(value) ?? oneRefusal)),
  cast: (value, { people }) => castUsers(value, people)[0] ?? null,
  format: toTitle,
  toJson: toUser,
  compare: compareUsers,
  userIds: (cell) => [cell],
  toFormula: toTitle,
}

/** The rules for cells that name several users, each once. */
export const someUsersCells: CellRules<readonly string[]> = {
  parse: (value) => {
    if (value === null) return null
    if (!Array.isArray(value) || value.length > limits.collaboratorsPerResource) return someRefusal
    const ids: string[] = []
    for (const item of value) {
      const id = toUserId(item)
      if (id === undefined) return someRefusal
      ids.push(id)
    }
    if (ids.length === 0) return null
    return isUnique(ids) ? ids : someRefusal
  },
  cast: (value, { people }) => {
    const ids = castUsers(value, people)
    return ids.length > 0 ? ids : null
  },
  format: (cell, people) => joinNames(cell.map((id) => toTitle(id, people))),
  toJson: (cell, people) => cell.map((id) => toUser(id, people)),
  compare: (a, b, people) => compareLists(a, b, (x, y) => compareUsers(x, y, people)),
  userIds: (cell) => cell,
  toFormula: (cell, people) => cell.map((id) => toTitle(id, people)),
}

function toTitle(id: string, people: People): string {
  return people.name(id) ?? 'Unknown'
}

function toUser(id: string, people: People): { id: string; title: string } {
  return { id, title: toTitle(id, people) }
}

/** By title, so that people find what they see in order; those of one title by id, so that they stay together. */
function compareUsers(a: string, b: string, people: People): number {
  if (a === b) return 0
  return compareText(toTitle(a, people), toTitle(b, people)) || compareText(a, b)
}

/** The id in a value of the form that a caller sends; whether there is such a user is asked elsewhere. */
function toUserId(value: unknown): string | undefined {
  const id = typeof value === 'string' ? value : toObject(value).id
  return typeof id === 'string' && id !== '' && id.length <= limits.idLength ? id : undefined
}

function toObject(value: unknown): { readonly id?: unknown } {
  return typeof value === 'object' && value !== null ? value : {}
}

/** The users that a value names by id, name or e-mail address: one in each item, or in each part of a text. */
function castUsers(value: unknown, people: People): string[] {
  const whole = findUser(value, people)
  if (whole !== undefined) return [whole]
  const items = Array.isArray(value) ? value : splitNames(toText(value))
  const ids = new Set<string>()
  for (const item of items) {
    if (ids.size === limits.collaboratorsPerResource) break
    const id = findUser(item, people)
    if (id !== undefined) ids.add(id)
  }
  return [...ids]
}

function findUser(value: unknown, people: People): string | undefined {
  if (Array.isArray(value)) return undefined
  const { id } = toObject(value)
  if (typeof id === 'string' && people.name(id) !== undefined) return id
  const text = toText(value).trim()
  return text === '' ? undefined : people.find(text)
}
