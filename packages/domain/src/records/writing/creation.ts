import { unknownSenderId } from '../../access/actor.ts'
import { requireRecordRoom } from '../../billing/require-room.ts'
import { planInsert } from '../../calculations/plan-write.ts'
import type { Cell, DefaultContext } from '../../fields/cell.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import { findCollaborators } from '../reading/find-collaborators.ts'
import type { RecordsContext } from '../reading/records-context.ts'
import { mapInTurns } from '../showing/map-in-turns.ts'
import type { CellPatch } from '../stored/cell-patch.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import type {
  CheckedRows,
  ComputedRecords,
  PreparedRecords,
  RecordWrite,
  ResolvedRows,
  WriteStrategy,
} from './record-write.ts'

type Cells = StoredRecord['cells']

/** Rows make new records, in their order. */
export const creation: WriteStrategy = {
  existing: [],
  event: 'record.created',

  async complete({ context }: RecordWrite, { loaded, rows }: ResolvedRows) {
    const cells = await fillDefaults(context, loaded.schema, rows)
    return { rows: cells, cells }
  },

  async prepare(
    { context: { ids, now, userId }, graph }: RecordWrite,
    { loaded, cells }: CheckedRows,
  ): Promise<PreparedRecords> {
    const newIds = ids.many('record', cells.length)
    const records = cells.map(
      (ofRecord, index): StoredRecord => ({
        id: newIds[index] ?? '',
        autoNumber: 0,
        createdTime: now,
        lastModifiedTime: now,
        createdBy: userId,
        lastModifiedBy: null,
        version: 1,
        cells: ofRecord,
      }),
    )
    const plan = await planInsert(graph, loaded)
    return { records, rowIndexes: [...records.keys()], before: [], plan }
  },

  async store({ context }: RecordWrite, { loaded, records }: ComputedRecords, isLast: boolean) {
    const { tx, base, userId, now: time } = context
    await requireRecordRoom(context, base.spaceId, records.length)
    const by = { userId, time, isLast }
    const numbers = await tx.recordWriter.insert(loaded.schema, records, by)
    return records.map((record, index) => ({ ...record, autoNumber: numbers[index] ?? 0 }))
  },
}

/** The rows with the default of the field in each cell that they don't name, else null. */
async function fillDefaults(
  context: RecordsContext,
  schema: TableSchema,
  rows: readonly CellPatch[],
): Promise<readonly Cells[]> {
  const defaults = rows.every(isComplete) ? [] : await defaultsOf(context, schema)
  return mapInTurns(context.tx, rows, (row) =>
    isComplete(row) ? row : withDefaults(row, defaults),
  )
}

/** The cells of a record of which nothing is named. Of the people whom defaults name those are in it who are still there. */
async function defaultsOf(
  { tx, base, now, userId }: RecordsContext,
  schema: TableSchema,
): Promise<Cells> {
  // Fields that tell of the last change have nothing to tell of a new record.
  const ofCreation = {
    lastModifiedTime: null,
    lastModifiedBy: null,
    createdTime: now,
    createdBy: userId,
  }
  const by = { userId: userId === unknownSenderId ? undefined : userId, now }
  const cellsBy = (context: DefaultContext) =>
    schema.columns.map(({ rules, systemColumn, isWritable }) => {
      if (systemColumn && systemColumn !== 'autoNumber') return ofCreation[systemColumn]
      return isWritable ? (rules.defaultCell?.(context) ?? null) : null
    })
  const cells = cellsBy(by)
  const namesOthers = schema.columns.some(({ rules, column, systemColumn }) => {
    const cell = cells[column.index] ?? null
    if (systemColumn || cell === null) return false
    return rules.userIds?.(cell).some((id) => id !== by.userId)
  })
  return namesOthers ? cellsBy({ ...by, people: await findCollaborators(tx, base) }) : cells
}

function withDefaults(row: CellPatch, defaults: Cells): Cells {
  const cells: (Cell | null)[] = new Array(row.length)
  for (let index = 0; index < row.length; index++) {
    const cell = row[index]
    cells[index] = cell === undefined ? (defaults[index] ?? null) : cell
  }
  return cells
}

function isComplete(row: CellPatch): row is Cells {
  return !row.includes(undefined)
}
