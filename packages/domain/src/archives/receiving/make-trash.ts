import { limits } from '../../limits.ts'
import type { WriteTx } from '../../store.ts'
import type { TableContext } from '../../tables/table-context.ts'
import type { Deletion } from '../../trash/deletion.ts'
import { requireRoomForViews } from '../../views/change-view.ts'
import type { PlannedSettings } from '../planning/plan-settings.ts'
import type { PlannedEntry } from '../planning/plan-trash.ts'
import { requireNoneTaken } from './free-ids.ts'
import { makeTable } from './make-settings.ts'
import { loadTable } from './receiving.ts'

/** Runs work in a transaction of its own. */
export type Write = (work: (context: TableContext) => Promise<void>) => Promise<void>

/**
 * Makes the tables of an archive that lie in the trash, so many in a transaction: all that belongs to them is there, and their
 * nodes come later. `atFirst` runs in the first of these. Throws validation_error where a table would keep more than one may.
 */
export async function makeDeletedTables(
  write: Write,
  { tables, fields, views, deletions }: PlannedSettings,
  atFirst: (tx: WriteTx) => Promise<void>,
): Promise<void> {
  const deleted = [...tables.values()].filter(({ id }) => deletions.has(id))
  const fieldsByTable = Map.groupBy(fields.values(), ({ tableId }) => tableId)
  const viewsByTable = Map.groupBy(
    [...views.values()].map(({ view }) => view),
    ({ tableId }) => tableId,
  )
  let begin: typeof atFirst | undefined = atFirst
  for (const some of slicesOf(deleted, limits.deletedTablesMadeAtOnce)) {
    await write(async (context) => {
      const { tx } = context
      tx.becomeLong()
      await begin?.(tx)
      for (const table of some) {
        await makeTable(context, table, fieldsByTable.get(table.id) ?? [], deletions)
        const own = viewsByTable.get(table.id) ?? []
        await tx.views.insert(own)
        for (const { id } of own)
          await mark(deletions.get(id), (by) => tx.views.markDeleted(id, by))
        // Nobody asks when the table comes back.
        await requireRoomForViews(context, table.id)
        await mark(deletions.get(table.id), (by) => tx.tables.markDeleted(table.id, by))
      }
    })
    begin = undefined
  }
}

/** Makes what else lies in the trash: views of living tables, dashboards, workflows, and the nodes of all. */
export async function makeDeletedThings(
  write: Write,
  { tables, views, dashboards, workflows, nodes, deletions }: PlannedSettings,
): Promise<void> {
  const isDeleted = ({ id }: { readonly id: string }) => deletions.has(id)
  const livingTables = new Set(
    [...tables.values()].flatMap(({ id }) => (deletions.has(id) ? [] : id)),
  )
  const shown = [...views.values()].flatMap(({ view }) =>
    isDeleted(view) && livingTables.has(view.tableId) ? view : [],
  )
  await inSlices(write, shown, async ({ views }, some) => {
    await views.insert(some)
    for (const { id } of some) await mark(deletions.get(id), (by) => views.markDeleted(id, by))
  })
  await inSlices(write, dashboards.filter(isDeleted), async (tx, some) => {
    await tx.dashboards.insert(some)
    for (const { id } of some) {
      await mark(deletions.get(id), (by) => tx.dashboards.markDeleted(id, by))
    }
  })
  await inSlices(write, workflows.filter(isDeleted), async (tx, some) => {
    await tx.workflows.insert(some)
    for (const { id } of some) {
      await mark(deletions.get(id), (by) => tx.workflows.markDeleted(id, by))
    }
  })
  const away = nodes.filter(({ resourceId }) => deletions.has(resourceId))
  await inSlices(write, away, async (tx, some) => {
    for (const node of some) {
      await tx.nodes.insert(node)
      await mark(deletions.get(node.resourceId), (by) => tx.nodes.markDeleted(node.id, by))
    }
  })
}

/** Puts entries into the trash, so many in a transaction. Throws `conflict` where another one has the id of one of them. */
export async function noteEntries(write: Write, entries: readonly PlannedEntry[]): Promise<void> {
  await inSlices(write, entries, async (tx, some) => {
    await requireNoneTaken(
      tx,
      some.map(({ deletion }) => deletion.operationId),
    )
    for (const { deletion, ...what } of some) {
      // The base may have been given up meanwhile.
      if (what.resourceType === 'record') await loadTable(tx, what.placeId)
      await tx.trash.add(deletion, what)
    }
  })
}

async function mark(
  deletion: Deletion | undefined,
  how: (deletion: Deletion) => Promise<void>,
): Promise<void> {
  if (deletion) await how(deletion)
}

/** Works on things so many at a time, each time in a transaction of its own. */
export async function inSlices<Thing>(
  write: Write,
  things: readonly Thing[],
  work: (tx: WriteTx, some: readonly Thing[]) => Promise<void>,
): Promise<void> {
  for (const some of slicesOf(things, limits.deletedThingsMadeAtOnce)) {
    await write(({ tx }) => work(tx, some))
  }
}

function* slicesOf<Thing>(things: readonly Thing[], most: number): Generator<readonly Thing[]> {
  for (let start = 0; start < things.length; start += most) yield things.slice(start, start + most)
}
