import { invalidAt } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Archived } from './archive-line.ts'
import type { ArchiveReader, Hold } from './archive-reader.ts'

/** What stands in the tree of a base, in its order. */
export type ArchivedNode = {
  readonly [Kind in 'folder' | 'table' | 'dashboard' | 'workflow']: {
    readonly kind: Kind
    readonly said: Archived<Kind>
  }
}['folder' | 'table' | 'dashboard' | 'workflow']

/** All of an archive but its records, as it says it. */
export interface ArchiveSettings {
  readonly nodes: readonly ArchivedNode[]
  readonly tables: readonly Archived<'table'>[]
  readonly fields: readonly Archived<'field'>[]
  readonly views: readonly Archived<'view'>[]
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
  const known = new Set<string>()
  let weight = 0
  for (;;) {
    const item = await reader.next()
    if (!item || !('said' in item) || !isSettings(item.kind)) {
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
    const { id, node } = item.said as { readonly id: string; readonly node?: string }
    for (const one of [id, ...(node === undefined ? [] : [node])]) {
      // Names that the storage makes of ids may not tell cases apart.
      if (known.has(one.toLowerCase())) throw reader.wrong(`"${one}" is there twice`)
      known.add(one.toLowerCase())
    }
    if (item.kind === 'field') fields.push(item.said)
    else if (item.kind === 'view') views.push(item.said)
    else nodes.push(item as ArchivedNode)
  }
  const tables = nodes.flatMap(({ kind, said }) => (kind === 'table' ? said : []))
  const settings = { nodes, tables, fields, views }
  requireNodes(settings, maxFolderDepth)
  requireTables(settings)
  return settings
}

const settingKinds = new Set(['folder', 'table', 'dashboard', 'workflow', 'field', 'view'])

function isSettings(kind: string): boolean {
  return settingKinds.has(kind)
}

function requireNodes({ nodes, tables }: ArchiveSettings, maxFolderDepth: number): void {
  if (nodes.length > limits.nodesPerBase) {
    throw wrong(`a base has ${limits.nodesPerBase} nodes at most`)
  }
  if (tables.length > limits.tablesPerBase) {
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
    tables.map(({ name }) => name),
    'tables',
  )
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
    const own = fieldsByTable.get(id) ?? []
    const shown = viewsByTable.get(id) ?? []
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
    const names = own.map((field) => field.name)
    requireDistinct(names, `fields of ${of}`)
    requireDistinct(
      own.map(({ dbFieldName }) => dbFieldName),
      `column names of ${of}`,
    )
    requireDistinct(
      own.flatMap(({ columnName }) => columnName?.toLowerCase() ?? []),
      `physical columns of ${of}`,
    )
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
