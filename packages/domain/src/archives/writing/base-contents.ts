import type { Base } from '../../bases/base.ts'
import type { Dashboard } from '../../dashboards/dashboard.ts'
import type { ReadTx } from '../../store.ts'
import type { Table } from '../../tables/table.ts'
import { deletedPages } from '../../trash/deleted-pages.ts'
import type { Deleted, DeletedPage } from '../../trash/deletion.ts'
import { findEntries } from '../../trash/find-entries.ts'
import type { TrashEntry } from '../../trash/trash-entry.ts'
import type { TreeNode } from '../../tree/tree-node.ts'
import { compareOrder } from '../../values/ordering.ts'
import type { Workflow } from '../../workflows/workflow.ts'
import type { ArchiveSource } from './archive-source.ts'
import type { SettingsRoom } from './settings-room.ts'

/** A place in the tree, and the operation that deleted what stands there; undefined where that lives. */
export interface NodeToWrite extends TreeNode {
  /** What a folder is called. */
  readonly name: string
  readonly deletion: string | undefined
}

/** What stands in the tree of a base, and lies in its trash where that comes along. */
export interface BaseContents {
  readonly base: Base
  /** In their order: what comes back from the trash stands where it stood. */
  readonly nodes: readonly NodeToWrite[]
  /** What nodes stand for beside folders, by id. */
  readonly tables: ReadonlyMap<string, Table>
  readonly dashboards: ReadonlyMap<string, Dashboard>
  readonly workflows: ReadonlyMap<string, Workflow>
  /** The entries of the trash of the base, by id. */
  readonly entries: ReadonlyMap<string, TrashEntry>
}

/** Reads what stands in a base, and what lies in its trash in an entry that is listed. Throws where that is too much. */
export function readContents(
  { read, includeTrash }: Pick<ArchiveSource, 'read' | 'includeTrash'>,
  room: SettingsRoom,
): Promise<BaseContents> {
  return read(async (tx, base) => {
    const { id } = base
    const nodes = (await tx.nodes.list(id)).map((node) => ({ ...node, deletion: undefined }))
    const living = {
      tables: byId(await tx.tables.listOf(id)),
      dashboards: byId(await tx.dashboards.listOf(id)),
      workflows: byId(await tx.workflows.listOf(id)),
    }
    const contents = { base, nodes, ...living, entries: new Map() }
    return includeTrash ? withTrash(tx, contents, room) : contents
  })
}

async function withTrash(
  tx: ReadTx,
  contents: BaseContents,
  room: SettingsRoom,
): Promise<BaseContents> {
  const { id } = contents.base
  const deleted = async <Thing extends { readonly id: string }>(
    read: (page: DeletedPage) => Promise<readonly Deleted<Thing>[]>,
  ) => {
    const all: Deleted<Thing>[] = []
    for await (const page of deletedPages(read)) {
      for (const one of page) room.takeDeleted(one.thing)
      all.push(...page)
    }
    return all
  }
  const tables = await deleted((page) => tx.tables.deletedIn(id, page))
  const dashboards = await deleted((page) => tx.dashboards.deletedIn(id, page))
  const workflows = await deleted((page) => tx.workflows.deletedIn(id, page))
  const things = [...tables, ...dashboards, ...workflows]
  const entries = await findEntries(
    tx,
    things.map(({ operationId }) => operationId),
  )
  const namedBy = new Map(things.map(({ thing, operationId }) => [thing.id, operationId]))
  const nodes: NodeToWrite[] = [...contents.nodes]
  const standing = new Set(nodes.map((node) => node.id))
  for await (const page of deletedPages((page) => tx.nodes.deletedIn(id, page))) {
    for (const { thing: node } of page) {
      const deletion = namedBy.get(node.resourceId)
      const entry = entries.get(deletion ?? '')
      if (entry?.placeId !== id || !entry.resourceIds.includes(node.resourceId)) continue
      // What lay in a folder that is gone comes back to the root.
      const parentId = standing.has(node.parentId ?? '') ? node.parentId : null
      nodes.push({ ...node, parentId, name: '', deletion })
    }
  }
  return {
    base: contents.base,
    nodes: nodes.toSorted(compareOrder),
    tables: byId([...contents.tables.values(), ...tables.map(({ thing }) => thing)]),
    dashboards: byId([...contents.dashboards.values(), ...dashboards.map(({ thing }) => thing)]),
    workflows: byId([...contents.workflows.values(), ...workflows.map(({ thing }) => thing)]),
    entries,
  }
}

function byId<T extends { readonly id: string }>(all: readonly T[]): ReadonlyMap<string, T> {
  return new Map(all.map((one) => [one.id, one]))
}
