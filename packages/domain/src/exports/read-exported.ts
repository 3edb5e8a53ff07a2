import { DomainError } from '../errors.ts'
import { limits } from '../limits.ts'
import type { RecordQuery } from '../queries/record-query.ts'
import { meetsCondition } from '../records/evaluation/meets-condition.ts'
import {
  type NotedPosition,
  placeAfterRenumbering,
} from '../records/pages/place-after-renumbering.ts'
import { recordsReadAhead } from '../records/pages/read-ahead.ts'
import { asksForAll } from '../records/query/to-record-query.ts'
import { becomeLongIfMany } from '../records/reading/become-long-if-many.ts'
import { findPeopleShown } from '../records/reading/find-people-shown.ts'
import type { StoredRecord } from '../records/stored/stored-record.ts'
import type { Column, SchemaField, TableSchema } from '../schemas/table-schema.ts'
import type { ReadTx } from '../store.ts'

/** How far an export is. */
export type ExportPlace =
  /** All records with greater numbers follow. */
  | { readonly number: number }
  /** Those that were found already follow, then what stands after the position; undefined where nothing does. */
  | { readonly found: readonly string[]; readonly after: NotedPosition | undefined }

/** Records that an export goes on with. */
export interface ExportedRecords {
  readonly records: readonly StoredRecord[]
  /** What they take, in characters, roughly. */
  readonly size: number
  /** Where it goes on after the record at the index, or after all of them; undefined at the end. */
  placeAfter(index: number): ExportPlace | undefined
  readonly end: ExportPlace | undefined
}

/** What is exported: a query, and the version of the view that takes part in it. */
interface ExportedQuery extends RecordQuery {
  readonly viewVersion: number
}

/**
 * Reads the next records of an export, from the beginning where there is no place: what the fields show of them. Throws `conflict` where nothing tells
 * any more how far it was.
 */
export function readExported(
  tx: ReadTx,
  schema: TableSchema,
  query: ExportedQuery,
  place: ExportPlace | undefined,
  fields: readonly SchemaField[],
): Promise<ExportedRecords> {
  if (place ? 'number' in place : asksForAll(query)) {
    const after = (place as { number: number } | undefined)?.number ?? 0
    return readAll(tx, schema, after, cellsShown(fields))
  }
  return readMatching(tx, schema, query, place as Found | undefined)
}

/** The columns of the fields, where these show nothing that isn't in the cells of one. */
function cellsShown(fields: readonly SchemaField[]): readonly Column[] | undefined {
  if (fields.some(({ systemColumn }) => systemColumn)) return undefined
  return fields.flatMap(({ column }) => column ?? [])
}

async function readAll(
  tx: ReadTx,
  schema: TableSchema,
  after: number,
  columns: readonly Column[] | undefined,
): Promise<ExportedRecords> {
  const take = recordsReadAtOnce(tx)
  const length = limits.recordsLengthInOneTurn
  const { records, size, isCut } = await tx.records.page(schema, {
    ...{ after, skip: 0, take, length },
    ...(columns && { columns, parts: 'numbers' }),
  })
  const last = records.at(-1)
  const hasMore = isCut || records.length === take
  return {
    records,
    size,
    placeAfter: (index) => ({ number: records[index]?.autoNumber ?? after }),
    end: hasMore && last ? { number: last.autoNumber } : undefined,
  }
}

/** Records that are read at once: as many as a part may have at most. */
function recordsReadAtOnce({ mayAskAhead }: ReadTx): number {
  const { recordsPerExportRead, recordsPerExportReadOverNetwork, recordsPerExportPart } = limits
  const most = mayAskAhead ? recordsPerExportReadOverNetwork : recordsPerExportRead
  return Math.min(most, recordsPerExportPart)
}

/** Whether what follows the place is read without looking for it first. */
export function isFound(place: ExportPlace): boolean {
  return 'number' in place || place.found.length > 0
}

type Found = Exclude<ExportPlace, { readonly number: number }>

/**
 * Finds many records at once, since each finding may look at the whole table, and reads some of them. One that was
 * changed meanwhile, so that the filter holds for it no more, is left out.
 */
async function readMatching(
  tx: ReadTx,
  schema: TableSchema,
  query: ExportedQuery,
  place: Found | undefined,
): Promise<ExportedRecords> {
  const { found, after } =
    place && place.found.length > 0 ? place : await findNext(tx, schema, query, place?.after)
  const most = Math.min(recordsReadAtOnce(tx), recordsReadAhead(schema))
  for (let count = most; ; count = Math.ceil(count / 2)) {
    const asked = found.slice(0, count)
    const batch = await tx.records.findAll(schema, asked, 'none')
    // They come in the order of their ids: what is left out isn't what comes last.
    if (batch.isCut && asked.length > 1) continue
    const byId = new Map(batch.records.map((record) => [record.id, record]))
    const places = new Map(asked.map((id, index) => [id, index]))
    const records = asked.flatMap((id) => byId.get(id) ?? [])
    const people = await findPeopleShown(tx, query.condition, records)
    const matching = records.filter((record) => meetsCondition(query.condition, record, people))
    const rest = (index: number): ExportPlace | undefined => {
      const left = found.slice(index)
      return left.length > 0 || after ? { found: left, after } : undefined
    }
    return {
      records: matching,
      size: batch.size,
      placeAfter: (index) => rest((places.get(matching[index]?.id ?? '') ?? 0) + 1),
      end: rest(asked.length),
    }
  }
}

async function findNext(
  tx: ReadTx,
  schema: TableSchema,
  query: ExportedQuery,
  last: NotedPosition | undefined,
): Promise<Found> {
  await becomeLongIfMany(tx, schema, query.condition)
  const { rowOrder, viewVersion } = query
  const after = last && rowOrder ? await placeAfterRenumbering(tx, schema, rowOrder, last) : last
  if (last && !after) throw changedMeanwhile()
  const take = limits.recordsFoundPerExport
  const found = await tx.recordFinder.find(schema, query, { after, skip: 0, take })
  const end = found.length === take ? found.at(-1) : undefined
  return {
    found: found.map(({ id }) => id),
    after: end && { values: end.values, autoNumber: end.autoNumber, viewVersion },
  }
}

/** Why an export ends before its end. */
export function changedMeanwhile(): DomainError {
  return new DomainError(
    'conflict',
    'Fields of the table, or the view, were changed while it was exported: export it again',
  )
}
