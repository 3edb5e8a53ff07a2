import { calculateFields } from '../../calculations/calculate-fields.ts'
import { orderFields } from '../../calculations/order-fields.ts'
import { readMembers } from '../../calculations/read-members.ts'
import { StepBudget } from '../../calculations/step-budget.ts'
import { invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { LinkBatch } from '../../links/link-batch.ts'
import { requireCopyableLinks } from '../../links/link-room.ts'
import type { SchemaGraph } from '../../schemas/schema-graph.ts'
import type { SchemaField, SchemaLink, TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import type { TableContext } from '../../tables/table-context.ts'
import { recordRanges } from '../record-ranges.ts'
import { scanRecords } from '../scan-records.ts'
import type { NewRecord } from '../stored-record.ts'
import { CopiedRecords } from './copied-records.ts'

/** Records copied at a time: enough to make statements few, few enough to keep memory small. */
const copiedAtOnce = 2_000

/** Steps that copying a record takes, beside one for each of its characters. */
const stepsPerRecord = 500
const stepsPerCharacter = 3

/** The table that records are copied into. */
export interface RecordsCopy {
  readonly id: string
  /** The ids that copies of some records get, by those of the originals; the others get new ones. */
  readonly recordIds: ReadonlyMap<string, string>
}

/**
 * Copies all records of a table into its copy, in their order. The copies are records of their own:
 * created now, by the caller. They are linked to what the originals are linked to; where that lies in the
 * same table, to its copies. Throws validation_error where that is too much for one write.
 */
export async function copyRecords(
  context: TableContext,
  graph: SchemaGraph,
  from: TableSchema,
  copy: RecordsCopy,
): Promise<void> {
  const { tx, now, userId, ids } = context
  const copyId = copy.id
  const { schema: to } = await graph.get(copyId)
  const made = {
    createdTime: now,
    lastModifiedTime: now,
    createdBy: userId,
    lastModifiedBy: null,
  }
  // Nobody has changed a copy yet, whatever its original has been through.
  const ofLastChange = new Set(
    from.columns.flatMap(({ trackedFieldIds, column }) => (trackedFieldIds ? [column.index] : [])),
  )
  const behind = from.columns.filter(({ field }) => field.isPending)
  const within = to.fields.filter(({ link }) => link?.foreignTableId === copyId)
  const copied = new CopiedRecords()
  const batches = to.fields.flatMap((field) =>
    field.link && !within.includes(field)
      ? [{ field, batch: new LinkBatch(tx, field.link.end) }]
      : [],
  )
  await requireCopyable(tx, from)
  const budget = new StepBudget(limits.stepsPerWholeWrite)
  let length = 0
  for await (const { records: page, size } of scanRecords(tx, from, { take: copiedAtOnce })) {
    length += size
    if (length > limits.lengthWrittenAtOnce) tx.becomeLong()
    budget.spend(stepsPerRecord * page.length + stepsPerCharacter * size)
    if (budget.isSpent) throw tooMuch()
    const newIds = ids
      .many('record', page.length)
      .map((id, i) => copy.recordIds.get(page[i]?.id ?? '') ?? id)
    const rows = page.map((record) => ({ ...record, cells: [...record.cells] }))
    await readMembers(tx, behind, rows)
    const copies = rows.map(
      ({ cells }, i): NewRecord => ({
        id: newIds[i] ?? '',
        ...made,
        version: 1,
        cells: cells.map((cell, index) => (ofLastChange.has(index) ? null : cell)),
      }),
    )
    await tx.recordWriter.insert(to, copies)
    for (const { field, batch } of batches) await copyLinks(field, copies, batch)
    if (within.length > 0) {
      for (const [i, { id, cells }] of rows.entries()) {
        const counts = within.map((field) => recordIdsIn(field, cells).length)
        copied.add(id, newIds[i] ?? '', Math.max(...counts))
      }
    }
    await tx.giveWay()
  }
  await copyLinksWithin(context, from, to, copied)
  const late = new Set(behind.map(({ column }) => column.index))
  const ofTheirRecord = fieldsOfTheirRecord(to)
  const dirty = to.fields.filter(
    (field) =>
      within.includes(field) || ofTheirRecord.has(field) || late.has(field.column?.index ?? -1),
  )
  const fieldIds = dirty.map(({ field }) => field.id)
  await calculateFields(context, graph, new Map([[copyId, fieldIds]]))
}

/** Throws where the records, or their links, are more than one write copies: before any of them is. */
async function requireCopyable(tx: ReadTx, from: TableSchema): Promise<void> {
  const ends = new Map(from.fields.flatMap(({ link }) => (link ? [[makerOf(link), link.end]] : [])))
  let links = 0
  for (const end of ends.values()) links += await tx.links.total(end)
  requireCopyableLinks(links, 'includeRecords')
  const budget = new StepBudget(limits.stepsPerWholeWrite)
  let bytes = 0
  for await (const range of recordRanges(tx, from, 'living')) {
    bytes += range.bytes
    budget.spend(stepsPerRecord * range.count)
    if (bytes > limits.bytesPerWholeWrite || budget.isSpent) throw tooMuch()
  }
}

/** The field that made a link: the same for both of its ends. */
function makerOf({ end }: SchemaLink): string {
  return end.makerFieldId
}

function tooMuch() {
  const message = 'the table has too many or too long records to be copied in one write'
  const most = `which takes at most ${limits.bytesPerWholeWrite} bytes of them`
  return invalidAt(['includeRecords'], `${message}, ${most}: duplicate it without them`)
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
  return link && cell !== null ? link.ability.recordIds(cell) : []
}

/**
 * Links the copies of records that are linked to one another. The field that made a link makes the pairs;
 * the one at the other end has them in an order of its own.
 */
async function copyLinksWithin(
  { tx }: TableContext,
  from: TableSchema,
  to: TableSchema,
  copied: CopiedRecords,
): Promise<void> {
  const makersFirst = to.columns.toSorted(
    (a, b) => Number(b.link?.end.isMaker ?? false) - Number(a.link?.end.isMaker ?? false),
  )
  for (const { link, column } of makersFirst) {
    const original = from.columns[column.index]?.link
    if (link?.foreignTableId !== to.tableId || !original) continue
    // The second end finds all pairs there, and brings them into its own order.
    const last = link.end.isMaker ? new Map<string, number>() : undefined
    for (const recordIds of copied.groups) {
      const links = copied.linksOfCopies(await tx.links.of(original.end, recordIds))
      await tx.links.replace(link.end, links, last)
    }
  }
}

/** The fields whose cells can differ between a record and its copy. */
function fieldsOfTheirRecord(schema: TableSchema): ReadonlySet<SchemaField> {
  const found = new Set<SchemaField>()
  const isOfItsRecord = (id: string) => {
    const own = schema.byKey.id.get(id)
    return own !== undefined && (own.systemColumn !== undefined || found.has(own))
  }
  // Each field after those that it depends on: whether they are of their record is known by then.
  for (const field of orderFields(schema.fields)) {
    const { computation, link } = field
    if (!computation || link) continue
    if (computation.reads.size > 0 || computation.ownFieldIds.some(isOfItsRecord)) found.add(field)
  }
  return found
}
