import { planUpdate } from '../../calculations/plan-write.ts'
import { assert } from '../../errors.ts'
import type { ColumnField, TableSchema } from '../../schemas/table-schema.ts'
import { mapInTurns } from '../showing/map-in-turns.ts'
import type { CellPatch } from '../stored/cell-patch.ts'
import { isSameCell } from '../stored/is-same-cell.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import { groupByColumns } from './group-by-columns.ts'
import { handedOn } from './handed-on.ts'
import { noteWritten } from './note-written.ts'
import type {
  CheckedRows,
  ComputedRecords,
  PreparedRecords,
  RecordWrite,
  ResolvedRows,
  WriteStrategy,
} from './record-write.ts'

type Cells = StoredRecord['cells']

/**
 * Rows change the cells that they name of existing records. A record whose cells have the values already
 * stays as it is.
 */
export class Change implements WriteStrategy {
  readonly existing: readonly StoredRecord[]
  readonly event = 'record.updated'

  /** Takes the records, which are locked, in the order of the rows. */
  constructor(existing: readonly StoredRecord[]) {
    this.existing = existing
  }

  async complete({ context }: RecordWrite, resolved: ResolvedRows) {
    const { tx } = context
    const { loaded, existing, rows: named } = resolved
    // Before unchanged cells are left out: one that is emptied may look empty while it is being converted.
    await noteWritten(context, loaded.schema, existing, named)
    const rows = await mapInTurns(tx, named, (row, index) =>
      withoutUnchanged(row, recordAt(existing, index).cells),
    )
    const cells = await mapInTurns(tx, rows, (row, index) =>
      withChanges(recordAt(existing, index).cells, row),
    )
    return { rows, cells }
  }

  async prepare(
    { context: { tx, now, userId }, graph }: RecordWrite,
    { loaded, existing, rows, cells }: CheckedRows,
  ): Promise<PreparedRecords> {
    const by = { lastModifiedTime: now, lastModifiedBy: userId }
    const tracked = withTrackingFields(loaded.schema, rows, by)
    const plan = await planUpdate(graph, loaded, changedFields(loaded.schema, tracked))
    const rowIndexes = [...rows.keys()].filter((index) => isChange(rows[index]))
    const before = rowIndexes.map((index) => recordAt(existing, index))
    const records = await mapInTurns(tx, rowIndexes, (rowIndex, index): StoredRecord => {
      const record = recordAt(before, index)
      const row = tracked[rowIndex] ?? []
      const isTracked = row !== rows[rowIndex]
      const changed = isTracked ? withChanges(record.cells, row) : cells[rowIndex]
      return { ...record, ...by, version: record.version + 1, cells: changed ?? record.cells }
    })
    return { records, rowIndexes, before, plan }
  }

  async store(
    { context: { tx, now: time, userId } }: RecordWrite,
    { loaded: { schema }, before, records }: ComputedRecords,
    isLast: boolean,
  ) {
    const groups = await groupByColumns(tx, schema, before, records)
    const numbers = await handedOn(tx, schema, before, records)
    const by = { userId, time, isLast: isLast && groups.length === 1 && numbers.length === 0 }
    const update = async () => {
      for (const { columns, changes } of groups) {
        await tx.recordWriter.update(schema, columns, changes, by)
      }
    }
    await (numbers.length > 0 ? tx.recordWriter.setAside(schema, numbers, update) : update())
    return records
  }
}

function recordAt(records: readonly StoredRecord[], index: number): StoredRecord {
  const record = records[index]
  assert(record, 'every row changes a record')
  return record
}

/** The row without the cells that the record has already. */
function withoutUnchanged(row: CellPatch, cells: Cells): CellPatch {
  let changes: CellPatch[number][] | undefined
  row.forEach((cell, index) => {
    if (cell === undefined || !isSameCell(cell, cells[index] ?? null)) return
    changes ??= [...row]
    changes[index] = undefined
  })
  return changes ?? row
}

function isChange(row: CellPatch | undefined): boolean {
  return row?.some((cell) => cell !== undefined) ?? false
}

function withChanges(cells: Cells, row: CellPatch): Cells {
  if (!isChange(row)) return cells
  return cells.map((cell, index) => {
    const change = row[index]
    return change === undefined ? cell : change
  })
}

/** The fields in which at least one of the rows changes something. */
function changedFields(schema: TableSchema, rows: readonly CellPatch[]): readonly ColumnField[] {
  return schema.columns.filter(({ column }) => rows.some((row) => row[column.index] !== undefined))
}

/** The rows with the cells of fields that say who changed others last, and when. */
function withTrackingFields(
  schema: TableSchema,
  rows: readonly CellPatch[],
  by: Pick<StoredRecord, 'lastModifiedBy' | 'lastModifiedTime'>,
): readonly CellPatch[] {
  const tracking = schema.columns.flatMap(({ column, systemColumn, trackedFieldIds }) => {
    if (!trackedFieldIds) return []
    const tracked = schema.columns.filter(({ field }) => trackedFieldIds.has(field.id))
    const value = by[systemColumn === 'lastModifiedBy' ? 'lastModifiedBy' : 'lastModifiedTime']
    return [{ index: column.index, tracked: tracked.map((other) => other.column.index), value }]
  })
  if (tracking.length === 0) return rows
  return rows.map((row) => {
    let followed: CellPatch[number][] | undefined
    for (const { index, tracked, value } of tracking) {
      if (!tracked.some((other) => (followed ?? row)[other] !== undefined)) continue
      followed ??= [...row]
      followed[index] = value
    }
    return followed ?? row
  })
}
