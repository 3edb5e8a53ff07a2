import type { TrashEntry } from '../../trash/trash-entry.ts'
import type { ArchiveSource, WrittenTable } from './archive-source.ts'
import { type BaseContents, type NodeToWrite, readContents } from './base-contents.ts'
import { leftBehind } from './left-behind.ts'
import { readTable, type TableToWrite } from './read-table.ts'
import { SettingsRoom } from './settings-room.ts'

/** All of a base that an archive tells before its records. */
export interface SettingsToWrite extends Pick<BaseContents, 'base' | 'dashboards' | 'workflows'> {
  /** What stands in the tree, or lies in the trash of the base, in the order of the nodes. */
  readonly nodes: readonly NodeToWrite[]
  /** The tables, in that order. */
  readonly tables: readonly TableToWrite[]
  /** The fields of these that are not in the archive. */
  readonly left: ReadonlySet<string>
  /** The entries of the trash of the base, and of those of its tables, by where they lie. */
  readonly entriesByPlace: ReadonlyMap<string, readonly TrashEntry[]>
}

/**
 * Reads what an archive of a base tells before the records, each table on a snapshot of its own. A table stays behind that went
 * to the trash while a field of it was converted: its values are in two forms until it is back.
 */
export async function settingsToWrite(source: ArchiveSource): Promise<SettingsToWrite> {
  const room = new SettingsRoom()
  const { nodes, entries: ofBase, base, dashboards, workflows } = await readContents(source, room)
  const tables: TableToWrite[] = []
  const behind = new Set<string>()
  for (const { resourceType, resourceId: id, deletion } of nodes) {
    if (resourceType !== 'table') continue
    const table = await readTable(source, { id, deletion }, room)
    if (deletion !== undefined && table.isConverting) behind.add(id)
    else tables.push(table)
  }
  const entries = new Map([...ofBase, ...tables.flatMap((table) => [...table.entries])])
  return {
    ...{ base, dashboards, workflows, tables },
    entriesByPlace: Map.groupBy(entries.values(), ({ placeId }) => placeId),
    nodes: nodes.filter(({ resourceId }) => !behind.has(resourceId)),
    left: leftBehind(tables, entries),
  }
}

/** The table as its records are written. */
export function toWritten(
  { table, schema, deletions, deletion, views }: TableToWrite,
  left: ReadonlySet<string>,
): WrittenTable {
  const own = schema.fields.map(({ field }) => field.id)
  const ordered = views.map(({ view }) => view).filter(({ rowOrder }) => rowOrder !== null)
  const leftOut = new Set(own.filter((id) => left.has(id)))
  return { table, schema, deletions, deletion, leftOut, ordered, sameTags: new Set() }
}
