import type { Cell } from '../fields/field-type.ts'
import type { FieldKeyType, TableSchema } from '../fields/table-schema.ts'
import { checkRows } from './check-rows.ts'
import { addMissingChoices } from './new-choices.ts'
import { type Reading, type Row, readRows, type SentRow } from './read-rows.ts'
import { type RecordView, toRecordViews } from './record-view.ts'
import type { RecordsContext } from './records-context.ts'
import type { NewRecord } from './stored-record.ts'

/** New records, as a caller sent them. */
export interface SentRecords {
  readonly records: readonly SentRow[]
  readonly fieldKeyType: FieldKeyType
  readonly typecast: boolean
}

/** Adds records in the order given, all or none. Returns them as callers see them, in that order. */
export async function insertRecords(
  context: RecordsContext,
  { records, fieldKeyType, typecast }: SentRecords,
): Promise<RecordView[]> {
  const { tx, base, table, userId, now, ids } = context
  const reading: Reading = { fieldKeyType, typecast, pathOf: (row) => ['records', row] }
  const before = await tx.fields.schemaOf(table)
  const rows = await readRows(tx, base, before, records, reading)
  const schema = typecast ? await addMissingChoices(context, before, rows, reading) : before
  const made = {
    createdTime: now,
    lastModifiedTime: now,
    createdBy: userId,
    lastModifiedBy: userId,
  }
  const complete = completed(schema, rows, made)
  await checkRows(tx, schema, complete, reading)
  const newIds = ids.many('record', complete.length)
  const newRecords = complete.map(
    (cells, i): NewRecord => ({ id: newIds[i] ?? '', ...made, version: 1, cells }),
  )
  const numbers = await tx.records.insert(schema, newRecords)
  const stored = newRecords.map((record, i) => ({ ...record, autoNumber: numbers[i] ?? 0 }))
  if (stored.length > 0) {
    const recordIds = stored.map(({ id }) => id)
    const payload = { tableId: table.id, recordIds }
    tx.emit({ name: 'record.created', time: now, userId, payload })
  }
  return toRecordViews(tx, schema, stored, { fieldKeyType, cellFormat: 'json' })
}

type Made = Pick<NewRecord, 'createdTime' | 'lastModifiedTime' | 'createdBy' | 'lastModifiedBy'>

/** Gives the cells that a new record's caller did not name what their fields say, else null. */
function completed(schema: TableSchema, rows: readonly Row[], made: Made): (Cell | null)[][] {
  const context = { userId: made.createdBy, now: made.createdTime }
  for (const { rules, column, systemColumn } of schema.columns) {
    if (systemColumn && systemColumn !== 'autoNumber') {
      for (const row of rows) row[column.index] = made[systemColumn]
    } else {
      const cell = rules.defaultCell?.(context) ?? null
      for (const row of rows) if (row[column.index] === undefined) row[column.index] = cell
    }
  }
  return rows as (Cell | null)[][]
}
