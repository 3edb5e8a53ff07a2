import { limits } from '../../limits.ts'
import type { Deletion } from '../../trash/deletion.ts'
import type { Archived } from '../format/archive-line.ts'
import { isOfSettings, isWhole } from '../format/archived-trash.ts'
import { entryIdHere } from '../planning/ids-here.ts'
import { type PlannedEntry, toDeletion } from '../planning/plan-trash.ts'
import type { ReceivedEntry, Receiving } from './receiving.ts'

/** Takes in that records of a table were deleted, and the entry's id with them. The records of it follow. */
export function receiveTrash(receiving: Receiving, said: Archived<'trash'>): void {
  const { context, reader, made, people, trash, hold } = receiving
  const table = made.tables.get(said.table ?? '')
  if (!table) throw reader.wrong('names a table that is not in the archive')
  if (isOfSettings(said))
    throw reader.wrong('what was deleted besides records must stand before them')
  const entries = trash.get(table.id) ?? []
  trash.set(table.id, entries)
  const ids = isWhole(said, (message) => reader.wrong(message)) ? said.ids : undefined
  hold(limits.trashEntryBytesHeld + limits.trashedIdBytesHeld * (ids?.length ?? 0))
  const missing = ids && new Set(ids)
  if (missing && missing.size < (ids?.length ?? 0)) throw reader.wrong('names a record twice')
  const id = said.id === undefined ? context.ids.next('operation') : entryId(receiving, said.id)
  const deletion = toDeletion(context, said, people, id)
  entries.push({ deletion, missing, recordIds: [...(ids ?? [])] })
}

/** The id that the entry gets. Throws where another one has it in the archive. */
function entryId({ context, reader, entryIds }: Receiving, archivedId: string) {
  const key = archivedId.toLowerCase()
  if (entryIds.has(key)) throw reader.wrong(`"${archivedId}" is there twice`)
  entryIds.add(key)
  return entryIdHere(context.idHere, archivedId)
}

/** What deleted a record: the entry of that number. Throws validation_error where none can have. */
export function deletedBy(
  { reader, trash, hold }: Receiving,
  tableId: string,
  { number, recordId }: { readonly number: number; readonly recordId: string },
): Deletion {
  const entry = trash.get(tableId)?.[number]
  if (!entry) throw reader.wrong('a deleted record must begin with the number of what deleted it')
  if (entry.missing) {
    if (!entry.missing.delete(recordId)) {
      throw reader.wrong(`what deleted the record "${recordId}" must name it, and once`)
    }
    return entry.deletion
  }
  if (entry.recordIds.length === limits.recordsPerDelete) {
    throw reader.wrong(`${limits.recordsPerDelete} records at most are deleted at once`)
  }
  hold(limits.trashedIdBytesHeld)
  entry.recordIds.push(recordId)
  return entry.deletion
}

/** The entries of records that have come. */
export function entriesOf({ trash }: Receiving): readonly PlannedEntry[] {
  return [...trash].flatMap(([placeId, entries]) => entries.flatMap((one) => toEntry(placeId, one)))
}

/** Others of its records may have been purged while the archive was written. */
function toEntry(
  placeId: string,
  { deletion, missing, recordIds }: ReceivedEntry,
): readonly PlannedEntry[] {
  const resourceIds = missing ? recordIds.filter((id) => !missing.has(id)) : recordIds
  return resourceIds.length > 0 ? [{ placeId, resourceType: 'record', resourceIds, deletion }] : []
}
