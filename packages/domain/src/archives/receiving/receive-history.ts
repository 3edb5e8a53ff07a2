import { z } from 'zod'
import { later } from '../../clock.ts'
import { type Cell, Refusal } from '../../fields/cell.ts'
import { oneUserCells, someUsersCells } from '../../fields/cells/user-cells.ts'
import { type FieldTypeName, fieldTypeNames } from '../../fields/field-type-name.ts'
import { typeOf } from '../../fields/field-values.ts'
import { attachmentCells } from '../../fields/types/attachment.ts'
import type { CellChange, RecordHistory } from '../../history/history-entry.ts'
import { trimPeriodMs } from '../../history/history-jobs.ts'
import { clientFieldIdSchema, idSchema } from '../../ids.ts'
import { parseInput } from '../../input/parse-input.ts'
import { limits } from '../../limits.ts'
import { findDeletedRecords, findRecords } from '../../records/reading/scan-records.ts'
import { isSameCell } from '../../records/stored/is-same-cell.ts'
import { nameSchema } from '../../values/names.ts'
import { sentObject } from '../../values/sent-object.ts'
import { storableTextUpTo, textUpTo } from '../../values/storable-text.ts'
import { cellValueTypes } from '../../values/value-type.ts'
import { timestampSchema } from '../format/archive-line.ts'
import { loadSchema, type Receiving, tokenHere } from './receiving.ts'

const heldText = storableTextUpTo(2 * limits.historyLength)
const heldValue = z.union([z.boolean(), z.number(), heldText])
const heldMember = z.union([z.null(), heldValue])
const heldMembers = z.record(textUpTo(limits.nameLength), heldMember)
const heldItem = z.union([heldValue, sentObject(limits.historyLength).pipe(heldMembers)])

/** What a cell held: a value, an item of some members, such as a linked record, or a list of those. */
const heldCell = z.union([z.null(), heldItem, z.array(heldItem)])

/** What values of the types are, and of items in lists; any where they follow from others. */
const heldKinds: Partial<Record<FieldTypeName, 'string' | 'number' | 'boolean' | 'object'>> = {
  singleLineText: 'string',
  longText: 'string',
  singleSelect: 'string',
  multipleSelect: 'string',
  date: 'string',
  number: 'number',
  rating: 'number',
  checkbox: 'boolean',
  link: 'object',
  button: 'object',
}

const archivedCell = z.strictObject({
  fieldId: clientFieldIdSchema,
  name: nameSchema,
  type: z.enum(fieldTypeNames),
  cellValueType: z.enum(cellValueTypes),
  before: heldCell,
  after: heldCell,
  cut: z
    .array(z.enum(['before', 'after']))
    .max(2)
    .optional(),
})

/** What stands in such a list before the cells that became others. */
const membersBefore = 5

/** A list: a record by id and number, when which version of it was made, by whom, and the cells that became others. */
const archivedChange = z
  .tuple([idSchema, z.int().min(1), timestampSchema, z.int().min(1), idSchema])
  .rest(archivedCell)
  .refine(
    (said) => said.length > membersBefore && said.length <= membersBefore + limits.fieldsPerTable,
    `must have 1 to ${limits.fieldsPerTable} cells`,
  )
  // What is kept of a change is cut off there, but for what the fields were called.
  .refine(
    (said) => JSON.stringify(said).length <= 2 * limits.historyLength,
    `must have ${2 * limits.historyLength} characters at most`,
  )

/**
 * Notes what people changed in records of a table, as the lists that follow say: of those records and fields that came. What
 * is too old to be kept here goes in the background; where no history is kept, nothing is noted.
 */
export async function receiveHistory(receiving: Receiving, archivedId: string): Promise<void> {
  const { context, reader, made, begun } = receiving
  const table = made.tables.get(archivedId)
  if (!table) throw reader.wrong(`"${archivedId}" is no table of the archive`)
  if (begun.has(archivedId)) throw reader.wrong('the history of the table is there twice')
  begun.add(archivedId)
  const { store, now, settings } = context
  let histories: RecordHistory[] = []
  let length = 0
  const flush = async () => {
    const flushed = histories
    histories = []
    length = 0
    if (flushed.length === 0 || settings.recordHistoryDays === 0) return
    await store.write(async (tx) => {
      const numbers = new Map<string, number>()
      const schema = await loadSchema(receiving, tx, table.id)
      const named = new Set(flushed.map(({ recordId }) => recordId))
      for await (const { records } of findRecords(tx, schema, named, 'none', [])) {
        for (const { id, autoNumber } of records) numbers.set(id, autoNumber)
      }
      for await (const records of findDeletedRecords(tx, schema, [...named], [])) {
        for (const { id, autoNumber } of records) numbers.set(id, autoNumber)
      }
      const known = flushed.filter(
        ({ recordId, autoNumber }) => numbers.get(recordId) === autoNumber,
      )
      if (known.length > 0) await tx.history.add(table, known, later(now, trimPeriodMs))
    })
  }
  for (;;) {
    const item = await reader.next()
    if (item?.kind !== 'list') {
      reader.putBack(item)
      break
    }
    const history = toHistory(receiving, table.id, item.said)
    if (history.changes.length > 0) histories.push(history)
    length += reader.length
    if (histories.length >= limits.recordsPerArchivePiece || length >= limits.archivePieceLength) {
      await flush()
    }
  }
  await flush()
}

function toHistory(receiving: Receiving, tableId: string, said: readonly unknown[]): RecordHistory {
  const { reader, made, people } = receiving
  const parsed = parseInput(archivedChange, said)
  if (!('data' in parsed)) {
    const [first] = parsed.issues
    throw reader.wrong(`${[...(first?.path ?? [])].join('.')} ${first?.message}`.trim())
  }
  const [recordId, autoNumber, time, version, userId, ...cells] = parsed.data
  const changes = cells.flatMap(({ cut, ...cell }): CellChange[] => {
    const field = made.fields.get(cell.fieldId)
    if (field?.tableId !== tableId) throw reader.wrong(`"${cell.fieldId}" is no field of the table`)
    const toCell = (held: unknown) => cellHere(receiving, cell.type, held)
    const states = { before: toCell(cell.before), after: toCell(cell.after) }
    // Of people whom nobody knows here, it is not told that they came or went.
    if (cell.type === 'user' && isSameCell(states.before, states.after)) return []
    return [{ ...cell, ...states, fieldId: field.id, ...(cut && { cut }) }]
  })
  const place = { timeMs: Date.parse(time), autoNumber, version }
  return { ...place, recordId, userId: people.of(userId), changes }
}

/** What a cell held, without people whom nobody knows here, and with the tokens that files have here. */
function cellHere(receiving: Receiving, type: FieldTypeName, held: unknown): Cell | null {
  const { reader, people } = receiving
  if (held === null) return null
  if (type === 'user') {
    const ids = (Array.isArray(held) ? someUsersCells : oneUserCells).parse(held)
    if (ids instanceof Refusal) throw reader.wrong(`a cell ${ids.message}`)
    const known = [ids ?? []].flat().filter((id) => people.has(id))
    if (!Array.isArray(held)) return known[0] ?? null
    return known.length > 0 ? known : null
  }
  const { files } = typeOf({ type })
  if (!files) {
    const kind = heldKinds[type]
    const isRight = kind === undefined || [held].flat().every((value) => typeof value === kind)
    if (!isRight) throw reader.wrong(`a cell of the type ${type} can't have held that`)
    return held as Cell
  }
  const items = attachmentCells.parse(held)
  if (items instanceof Refusal) throw reader.wrong(`a cell ${items.message}`)
  const tokens = files.tokens(items).map((token) => [token, tokenHere(receiving, token)] as const)
  return items && files.withTokens(items, new Map(tokens))
}
