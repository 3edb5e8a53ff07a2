import { requireRecordRoom } from '../../billing/require-room.ts'
import { calculate } from '../../calculations/calculate.ts'
import { type Origin, planStages } from '../../calculations/stages/plan-stages.ts'
import { invalidAt } from '../../errors.ts'
import { isExclusive, type LinkEnd, otherEnd } from '../../fields/link-end.ts'
import { limits } from '../../limits.ts'
import type { LostLinks } from '../../links/link-repository.ts'
import { requireFewInAll, requireRoomForReturned } from '../../links/link-room.ts'
import { type LoadedTable, SchemaGraph } from '../../schemas/schema-graph.ts'
import type { ColumnField, TableSchema } from '../../schemas/table-schema.ts'
import { placeOfRecords } from '../../tables/table.ts'
import type { RecordsContext } from '../reading/records-context.ts'
import { findDeletedRecords, findRecords } from '../reading/scan-records.ts'
import { everyRecord } from '../stored/every-record.ts'
import { digestRecords, digestWithTrash } from '../undo/digest-records.ts'

/** Records that one operation deleted. */
interface DeletedRecords {
  readonly operationId: string
  readonly recordIds: readonly string[]
}

/**
 * Takes the records that an operation deleted out of the table's trash, with their links, and computes what follows from
 * that. Throws validation_error, having changed nothing, where a unique value is taken by now, a required cell is
 * empty, or a record that takes so many links at most has others; payment_required where the level of the space has no
 * room for them.
 */
export async function restoreRecords(
  context: RecordsContext,
  deleted: DeletedRecords,
): Promise<void> {
  const { tx, table, userId, now } = context
  const { recordIds, operationId } = deleted
  const graph = new SchemaGraph(tx, 'share')
  const loaded = await graph.put(table)
  await requireFitting(context, loaded, deleted)
  await requireRecordRoom(context, context.base.spaceId, recordIds.length)
  await tx.recordWriter.restore(loaded.schema, recordIds, operationId)
  await restoreLinks(context, graph, loaded, deleted)
  tx.emit({ name: 'record.created', time: now, userId, payload: { tableId: table.id, recordIds } })
  const { origins, dirty } = await findDirty(context, graph, loaded, recordIds)
  const stages = await planStages(graph, origins)
  await calculate(context, graph, stages, { changed: new Map(), dirty })
  if (!context.undo) return
  const digest = await digestRecords(tx, loaded.schema, recordIds)
  const withTrash = await digestWithTrash(tx, table, recordIds)
  const digests = { digest, ...(withTrash && { digestWithTrash: withTrash }) }
  context.undo.noteTrash({ kind: 'addition', of: 'record', ids: recordIds, ...digests })
}

/** Refuses what the storage would refuse too, but says which field and which record. */
async function requireFitting(
  { tx }: RecordsContext,
  { schema }: LoadedTable,
  { recordIds }: DeletedRecords,
): Promise<void> {
  const asked = schema.columns.filter(({ field }) => field.unique || field.notNull)
  if (asked.length === 0) return
  const columns = asked.map(({ column }) => column)
  for await (const records of findDeletedRecords(tx, schema, recordIds, columns)) {
    for (const one of asked) {
      const values = records
        .map(({ cells }) => cells[one.column.index] ?? null)
        .filter((cell) => cell !== null)
      if (one.field.notNull && values.length < records.length) throw misses(one)
      if (!one.field.unique) continue
      const [holder] = await tx.records.findHolders(schema, one.column, values)
      if (holder) throw taken(one, holder.recordId)
    }
    await tx.giveWay()
  }
}

function misses({ field }: ColumnField) {
  return invalidAt([], `can't come back: "${field.name}" is required now, and empty in one of them`)
}

function taken({ field }: ColumnField, recordId: string) {
  const message = `can't come back: the record "${recordId}" now has the same value in "${field.name}", which must be unique`
  return invalidAt([], message)
}

/** While each of the linked records lay in the trash, it could be linked to the next one. */
function lostSeveral({ recordId, linkedIds: [one, other] }: LostLinks) {
  const lost = `lost those to "${one}" and "${other}"`
  const message = `can't come back: the record "${recordId}" takes one link at most, and ${lost}: delete one of these two first`
  return invalidAt([], message)
}

/** Pairs of which the other record is deleted too come back with that. */
async function restoreLinks(
  { tx, table }: RecordsContext,
  graph: SchemaGraph,
  { schema }: LoadedTable,
  { recordIds, operationId }: DeletedRecords,
): Promise<void> {
  const lost: LostPairs[] = []
  for (const { end, foreignTableId, hasPairs } of await tx.fields.linkEndsOf(table.id)) {
    if (!hasPairs) continue
    const foreignIds = await tx.links.lostBy(end, recordIds, operationId)
    if (foreignIds.length > 0) lost.push({ end, foreignTableId, foreignIds })
  }
  await holdLinked(tx, graph, lost)
  for (const { end, foreignTableId, foreignIds: found } of lost) {
    // Pairs within the table may have come back by the other end of their link.
    const isWithin = foreignTableId === table.id
    const foreignIds = isWithin ? await tx.links.lostBy(end, recordIds, operationId) : found
    if (foreignIds.length === 0) continue
    const foreign = await tx.tables.findOrTrash(foreignTableId, 'none')
    const deleted = foreign
      ? await tx.records.deletionsOf(placeOfRecords(foreign), foreignIds, 'share')
      : new Map<string, string>()
    if (isExclusive(end.relationship)) {
      const living = foreignIds.filter((id) => !deleted.has(id))
      const [linkedId] = (await tx.links.count(otherEnd(end), living)).keys()
      if (linkedId !== undefined) {
        const message = `can't come back: the record "${linkedId}" takes one link at most, and has another one now: remove that one first`
        throw invalidAt([], message)
      }
    }
    await tx.links.handOver(end, recordIds, operationId, deleted)
    const clash = await tx.links.clashOf(end, recordIds, operationId)
    if (clash) throw lostSeveral(clash)
    await tx.links.restore(end, recordIds, operationId)
  }
  for (const { end, foreignTableId, foreignIds } of lost) {
    const foreign = await graph.find(foreignTableId)
    if (foreign) await requireRoomForReturned(tx, foreign.schema, otherEnd(end), foreignIds)
  }
  await requireFewInAll(tx, schema, recordIds)
}

/** Pairs of one link that come back: whom they lead to. */
interface LostPairs {
  readonly end: LinkEnd
  readonly foreignTableId: string
  readonly foreignIds: readonly string[]
}

/**
 * Holds the living records that pairs lead to before anything is computed from them: who is changing one has looked already
 * for those that show it, and didn't find these. Table by table, and in each by ids, so that two who restore wait for one another
 * in one order.
 */
async function holdLinked(
  tx: RecordsContext['tx'],
  graph: SchemaGraph,
  lost: readonly LostPairs[],
): Promise<void> {
  const byTable = Map.groupBy(lost, ({ foreignTableId }) => foreignTableId)
  const tableIds = [...byTable.keys()].toSorted()
  for (const { table, schema } of await graph.load(tableIds)) {
    const pairs = byTable.get(table.id) ?? []
    // What shows the link is going to be changed, as it is where links are written.
    const isShown = pairs.some(({ end }) => isShownIn(schema, otherEnd(end)))
    const ids = new Set(pairs.flatMap(({ foreignIds }) => foreignIds))
    for await (const _ of findRecords(tx, schema, ids, isShown ? 'update' : 'share', [])) {
      await tx.giveWay()
    }
  }
}

function isShownIn({ fields }: TableSchema, { ownerFieldId, isOwner }: LinkEnd): boolean {
  return fields.some(
    ({ link }) => link?.end.ownerFieldId === ownerFieldId && link.end.isOwner === isOwner,
  )
}

/** All that follows from the records: their own computed cells, and those of records that are linked to them. */
async function findDirty(
  { tx, table }: RecordsContext,
  graph: SchemaGraph,
  { schema }: LoadedTable,
  recordIds: readonly string[],
) {
  const dirty = new Map<string, readonly string[] | typeof everyRecord>()
  const own = schema.fields.filter(({ computation }) => computation !== undefined)
  for (const { field } of own) dirty.set(field.id, recordIds)
  const origins: Origin[] = [
    { tableId: table.id, changed: [], dirty: own.map(({ field }) => field.id) },
  ]
  for (const inbound of await graph.load(schema.inboundTableIds)) {
    for (const { field, link } of inbound.schema.fields) {
      if (link?.foreignTableId !== table.id) continue
      const most = limits.recordsCalculated
      const found = await tx.links.recordsLinkedTo(link.end, recordIds, most + 1)
      if (found.length === 0) continue
      const isOwn = inbound.table.id === table.id
      const holders = isOwn ? [...new Set([...found, ...recordIds])] : found
      dirty.set(field.id, found.length > most ? everyRecord : holders)
      origins.push({ tableId: inbound.table.id, changed: [], dirty: [field.id] })
    }
  }
  return { origins, dirty }
}
