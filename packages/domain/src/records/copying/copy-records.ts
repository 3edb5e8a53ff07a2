import { requireRecordRoomInBase } from '../../billing/require-room.ts'
import { calculateFields } from '../../calculations/calculate-fields.ts'
import { readMembers } from '../../calculations/evaluation/read-members.ts'
import { StepBudget } from '../../calculations/evaluation/step-budget.ts'
import { orderFields } from '../../calculations/stages/order-fields.ts'
import { invalidAt } from '../../errors.ts'
import type { Cell } from '../../fields/cell.ts'
import type { Field } from '../../fields/field.ts'
import { typeOf } from '../../fields/field-values.ts'
import { limits } from '../../limits.ts'
import { LinkBatch } from '../../links/link-batch.ts'
import { requireCopyableLinks } from '../../links/link-room.ts'
import type { SchemaGraph } from '../../schemas/schema-graph.ts'
import type {
  ColumnField,
  SchemaField,
  SchemaLink,
  TableSchema,
} from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import type { TableContext } from '../../tables/table-context.ts'
import { recordRanges } from '../reading/record-ranges.ts'
import { scanRecords } from '../reading/scan-records.ts'
import type { NewRecord } from '../stored/stored-record.ts'
import type { CopiedRecordIds } from './copied-record-ids.ts'
import { CopiedRecords, linksOfCopies } from './copied-records.ts'

/** Records copied at a time: enough to make statements few, few enough to keep memory small. */
const copiedAtOnce = 2_000

/** Steps that copying a record takes, beside one for each of its characters. */
const stepsPerRecord = 500
const stepsPerCharacter = 3

/** A table whose records are copied, and the id of its copy, which has the same columns. */
interface RecordsCopy {
  readonly from: TableSchema
  readonly copyId: string
}

/** How records are copied, and how a refusal of that is said. */
interface CopyRecordsTerms {
  readonly recordIds: CopiedRecordIds
  /** The files of cells under the tokens that the copies name them by; the same ones where it is absent. */
  readonly files?: CopiedFiles | undefined
  /** The member of the input that asks for the records. */
  readonly member: string
  /** What is copied, such as `the table`. */
  readonly what: string
}

/** Gives files of cells to another space. */
export interface CopiedFiles {
  /** The tokens that the files have there, by those that they have here; those that stay are left out. */
  tokensThere(tokens: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/**
 * Copies all records of tables into the copies of these, in their order. They are records of their own: created now, by
 * the caller. They are linked to the copies of what the originals are linked to where that is copied too, else to the
 * same. Answers the numbers of the copies by those of the originals, by table, for the tables that are named. Throws
 * validation_error where all of it is too much for one write.
 */
export async function copyRecords(
  context: TableContext,
  graph: SchemaGraph,
  tables: readonly RecordsCopy[],
  terms: CopyRecordsTerms,
  numbered: ReadonlySet<string> = new Set(),
): Promise<ReadonlyMap<string, ReadonlyMap<number, number>>> {
  const { tx } = context
  await requireCopyable(tx, tables, terms)
  const copyIds = new Set(tables.map(({ copyId }) => copyId))
  const schemas = new Map<string, TableSchema>()
  for (const id of copyIds) schemas.set(id, (await graph.get(id)).schema)
  const fields = [...schemas.values()].flatMap((schema) => schema.fields)
  const run: CopyRun = {
    terms,
    schemas,
    linkedIds: new Set(fields.map(({ field }) => linkedTableOf(field))),
    budget: new StepBudget(limits.stepsPerWholeWrite),
    length: 0,
  }
  const numbers = new Map<string, ReadonlyMap<number, number>>()
  const copies: Copied[] = []
  for (const { from, copyId } of tables) {
    const { schema: to } = await graph.get(copyId)
    const ofTable = numbered.has(copyId) ? new Map<number, number>() : undefined
    const records = await copyTable(context, from, to, run, ofTable)
    if (ofTable) numbers.set(copyId, ofTable)
    copies.push({ from, to, records })
  }
  await copyLinksWithin(context, copies, run)
  const dirty = new Map(
    copies.map(({ from, to }) => [to.tableId, fieldsOfTheirRecord(from, to, schemas)] as const),
  )
  await calculateFields(context, graph, dirty)
  return numbers
}

/** A table whose records were copied. */
interface Copied {
  readonly from: TableSchema
  readonly to: TableSchema
  readonly records: CopiedRecords
}

/** What copying several tables shares. */
interface CopyRun {
  /** The schemas of the copies, by table. */
  readonly schemas: ReadonlyMap<string, TableSchema>
  /** The tables whose records some cell of the copies names. */
  readonly linkedIds: ReadonlySet<string | undefined>
  readonly terms: CopyRecordsTerms
  readonly budget: StepBudget
  /** Characters that were copied. */
  length: number
}

/** Copies the records of one table, and their links to records that aren't copied. */
async function copyTable(
  context: TableContext,
  from: TableSchema,
  to: TableSchema,
  run: CopyRun,
  numbers: Map<number, number> | undefined,
): Promise<CopiedRecords> {
  const { tx, now, userId } = context
  const { schemas, terms } = run
  // Nobody has changed a copy yet, whatever its original has been through.
  const ofLastChange = new Set(
    from.columns.flatMap(({ trackedFieldIds, column }) => (trackedFieldIds ? [column.index] : [])),
  )
  const behind = from.columns.filter(({ field }) => field.isPending)
  const within = to.columns.filter(({ link }) => link && schemas.has(link.foreignTableId))
  const renamed = to.columns.filter(({ field }) => schemas.has(linkedTableOf(field) ?? ''))
  const withFiles = terms.files ? to.columns.filter(({ field }) => typeOf(field).files) : []
  // Pairs name the records at both ends, though of a one-way link cells name those at one end alone.
  const isNamed = within.length > 0 || run.linkedIds.has(to.tableId)
  const copied = new CopiedRecords()
  const batches = to.columns.flatMap((field) =>
    field.link && !within.includes(field)
      ? [{ field, batch: new LinkBatch(tx, field.link.end) }]
      : [],
  )
  for await (const { records: page, size } of scanRecords(tx, from, { take: copiedAtOnce })) {
    run.length += size
    if (run.length > limits.lengthWrittenAtOnce) tx.becomeLong()
    run.budget.spend(stepsPerRecord * page.length + stepsPerCharacter * size)
    if (run.budget.isSpent) throw tooMuch(terms)
    const newIds = terms.recordIds.ofPage(
      page.map(({ id }) => id),
      isNamed,
    )
    const rows = page.map((record) => ({ ...record, cells: [...record.cells] }))
    await readMembers(tx, behind, rows)
    for (const { id, cells } of rows) {
      if (within.length > 0) {
        const counts = within.map((field) => recordIdsIn(field, cells).length)
        copied.add(id, Math.max(...counts))
      }
      for (const { field, column } of renamed) {
        const cell = cells[column.index] ?? null
        const named =
          cell && typeOf(field).link?.withRecordIds(cell, (of) => terms.recordIds.of(of))
        cells[column.index] = named ?? cell
      }
    }
    await renameFiles(rows, withFiles, terms.files)
    const copies = rows.map(
      ({ cells }, i): NewRecord => ({
        id: newIds[i] ?? '',
        cells: cells.map((cell, index) => (ofLastChange.has(index) ? null : cell)),
      }),
    )
    await requireRecordRoomInBase(context, to.baseId, copies.length)
    const newNumbers = await tx.recordWriter.insert(to, copies, { userId, time: now })
    page.forEach(({ autoNumber }, i) => {
      numbers?.set(autoNumber, newNumbers[i] ?? 0)
    })
    for (const { field, batch } of batches) await copyLinks(field, copies, batch)
    await tx.giveWay()
  }
  return copied
}

/** The table whose records the cells of a field name: of a link, or of a lookup of links. */
function linkedTableOf(field: Field): string | undefined {
  return typeOf(field).link?.targetOf(field.options).foreignTableId
}

/** Has cells name files by the tokens that they have in the other space, where they go to another one. */
async function renameFiles(
  rows: readonly { readonly cells: (Cell | null)[] }[],
  fields: readonly ColumnField[],
  files: CopiedFiles | undefined,
): Promise<void> {
  if (!files || fields.length === 0) return
  const tokens = new Set<string>()
  for (const { cells } of rows) {
    for (const { field, column } of fields) {
      for (const token of typeOf(field).files?.tokens(cells[column.index] ?? null) ?? []) {
        tokens.add(token)
      }
    }
  }
  if (tokens.size === 0) return
  const there = await files.tokensThere([...tokens])
  for (const { cells } of rows) {
    for (const { field, column } of fields) {
      const cell = cells[column.index] ?? null
      cells[column.index] = (cell && typeOf(field).files?.withTokens(cell, there)) ?? cell
    }
  }
}

/** Throws where the records, or their links, are more than one write copies: before any of them is. */
async function requireCopyable(
  tx: ReadTx,
  tables: readonly RecordsCopy[],
  terms: CopyRecordsTerms,
): Promise<void> {
  const fields = tables.flatMap(({ from }) => from.fields)
  const ends = new Map(fields.flatMap(({ link }) => (link ? [[makerOf(link), link.end]] : [])))
  let links = 0
  for (const end of ends.values()) links += await tx.links.total(end)
  requireCopyableLinks(links, terms.member)
  const budget = new StepBudget(limits.stepsPerWholeWrite)
  let bytes = 0
  for (const { from } of tables) {
    for await (const range of recordRanges(tx, from, 'living')) {
      bytes += range.bytes
      budget.spend(stepsPerRecord * range.count)
      if (bytes > limits.bytesPerWholeWrite || budget.isSpent) throw tooMuch(terms)
    }
  }
}

/** The field that made a link: the same for both of its ends. */
function makerOf({ end }: SchemaLink): string {
  return end.ownerFieldId
}

function tooMuch({ member, what }: CopyRecordsTerms) {
  const message = `${what} has too many or too long records to be copied in one write`
  const most = `which takes at most ${limits.bytesPerWholeWrite} bytes of them`
  return invalidAt([member], `${message}, ${most}: duplicate it without them`)
}

/** Stores the links that cells of copies tell of. */
async function copyLinks(
  field: SchemaField,
  copies: readonly NewRecord[],
  batch: LinkBatch,
): Promise<void> {
  for (const { id, cells } of copies) {
    const recordIds = recordIdsIn(field, cells)
    if (recordIds.length > 0) batch.add(id, recordIds)
    if (batch.areMany) await batch.store()
  }
  await batch.store()
}

/** The records that a record is linked to in a field, as its cell tells. */
function recordIdsIn({ link, column }: SchemaField, cells: NewRecord['cells']): readonly string[] {
  const cell = column ? (cells[column.index] ?? null) : null
  return link && cell !== null ? link.capability.recordIds(cell) : []
}

/**
 * Links the copies of records that are linked to one another. The fields that made links make the pairs; those at the
 * other ends find all pairs there, and bring them into an order of their own.
 */
async function copyLinksWithin(
  { tx }: TableContext,
  copies: readonly Copied[],
  { schemas, terms }: CopyRun,
): Promise<void> {
  for (const isOwner of [true, false]) {
    for (const { from, to, records } of copies) {
      for (const { link, column } of to.columns) {
        const original = from.columns[column.index]?.link
        if (!link || !original || link.end.isOwner !== isOwner) continue
        if (!schemas.has(link.foreignTableId)) continue
        const last = isOwner ? new Map<string, number>() : undefined
        for (const recordIds of records.groups) {
          const pairs = await tx.links.of(original.end, recordIds)
          await tx.links.replace(link.end, linksOfCopies(pairs, terms.recordIds), { last })
        }
      }
    }
  }
}

/**
 * The fields whose cells can differ between a record and its copy, or were behind in the original: whatever follows from
 * who made a record and when, from its number or its id, be it its own or that of a copy that it is linked to.
 */
function fieldsOfTheirRecord(
  from: TableSchema,
  to: TableSchema,
  schemas: ReadonlyMap<string, TableSchema>,
): readonly string[] {
  const found = new Set<string>()
  const isOfItsRecord = (id: string) =>
    found.has(id) || to.byKey.id.get(id)?.systemColumn !== undefined
  // Each field after those that it depends on: whether they are of their record is known by then.
  for (const { field, column, computation } of orderFields(to.fields)) {
    const isLate = column && from.columns[column.index]?.field.isPending
    const { through } = computation ?? {}
    const linked = schemas.get(
      to.byKey.id.get(through?.linkFieldId ?? '')?.link?.foreignTableId ?? '',
    )
    const readsSystem = through?.fieldIds.some((id) => linked?.byKey.id.get(id)?.systemColumn)
    const isDirty =
      isLate ||
      readsSystem ||
      (computation && (computation.reads.size > 0 || computation.ownFieldIds.some(isOfItsRecord)))
    if (isDirty) found.add(field.id)
  }
  return [...found]
}
