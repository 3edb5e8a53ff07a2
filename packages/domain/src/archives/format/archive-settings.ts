import { invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Archived, ArchiveItem } from './archive-line.ts'
import type { ArchiveReader, Hold } from './archive-reader.ts'
import { type ArchivedEntry, isOfSettings, isWhole } from './archived-trash.ts'

/** What stands in the tree of a base, or lies in its trash, in its order. */
type ArchivedNode = {
  readonly [Kind in 'folder' | 'table' | 'dashboard' | 'workflow']: {
    readonly kind: Kind
    readonly said: Archived<Kind>
  }
}['folder' | 'table' | 'dashboard' | 'workflow']

/** All of an archive but its records, as it says it; with what lies in the trash, where it has that. */
export interface ArchiveSettings {
  readonly nodes: readonly ArchivedNode[]
  readonly tables: readonly Archived<'table'>[]
  readonly fields: readonly Archived<'field'>[]
  readonly views: readonly Archived<'view'>[]
  /** What was deleted of it. */
  readonly entries: readonly ArchivedEntry[]
}

/**
 * Reads what an archive begins with, up to the first line of records. Throws validation_error for things that stand there
 * twice, name others that aren't there, or are more than a base takes.
 */
export async function readSettings(
  reader: ArchiveReader,
  { maxFolderDepth, hold }: { readonly maxFolderDepth: number; readonly hold: Hold },
): Promise<ArchiveSettings> {
  const nodes: ArchivedNode[] = []
  const fields: Archived<'field'>[] = []
  const views: Archived<'view'>[] = []
  const entries: ArchivedEntry[] = []
  const known = new Set<string>()
  let weight = 0
  for (;;) {
    const item = await reader.next()
    if (!item || !isSettings(item)) {
      reader.putBack(item)
      break
    }
    weight += reader.weight
    if (weight > limits.archiveSettingsWeight) {
      throw reader.wrong(
        `the settings of a base take ${limits.archiveSettingsWeight} bytes of memory at most`,
      )
    }
    hold(reader.weight)
    if (item.kind === 'trash') isWhole(item.said, (message) => reader.wrong(message))
    const { id, node } = item.said as { readonly id: string; readonly node?: string }
    for (const one of [id, ...(node === undefined ? [] : [node])]) {
      // Names that the storage makes of ids may not tell cases apart.
      if (known.has(one.toLowerCase())) throw reader.wrong(`"${one}" is there twice`)
      known.add(one.toLowerCase())
    }
    if (item.kind === 'trash') entries.push(item.said as ArchivedEntry)
    else if (item.kind === 'field') fields.push(item.said)
    else if (item.kind === 'view') views.push(item.said)
    else nodes.push(item as ArchivedNode)
  }
  const tables = nodes.flatMap(({ kind, said }) => (kind === 'table' ? said : []))
  const settings = { nodes, tables, fields, views, entries }
  requireNodes(settings, maxFolderDepth)
  requireTables(settings)
  return settings
}

const settingKinds = new Set(['folder', 'table', 'dashboard', 'workflow', 'field', 'view'])

function isSettings(item: ArchiveItem): boolean {
  return settingKinds.has(item.kind) || (item.kind === 'trash' && isOfSettings(item.said))
}

/** Those that don't lie in the trash. */
function living<Thing extends { readonly deletion?: string | undefined }>(
  things: readonly Thing[],
): readonly Thing[] {
  return things.filter(({ deletion }) => deletion === undefined)
}

function requireNodes({ nodes, tables }: ArchiveSettings, maxFolderDepth: number): void {
  const standing = nodes.filter(({ said }) => !('deletion' in said))
  if (standing.length > limits.nodesPerBase) {
    throw wrong(`a base has ${limits.nodesPerBase} nodes at most`)
  }
  if (living(tables).length > limits.tablesPerBase) {
    throw wrong(`a base has ${limits.tablesPerBase} tables at most`)
  }
  const folders = new Map(
    nodes.flatMap(({ kind, said }) => (kind === 'folder' ? [[said.id, said] as const] : [])),
  )
  requireDistinct(
    [...folders.values()].map(({ name }) => name),
    'folders',
  )
  for (const { said } of nodes) {
    let depth = folders.has(said.id) ? 1 : 0
    for (let id = said.folder; id !== null; depth++) {
      const folder = folders.get(id)
      if (!folder) throw wrong(`"${said.id}" lies in a folder that is not there`)
      if (depth > maxFolderDepth) throw wrong(`folders lie at most ${maxFolderDepth} levels deep`)
      id = folder.folder
    }
    if (folders.has(said.id) && depth > maxFolderDepth) {
      throw wrong(`folders lie at most ${maxFolderDepth} levels deep`)
    }
  }
}

function requireTables({ tables, fields, views }: ArchiveSettings): void {
  requireDistinct(
    tables.map(({ dbTableName }) => dbTableName.toLowerCase()),
    'names of physical tables',
  )
  const ids = new Set(tables.map(({ id }) => id))
  const lost = [...fields, ...views].find(({ table }) => !ids.has(table))
  if (lost) throw wrong(`"${lost.id}" is of a table that is not there`)
  const fieldsByTable = Map.groupBy(fields, ({ table }) => table)
  const viewsByTable = Map.groupBy(views, ({ table }) => table)
  for (const { id, name } of tables) {
    const all = fieldsByTable.get(id) ?? []
    const own = living(all)
    const shown = living(viewsByTable.get(id) ?? [])
    const of = `the table "${name}"`
    if (own.filter(({ isPrimary }) => isPrimary).length !== 1 || !own[0]?.isPrimary) {
      throw wrong(`${of} must have one primary field, which is its first`)
    }
    if (own.length > limits.fieldsPerTable) {
      throw wrong(`${of} has more fields than ${limits.fieldsPerTable}`)
    }
    if (shown.length > limits.viewsPerTable) {
      throw wrong(`${of} has more views than ${limits.viewsPerTable}`)
    }
    const columns = all.flatMap(({ columnName }) => columnName?.toLowerCase() ?? [])
    if (columns.length > limits.columnsPerTable) {
      throw wrong(`${of} has more columns than ${limits.columnsPerTable}`)
    }
    const names = own.map((field) => field.name)
    requireDistinct(names, `fields of ${of}`)
    requireDistinct(
      own.map(({ dbFieldName }) => dbFieldName),
      `column names of ${of}`,
    )
    requireDistinct(columns, `physical columns of ${of}`)
  }
}

function requireDistinct(names: readonly string[], what: string): void {
  const seen = new Set<string>()
  for (const name of names) {
    if (seen.has(name)) throw wrong(`"${name}" is there twice among the ${what}`)
    seen.add(name)
  }
}

function wrong(message: string) {
  return invalidAt(['content'], message)
}
