import { z } from 'zod'
import type { Viewer } from '../accounts/users/shown-contact.ts'
import { userMapOutput } from '../accounts/users/shown-user.ts'
import { toTimestamp } from '../clock.ts'
import { invalidAt } from '../errors.ts'
import type { Cell, People } from '../fields/cell.ts'
import { oneUserCells, someUsersCells } from '../fields/cells/user-cells.ts'
import { limits } from '../limits.ts'
import { exactDate } from '../queries/date-window.ts'
import { peopleShownTo, userMapOf } from '../records/reading/find-people.ts'
import type { Secrets } from '../secrets.ts'
import type { ReadTx } from '../store.ts'
import { timestampFromIso } from '../values/dates/date-text.ts'
import { timeZone } from '../values/dates/time-zone.ts'
import { textUpTo } from '../values/storable-text.ts'
import { cellValueTypes } from '../values/value-type.ts'
import {
  type EntryPlace,
  fromHistoryCursor,
  type HistoryList,
  toHistoryCursor,
} from './history-cursor.ts'
import type { CellChange, RecordHistory } from './history-entry.ts'
import type { HistoryTable } from './history-repository.ts'

/** How a caller says which part of a history is asked for. */
export const historyShape = {
  startDate: exactDate.optional().describe('Leaves out what was changed before, in ISO 8601'),
  endDate: exactDate
    .optional()
    .describe(
      'Leaves out what was changed after, in ISO 8601; a date alone is its first moment in UTC',
    ),
  cursor: textUpTo(limits.cursorLength).optional().describe('The `nextCursor` of the page before'),
}

const stateOutput = z
  .object({
    meta: z
      .object({
        name: z.string().describe('The name of the field'),
        type: z.string().describe('The type of the field'),
        cellValueType: z.enum(cellValueTypes).describe('What kind of value the cell held'),
      })
      .describe('What the field was when the cell changed'),
    data: z.unknown().describe('What the cell held; null when it was empty'),
    isCut: z
      .literal(true)
      .optional()
      .describe('Says that this is only the beginning of what the cell held'),
  })
  .meta({ id: 'HistoryState' })

const entryOutput = z
  .object({
    id: z.string().describe('Tells the entry from all others'),
    tableId: z.string().describe('The table of the record'),
    recordId: z.string().describe('The record that was changed'),
    fieldId: z.string().describe('The field whose cell was changed'),
    before: stateOutput,
    after: stateOutput,
    createdTime: z.string().describe('When it was changed'),
    createdBy: z.string().describe('The id of the user who changed it'),
  })
  .meta({ id: 'HistoryEntry' })

/** A page of a history. */
export const historyOutput = z
  .object({
    historyList: z.array(entryOutput).describe('Changes of cells, the newest first'),
    userMap: userMapOutput.describe('Who changed them, by id'),
    nextCursor: z.string().optional().describe('Leads to the next page; left out on the last one'),
  })
  .meta({ id: 'History' })

type HistoryOutput = z.output<typeof historyOutput>

interface HistoryContext extends Viewer {
  readonly tx: ReadTx
  readonly secrets: Secrets
  readonly table: HistoryTable
}

interface AskedPart {
  readonly startDate?: string | undefined
  readonly endDate?: string | undefined
  readonly cursor?: string | undefined
}

/** The page that is asked for of the history of a table, or of one of its records. */
export async function listHistory(
  context: HistoryContext,
  { startDate, endDate, cursor }: AskedPart,
  record?: { readonly id: string; readonly autoNumber: number },
): Promise<HistoryOutput> {
  const { tx, table, secrets } = context
  const sinceMs = toMs(startDate) ?? 0
  const untilMs = toMs(endDate) ?? greatest
  if (sinceMs > untilMs) throw invalidAt(['endDate'], 'must not be before startDate')
  const list: HistoryList = { tableId: table.id, recordId: record?.id, sinceMs, untilMs }
  const after = cursor === undefined ? undefined : fromHistoryCursor(secrets, list, cursor)
  const from = after ?? { timeMs: untilMs, autoNumber: greatest, version: greatest }
  // Each change has an entry at least; all of the first one may have been answered.
  const most = limits.historyPerPage + 2
  const changes = await tx.history.list(table, {
    autoNumber: record?.autoNumber,
    sinceMs,
    from,
    most,
  })
  const entries = changes.flatMap(toEntries).filter(({ place }) => !after || isBeyond(place, after))
  const shown = entries.slice(0, limits.historyPerPage)
  const last = shown.at(-1)
  const people = await findPeople(tx, context, shown)
  return {
    historyList: shown.map((entry) => toOutput(context, entry, people)),
    userMap: people.userMap,
    ...(last &&
      entries.length > shown.length && { nextCursor: toHistoryCursor(secrets, list, last.place) }),
  }
}

const greatest = Number.MAX_SAFE_INTEGER

function toMs(date: string | undefined): number | undefined {
  const moment = date === undefined ? undefined : timestampFromIso(date, timeZone('UTC'))
  return moment === undefined ? undefined : Date.parse(moment)
}

interface Entry {
  readonly of: RecordHistory
  readonly change: CellChange
  readonly place: EntryPlace
}

function toEntries(of: RecordHistory): readonly Entry[] {
  const { timeMs, autoNumber, version } = of
  return of.changes.map((change, index) => ({
    of,
    change,
    place: { timeMs, autoNumber, version, index: change.index ?? index },
  }))
}

/** Whether an entry, which stands in the same change or in a later one of the list, follows another. */
function isBeyond(place: EntryPlace, after: EntryPlace): boolean {
  const isSameChange =
    place.timeMs === after.timeMs &&
    place.autoNumber === after.autoNumber &&
    place.version === after.version
  return !isSameChange || place.index > after.index
}

interface ShownPeople {
  readonly people: People
  readonly userMap: HistoryOutput['userMap']
}

async function findPeople(
  tx: ReadTx,
  viewer: Viewer,
  entries: readonly Entry[],
): Promise<ShownPeople> {
  const authors = new Set(entries.map(({ of }) => of.userId))
  const ids = new Set(authors)
  for (const { change } of entries) {
    if (change.type !== 'user') continue
    for (const id of [change.before ?? [], change.after ?? []].flat()) ids.add(String(id))
  }
  const profiles = await tx.users.profilesOf([...ids])
  return { people: peopleShownTo(viewer, profiles), userMap: userMapOf(viewer, profiles, authors) }
}

function toOutput(
  { table, secrets }: HistoryContext,
  { of, change, place }: Entry,
  { people }: ShownPeople,
): HistoryOutput['historyList'][number] {
  const { fieldId, name, type, cellValueType, cut } = change
  const toState = (state: 'before' | 'after') => ({
    meta: { name, type, cellValueType },
    data: toData(change, change[state], people),
    ...(cut?.includes(state) && { isCut: true as const }),
  })
  const tag = secrets.sign(`history entry:${table.id}:${Object.values(place).join(':')}`)
  return {
    id: `rhi${tag.slice(0, 24)}`,
    tableId: table.id,
    recordId: of.recordId,
    fieldId,
    before: toState('before'),
    after: toState('after'),
    createdTime: toTimestamp(of.timeMs),
    createdBy: of.userId,
  }
}

/** Cells are stored as they are shown, but for people, whom they hold by id. */
function toData({ type }: CellChange, cell: Cell | null, people: People): unknown {
  if (cell === null || type !== 'user') return cell
  const cells = Array.isArray(cell) ? someUsersCells : oneUserCells
  return cells.toJson?.(cell as never, people)
}
