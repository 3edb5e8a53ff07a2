import { invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { ArchiveSettings } from '../format/archive-settings.ts'
import type { ArchivedEntry } from '../format/archived-trash.ts'

/** A thing that an archive tells of, in the trash or not. */
interface Thing {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly table?: string
  readonly deletion?: string | undefined
  readonly isPrimary?: boolean | undefined
}

/**
 * Throws validation_error where entries of a trash and the things that lie there don't name each other as one call left them:
 * a table, a dashboard, a workflow, a view, or fields of one table with the other ends of their links.
 */
export function requireTrash(settings: ArchiveSettings): void {
  const things = new Map(thingsOf(settings).map((thing) => [thing.id, thing]))
  const deleted = [...things.values()].filter(({ deletion }) => deletion !== undefined)
  const most = limits.deletedThingsPerArchive
  if (deleted.length > most) throw wrong(`at most ${most} things lie in the trash, records apart`)
  const named = new Set<string>()
  const fieldEntries = new Set<string>()
  for (const entry of settings.entries) {
    requireEntry(entry, things)
    for (const id of entry.ids) named.add(id)
    if (entry.type === 'field') fieldEntries.add(entry.id)
  }
  const ends = new Map(settings.fields.map(({ id, options }) => [id, options.symmetricFieldId]))
  for (const { id, type, name, deletion = '', isPrimary } of deleted) {
    if (isPrimary) throw wrong(`"${name}" is a primary field: it can't be deleted`)
    if (named.has(id)) continue
    // The field at the other end of a link goes along.
    const end = things.get(String(ends.get(id)))
    const isEnd = end && named.has(end.id) && end.deletion === deletion && ends.get(end.id) === id
    if (type === 'field' && fieldEntries.has(deletion) && isEnd) continue
    throw wrong(`"${id}" lies in the trash, but in no entry of it`)
  }
}

function thingsOf({ nodes, fields, views }: ArchiveSettings): readonly Thing[] {
  return [
    ...nodes.map(({ kind, said }) => ({ ...said, type: kind })),
    ...fields.map((said) => ({ ...said, type: 'field' })),
    ...views.map((said) => ({ ...said, type: 'view' })),
  ]
}

function requireEntry(entry: ArchivedEntry, things: ReadonlyMap<string, Thing>): void {
  const { id, type, table, ids } = entry
  const isInTable = type === 'field' || type === 'view'
  if (isInTable === (table === undefined)) {
    throw wrong(`the entry "${id}" of the trash must name a table where it is of views or fields`)
  }
  if (new Set(ids).size < ids.length || (type !== 'field' && ids.length > 1)) {
    throw wrong(`the entry "${id}" of the trash must name one thing, or fields, each once`)
  }
  for (const one of ids) {
    const thing = things.get(one)
    const isOne = thing?.type === type && thing.deletion === id && thing.table === table
    if (!isOne) throw wrong(`the entry "${id}" of the trash names "${one}", which isn't there so`)
  }
}

function wrong(message: string) {
  return invalidAt(['content'], message)
}
