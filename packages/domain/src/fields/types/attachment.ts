import { z } from 'zod'
import { assert } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { storableTextUpTo, textUpTo } from '../../values/storable-text.ts'
import { compareText } from '../../values/text.ts'
import { type Cell, type CellRules, Refusal } from '../cell.ts'
import { listOf, one } from '../cell-form.ts'
import { compareLists } from '../cells/compare-lists.ts'
import { type FileCapability, fieldType } from '../field-type.ts'

const optionsSchema = z.strictObject({})

/** A file in a cell. What comes after the token is that of the stored file, whatever a caller sends. */
export interface AttachmentItem {
  readonly [member: string]: unknown
  readonly id: string
  readonly name: string
  readonly token: string
  readonly path: string
  /** Bytes. */
  readonly size: number
  readonly mimetype: string
  /** Pixels. */
  readonly width?: number
  readonly height?: number
}

const shortText = storableTextUpTo(limits.shortTextLength).min(1)

/** What must be right of an item that a caller sends; the rest comes from what is stored. */
export const attachmentItemInput = z.object({
  id: textUpTo(limits.idLength)
    .regex(
      /^act[0-9a-zA-Z]{1,32}$/,
      'must be "act" with 32 letters and digits after it at most, or be left out',
    )
    .optional(),
  name: shortText,
  token: shortText,
})

/** What is kept of the rest, so that an answer is read as what was answered; other members are dropped. */
const storedMembers = {
  path: shortText,
  size: z.int().min(0),
  mimetype: shortText,
  width: z.int().min(0),
  height: z.int().min(0),
} as const

const refusal = new Refusal(
  `must be a list of at most ${limits.attachmentsPerCell} objects with the name and token of a file, and perhaps an id that begins with "act", or null`,
)

/** Whether a value that a cell holds is a file. */
export function isAttachmentItem(value: unknown): value is AttachmentItem {
  return typeof value === 'object' && value !== null && 'token' in value && 'path' in value
}

/** Files. */
export const attachment = fieldType<z.output<typeof optionsSchema>, readonly AttachmentItem[]>()({
  name: 'attachment',
  defaultName: () => 'Attachments',
  options: optionsSchema,
  cellValueType: () => 'string',
  dbFieldType: () => 'JSON',
  isMultiple: () => true,
  canBePrimary: false,
  canBeUnique: false,
  canBeNotNull: true,
  files: {
    tokens: (cell) => ((cell ?? []) as readonly AttachmentItem[]).map(({ token }) => token),
    tokensIn,
    namedIn,
    stored: (cell) =>
      new Map(
        ((cell ?? []) as readonly AttachmentItem[]).map(({ token, width, height, ...item }) => [
          token,
          { ...item, width: width ?? null, height: height ?? null },
        ]),
      ),
    fill: fillItems,
    withTokens: (cell, tokens) =>
      (cell as readonly AttachmentItem[]).map((item) => ({
        ...item,
        token: tokens.get(item.token) ?? item.token,
      })),
  },
  cells: () => attachmentCells,
})

/** The rules for cells that hold files. */
export const attachmentCells: CellRules<readonly AttachmentItem[]> = {
  form: listOf(one('file')),
  parse: (value) => {
    if (value === null) return null
    if (!Array.isArray(value) || value.length > limits.attachmentsPerCell) return refusal
    if (value.length === 0) return null
    const items = value.map(toItem)
    return items.every((item) => item !== undefined) ? items : refusal
  },
  cast: (value, { held }) => {
    const present = (held ?? []) as readonly AttachmentItem[]
    if (present.length > 0 && value === toNames(present)) return present
    const there = new Map(present.map((item) => [item.id, item]))
    const items = [value].flat().flatMap((one) => {
      if (typeof one !== 'string') return toItem(one) ?? there.get(idOf(one))
      return one.split(',', limits.attachmentsPerCell).map((id) => there.get(id.trim()))
    })
    const right = items.filter((item) => item !== undefined).slice(0, limits.attachmentsPerCell)
    return right.length > 0 ? right : null
  },
  format: toNames,
  // Whoever has a token may attach the file elsewhere: what is shown of a record has none.
  title: (cell) => cell.map(({ name }) => name).join(','),
  compare: (a, b) => compareLists(a, b, (x, y) => compareText(x.name, y.name)),
  toFormula: (cell) => cell.map(({ name }) => name),
}

function toNames(cell: readonly AttachmentItem[]): string {
  return cell.map(({ name, token }) => `${name} (${token})`).join(',')
}

/** The item as a cell holds it. One without an id, or not stored yet, gets what it lacks when it is written. */
function toItem(value: unknown): AttachmentItem | undefined {
  const { success, data } = attachmentItemInput.safeParse(value)
  if (!success) return undefined
  const { id, name, token } = data
  const item: Record<string, unknown> = { ...(id === undefined ? {} : { id }), name, token }
  for (const [member, schema] of Object.entries(storedMembers)) {
    const stored = schema.safeParse((value as Record<string, unknown>)[member])
    if (stored.success) item[member] = stored.data
  }
  return item as AttachmentItem
}

function idOf(value: unknown): string {
  const { id } = (value ?? {}) as { readonly id?: unknown }
  return typeof id === 'string' ? id : ''
}

/** A token in brackets, behind which the text ends or another file follows. */
const tokenAtEnd = / \(([\w-]+)\)(?:,|$)/g

function tokensIn(text: string): string[] {
  const tokens: string[] = []
  for (const [, token = ''] of text.matchAll(tokenAtEnd)) {
    tokens.push(token)
    if (tokens.length === limits.attachmentsPerCell) break
  }
  return tokens
}

/** A name may hold commas and brackets, too: what ends it is a token that is known. */
function namedIn(text: string, known: ReadonlySet<string>): { name: string; token: string }[] {
  const files: { name: string; token: string }[] = []
  let start = 0
  for (const { index, 0: end, 1: token = '' } of text.matchAll(tokenAtEnd)) {
    if (!known.has(token)) continue
    files.push({ name: text.slice(start, index), token })
    start = index + end.length
  }
  return files
}

function fillItems(...[cell, files, ids]: Parameters<FileCapability['fill']>): Cell {
  const taken = new Set<string>()
  return (cell as readonly AttachmentItem[]).map(({ id: given, name, token }) => {
    const id = given === undefined || taken.has(given) ? ids.next('attachment') : given
    taken.add(id)
    const file = files.get(token)
    assert(file, `the token ${token} was looked up`)
    const { path, size, mimetype, width, height } = file
    const image = width === null || height === null ? {} : { width, height }
    return { id, name, token, path, size, mimetype, ...image }
  })
}
