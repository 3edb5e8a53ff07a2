import { copyInstalls, nameCopiesOf } from '../../../boards/copy-board.ts'
import { waitForPending } from '../../../calculations/pending/wait-for-pending.ts'
import type { Field } from '../../../fields/field.ts'
import { linkCapabilityOf } from '../../../fields/link-of.ts'
import { renewTargets } from '../../../fields/operations/building/make-links.ts'
import { requireConverted } from '../../../fields/operations/require-converted.ts'
import { idsOfCopies } from '../../../ids/ids-of-copies.ts'
import { limits } from '../../../limits.ts'
import { addInstalls } from '../../../plugin-installs/add-installs.ts'
import { copyPanels } from '../../../plugin-panels/copy-panels.ts'
import { CopiedRecordIds } from '../../../records/copying/copied-record-ids.ts'
import { type CopiedFiles, copyRecords } from '../../../records/copying/copy-records.ts'
import { SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { TableSchema } from '../../../schemas/table-schema.ts'
import { renameAll } from '../../../values/rename-all.ts'
import { settingsOf, type View, type ViewSettings } from '../../../views/view.ts'
import type { Table } from '../../table.ts'
import type { TableContext } from '../../table-context.ts'
import { lookupsOfCopies } from './copied-lookups.ts'
import { copyFields, renameIds, startingCopies, type TableCopy } from './copy-fields.ts'
import { type CopiedNames, limitedToCopies, withCopiedRecords } from './copy-filters.ts'

/** Whether records come along, and how a refusal of that is said. */
interface CopyTerms {
  readonly withRecords: boolean
  /** The member of the input that asks for the records. */
  readonly member: string
  /** What is copied, such as `the table`. */
  readonly what: string
  /** The files of cells under the tokens that the copies name them by; those of the originals where it is absent. */
  readonly files?: CopiedFiles | undefined
  /** What is copied along with the tables, by original: plugins that are put on there may name it. */
  readonly named?: ReadonlyMap<string, string> | undefined
  /** Records of which what is copied along asks afterwards what their copies are called. */
  readonly namedRecords?: ReadonlySet<string> | undefined
}

/** A table that is copied, with its fields and views as they are. */
interface Original extends TableCopy {
  readonly schema: TableSchema
  readonly views: readonly View[]
}

/** Tables that were copied. */
export interface CopiedTables {
  readonly graph: SchemaGraph
  /** What the copies of the tables, of their fields and views, and of what plugins are put on there are called. */
  readonly idsByOriginal: ReadonlyMap<string, string>
  /** What the copies of the named records are called; of those alone that were copied. */
  readonly recordIds: ReadonlyMap<string, string>
}

/** A view and its copy. */
interface ViewCopy {
  readonly view: View
  readonly copy: View
}

/**
 * Copies tables together, with their fields and views, all but their nodes. The originals, and the base of the copies, must be
 * held for update. Links between tables that are copied together lead from copy to copy.
 */
export async function copyTables(
  context: TableContext,
  copies: readonly TableCopy[],
  terms: CopyTerms,
): Promise<CopiedTables> {
  const { tx, now, userId, ids } = context
  const originals: Original[] = []
  for (const pair of copies) {
    const schema = await tx.fields.schemaOf(pair.original)
    originals.push({ ...pair, schema, views: await tx.views.listOf(pair.original.id) })
  }
  if (terms.withRecords) await becomeLongIfLarge(context, originals, terms)
  const recordIds = new CopiedRecordIds(ids, terms.namedRecords)
  const recordId = (id: string) => (terms.withRecords ? recordIds.of(id) : id)
  // Without their records, filters go on naming those of the originals, of which none is here.
  const settings = await copySettings(context, originals, terms, recordId)
  const { fieldsByTable, views, idsByOriginal } = settings
  const graph = new SchemaGraph(tx, 'update')
  for (const { copy } of copies) await tx.tables.insert(copy, fieldsByTable.get(copy.id) ?? [])
  for (const field of [...fieldsByTable.values()].flat()) {
    const end = linkCapabilityOf(field)?.endOf(field.options)
    if (end?.isOwner) await tx.links.create(end)
  }
  for (const { copy } of copies) await graph.put(copy)
  for (const { copy } of copies) {
    await renewTargets(context, graph, copy.id, fieldsByTable.get(copy.id) ?? [])
  }
  for (const { copy } of copies) {
    tx.emit({ name: 'table.created', time: now, userId, payload: { tableId: copy.id } })
  }
  if (terms.withRecords) {
    const tables = originals.map(({ schema, copy }) => ({ from: schema, copyId: copy.id }))
    const ordered = new Set(views.flatMap(({ view, copy }) => (view.rowOrder ? copy.tableId : [])))
    const numbers = await copyRecords(context, graph, tables, { recordIds, ...terms }, ordered)
    await copyRowOrders(context, graph, originals, views, numbers)
  }
  await copyPlugins(context, originals, idsByOriginal)
  const named = views.map(({ copy }) => ({
    ...copy,
    options: renameAll(copy.options, idsByOriginal),
  }))
  await tx.views.insert(named)
  for (const [tableId, fields] of fieldsByTable) {
    await waitForPending(context, graph, { tableId, fieldIds: fields.map(({ id }) => id) })
  }
  return { graph, idsByOriginal, recordIds: recordIds.ofNamed() }
}

async function becomeLongIfLarge(
  { tx }: TableContext,
  originals: readonly Original[],
  { what }: CopyTerms,
): Promise<void> {
  let numbers = 0
  for (const { schema } of originals) {
    const fields = schema.fields.map(({ field }) => field)
    requireConverted(fields, `duplicate ${what}`)
    numbers += await tx.recordScanner.lastNumber(schema)
  }
  if (numbers > limits.recordsWrittenAtOnce) tx.becomeLong()
}

/** The fields and views of the copies, which name one another, and the records that the copies get. */
async function copySettings(
  { ids, tx }: TableContext,
  originals: readonly Original[],
  { withRecords, named = new Map() }: CopyTerms,
  recordId: CopiedNames['recordId'],
): Promise<{
  readonly fieldsByTable: ReadonlyMap<string, readonly Field[]>
  readonly views: ViewCopy[]
  readonly idsByOriginal: Map<string, string>
}> {
  const fieldsOfOriginals = originals.flatMap(({ schema }) =>
    schema.fields.map(({ field }) => field),
  )
  const byOriginal = new Map(originals.map((pair) => [pair.original.id, pair]))
  const newId = () => ids.next('field')
  const copied = await copyFields(fieldsOfOriginals, byOriginal, newId, () => tx.giveWay())
  const originalViews = originals.flatMap(({ views, copy }) =>
    views.map((view) => ({ view, copy })),
  )
  const viewIds = new Map(originalViews.map(({ view }) => [view.id, ids.next('view')]))
  const tableIds = new Set(originals.map(({ copy }) => copy.id))
  const names: CopiedNames = { tableIds, viewIds, recordId }
  const tablesByOriginal = originals.map(({ original, copy }) => [original.id, copy.id] as const)
  const basesByOriginal = originals.map(
    ({ original, copy }) => [original.baseId, copy.baseId] as const,
  )
  const copiedIds = new Map([...basesByOriginal, ...tablesByOriginal, ...viewIds])
  const limited = lookupsOfCopies(
    limitedToCopies(copied.fields, names),
    fieldsOfOriginals,
    copiedIds,
  )
  const fields = limited.map((field) => startingCopies(field, named))
  const fieldsById = new Map(fields.map((field) => [field.id, field]))
  const views = originalViews.map(({ view, copy }): ViewCopy => {
    const renamed = renameIds(settingsOf(view), copied.idByOriginal)
    const settings = withRecords ? renamed : thawed(renamed, view)
    const { filter } = settings
    const made = {
      ...view,
      ...newlyMade(copy),
      id: viewIds.get(view.id) ?? '',
      tableId: copy.id,
      ...settings,
      filter: filter && withCopiedRecords(filter, fieldsById, names),
    }
    return { view, copy: made }
  })
  const idsByOriginal = new Map([...named, ...tablesByOriginal, ...copied.idByOriginal, ...viewIds])
  return { fieldsByTable: Map.groupBy(fields, ({ tableId }) => tableId), views, idsByOriginal }
}

/**
 * Copies what plugins are put on in the tables, with the plugins. `idByOriginal` has the ids of what is copied along, and is
 * given theirs. What is on a view in the trash stays behind with it.
 */
async function copyPlugins(
  context: TableContext,
  originals: readonly Original[],
  idByOriginal: Map<string, string>,
): Promise<void> {
  const { tx, ids } = context
  const found = []
  // All have their ids before any is copied: a plugin may name what is put on a later table.
  for (const { original, copy } of originals) {
    const panels = await tx.pluginPanels.listOf(original.id)
    const panelIds = idsOfCopies(
      panels.map(({ id }) => id),
      ids.many('pluginPanel', panels.length),
    )
    for (const [id, copyId] of panelIds) idByOriginal.set(id, copyId)
    const installs = (await tx.pluginInstalls.heldIn(original.id)).filter(({ positionId }) =>
      idByOriginal.has(positionId),
    )
    nameCopiesOf(context, installs, idByOriginal)
    found.push({ panels, installs, place: { baseId: copy.baseId, tableId: copy.id } })
  }
  for (const { panels, installs, place } of found) {
    await addInstalls(tx, copyInstalls(context, installs, place.baseId, idByOriginal))
    await tx.pluginPanels.insert(copyPanels(context, panels, place, idByOriginal))
  }
}

/** What a view says of how it came about, when its table is made. */
function newlyMade({ createdBy, createdTime }: Table) {
  const never = { lastModifiedBy: null, lastModifiedTime: null }
  return { rowOrder: null, createdBy, createdTime, version: 1, ...never }
}

/** A row order names records: where these don't come along, what was kept in the order of a sort is sorted by that. */
function thawed(settings: ViewSettings, { rowOrder }: View): ViewSettings {
  const { sort } = settings
  return rowOrder && sort ? { ...settings, sort: { sortObjs: sort.sortObjs } } : settings
}

/** Puts the rows of copied views into the order of the originals, by the numbers of the copies of records. */
async function copyRowOrders(
  { tx, ids }: TableContext,
  graph: SchemaGraph,
  originals: readonly Original[],
  views: ViewCopy[],
  numbers: ReadonlyMap<string, ReadonlyMap<number, number>>,
): Promise<void> {
  const byCopy = new Map(originals.map((original) => [original.copy.id, original]))
  for (const [index, { view, copy }] of views.entries()) {
    const table = byCopy.get(copy.tableId)
    const ofTable = numbers.get(copy.tableId)
    if (!view.rowOrder || !table || !ofTable) continue
    const orderId = ids.next('rowOrder')
    const { baseId } = table.copy
    await tx.rowOrders.create(baseId, orderId)
    const standing = { keys: [], rowOrder: view.rowOrder }
    let noted = 0
    for (const part of await tx.rowOrders.sorted(
      table.schema,
      standing,
      limits.placesNotedAtOnce,
    )) {
      const copied = (JSON.parse(part) as string[]).flatMap((of) => ofTable.get(Number(of)) ?? [])
      await tx.rowOrders.append(baseId, orderId, JSON.stringify(copied.map(String)), noted)
      noted += copied.length
      await tx.giveWay()
    }
    const { schema } = await graph.get(copy.tableId)
    const frozenNumber = await tx.recordScanner.lastNumber(schema)
    const rowOrder = { id: orderId, frozenNumber, renumberedVersion: 0 }
    views[index] = { view, copy: { ...copy, rowOrder } }
  }
}
