import type { Base } from '../../bases/base.ts'
import { later } from '../../clock.ts'
import { trimPeriodMs } from '../../history/history-jobs.ts'
import { findCollaborators } from '../../records/reading/find-collaborators.ts'
import type { WriteTx } from '../../store.ts'
import type { TableContext } from '../../tables/table-context.ts'
import type { ArchiveHeader, ArchiveReader, Hold } from '../format/archive-reader.ts'
import { readSettings } from '../format/archive-settings.ts'
import type { MadeSettings } from '../planning/made-settings.ts'
import { type PlannedSettings, planSettings } from '../planning/plan-settings.ts'
import type { ReceivingContext } from '../planning/receiving-context.ts'
import { requireTrash } from '../planning/require-trash.ts'
import { requireFreeIds } from './free-ids.ts'
import { makeSettings } from './make-settings.ts'
import {
  inSlices,
  makeDeletedTables,
  makeDeletedThings,
  noteEntries,
  type Write,
} from './make-trash.ts'
import { receiveCells } from './receive-cells.ts'
import { receiveFile } from './receive-file.ts'
import { receiveHistory } from './receive-history.ts'
import { receiveLinks } from './receive-links.ts'
import { receiveOrder } from './receive-order.ts'
import { receiveRecords } from './receive-records.ts'
import { entriesOf, receiveTrash } from './receive-trash.ts'
import type { Receiving } from './receiving.ts'
import { requireLinks } from './require-links.ts'

/** What has come of an archive: all of it, as its end says. */
export interface ReceivedArchive {
  readonly header: ArchiveHeader
  readonly made: MadeSettings
  readonly records: number
}

/**
 * Makes what an archive holds in a base that nobody sees, part by part as it comes, each in a transaction of its own. Throws
 * where it isn't whole, or isn't what this service would have written; what was made until then is to be given up.
 */
export async function receiveArchive(
  context: ReceivingContext,
  reader: ArchiveReader,
  hold: Hold,
): Promise<ReceivedArchive> {
  const { store, baseId, spaceId, userId, settings } = context
  const header = await reader.header()
  const base = { id: baseId, spaceId } as Base
  const people = await store.read((tx) => findCollaborators(tx, base))
  const isKnown = (id: string) => id === userId || people.name(id) !== undefined
  const known = { has: isKnown, of: (id: string) => (isKnown(id) ? id : userId) }
  const { maxFolderDepth } = settings
  const said = await readSettings(reader, { maxFolderDepth, hold })
  requireTrash(said)
  const made = await planSettings(context, said, {
    people: known,
    archivedBaseId: header.id ?? '',
  })
  await makeAll(context, made)
  const receiving: Receiving = {
    context,
    reader,
    made,
    people: known,
    within: (tx) => within(context, tx),
    begun: new Set(),
    last: new Map(),
    entryIds: new Set(said.entries.map(({ id }) => id.toLowerCase())),
    trash: new Map(),
    hold,
    schemas: new Map(),
    records: 0,
    living: 0,
  }
  for (let item = await reader.next(); item; item = await reader.next()) {
    if (item.kind === 'file') await receiveFile(receiving, item.said)
    else if (item.kind === 'trash') receiveTrash(receiving, item.said)
    else if (item.kind === 'cells') await receiveCells(receiving, item.said.field)
    else if (item.kind === 'records') await receiveRecords(receiving, item.said)
    else if (item.kind === 'links') await receiveLinks(receiving, item.said.field)
    else if (item.kind === 'order') await receiveOrder(receiving, item.said.view)
    else if (item.kind === 'history') await receiveHistory(receiving, item.said.table)
    else throw reader.wrong(`a line of this kind ("${item.kind}") must not stand here`)
  }
  await requireLinks(receiving)
  await noteEntries(writing(context), [...made.entries, ...entriesOf(receiving)])
  return { header, made, records: receiving.records }
}

/** Makes what was planned: first the tables in the trash, which those that live may be linked to. */
async function makeAll(context: ReceivingContext, made: PlannedSettings): Promise<void> {
  const { keepsIds, baseId, now } = context
  const write = writing(context)
  const requireFree = async (tx: WriteTx) => {
    if (keepsIds) await requireFreeIds(tx, idsOf(made))
  }
  const isAnyDeleted = [...made.tables.values()].some(({ id }) => made.deletions.has(id))
  await makeDeletedTables(write, made, requireFree)
  await write(async (within) => {
    if (!isAnyDeleted) await requireFree(within.tx)
    await makeSettings(within, baseId, made)
  })
  await makeDeletedThings(write, made)
  if (!keepsIds) return
  const trimTime = later(now, trimPeriodMs)
  await inSlices(write, [...made.tables.values()], async ({ history }, tables) => {
    for (const { id } of tables) await history.begin({ id, baseId }, trimTime)
  })
}

/** Runs work in transactions of its own. */
function writing(context: ReceivingContext): Write {
  return (work) => context.store.write((tx) => work(within(context, tx)))
}

function idsOf(made: PlannedSettings): readonly string[] {
  const { tables, fields, views, folders, dashboards, workflows, nodes, entries } = made
  const shown = [...views.values()].map(({ view }) => view)
  const inTree = [...tables.values(), ...folders, ...dashboards, ...workflows, ...nodes]
  const ids = [...inTree, ...fields.values(), ...shown].map(({ id }) => id)
  return [...ids, ...entries.map(({ deletion }) => deletion.operationId)]
}

function within({ actor, now, ids, userId, plans }: ReceivingContext, tx: WriteTx): TableContext {
  return { tx, actor, now, ids, userId, plans } as TableContext
}
