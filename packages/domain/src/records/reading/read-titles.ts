import { titleOfCell } from '../../fields/cell.ts'
import { cutTitle } from '../../fields/types/link.ts'
import type { SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { cellOf } from '../stored/cell-of.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import { findPeople, noteUsers } from './find-people.ts'
import { collectRecords } from './scan-records.ts'

/** A record as links show it; one whose title is empty has none. */
export interface TitledRecord {
  readonly id: string
  readonly title?: string
}

/**
 * The records of the ids, in that order, with the title that a link shows: the text of the title field, or of the primary field
 * where none is named. Ids without a living record are left out.
 */
export async function readTitles(
  tx: ReadTx,
  schema: TableSchema,
  titleFieldId: string | undefined,
  recordIds: readonly string[],
): Promise<readonly TitledRecord[]> {
  const titled = titledBy(schema, titleFieldId)
  const columns = titled.column ? [titled.column] : []
  const records = await collectRecords(tx, schema, recordIds, 'none', { columns })
  return toTitled(tx, titled, recordIds, records)
}

/**
 * Like `readTitles` for records in the trash, with the text of their primary cells: as many records as fit in one read.
 */
export async function readDeletedTitles(
  tx: ReadTx,
  schema: TableSchema,
  recordIds: readonly string[],
): Promise<readonly TitledRecord[]> {
  const { primary } = schema
  const columns = primary.column ? [primary.column] : []
  const { records } = await tx.records.findDeleted(schema, [...recordIds].toSorted(), columns)
  return toTitled(tx, primary, recordIds, new Map(records.map((one) => [one.id, one])))
}

async function toTitled(
  tx: ReadTx,
  titled: SchemaField,
  recordIds: readonly string[],
  records: ReadonlyMap<string, StoredRecord>,
): Promise<readonly TitledRecord[]> {
  const userIds = new Set<string>()
  noteUsers(titled, records.values(), userIds)
  const people = await findPeople(tx, userIds)
  return [...new Set(recordIds)].flatMap((id) => {
    const record = records.get(id)
    if (!record) return []
    const cell = cellOf(titled, record)
    if (cell === null) return { id }
    return { id, title: cutTitle(titleOfCell(titled.rules, cell, people)) }
  })
}

/** The field of the table that gives the titles of its records in a link. */
export function titledBy(schema: TableSchema, titleFieldId: string | undefined): SchemaField {
  return schema.byKey.id.get(titleFieldId ?? '') ?? schema.primary
}
