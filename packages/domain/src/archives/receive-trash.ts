import { limits } from '../limits.ts'
import type { Archived } from './archive-line.ts'
import { loadSchema, type ReceivedEntry, type Receiving } from './receiving.ts'

/** Entries that one transaction notes. */
const entriesAtOnce = 100

/** Takes in that something was deleted of a table, under an id of its own. The records of it follow. */
export function receiveTrash(receiving: Receiving, said: Archived<'trash'>): void {
  const { context, reader, made, people, trash, hold } = receiving
  const table = made.tables.get(said.table)
  if (!table) throw reader.wrong('names a table that is not in the archive')
  const entries = trash.get(table.id) ?? []
  trash.set(table.id, entries)
  hold(limits.trashEntryBytesHeld)
  const isToCome = said.deletedTime > context.now
  entries.push({
    operationId: context.ids.next('operation'),
    // Nothing may be kept longer than if it were deleted now.
    time: isToCome ? context.now : said.deletedTime,
    userId: people.of(said.deletedBy),
    recordIds: [],
  })
}

/** Notes that a record is of the entry of that number. Throws validation_error where none can be. */
export function deletedBy(
  { reader, trash, hold }: Receiving,
  tableId: string,
  { number, recordId }: { readonly number: number; readonly recordId: string },
): ReceivedEntry {
  const entry = trash.get(tableId)?.[number]
  if (!entry) throw reader.wrong('a deleted record must begin with the number of what deleted it')
  if (entry.recordIds.length === limits.recordsPerDelete) {
    throw reader.wrong(`${limits.recordsPerDelete} records at most are deleted at once`)
  }
  hold(limits.trashedIdBytesHeld)
  entry.recordIds.push(recordId)
  return entry
}

/** Puts what was deleted into the trash of the tables, once all of it has come. */
export async function noteTrash({ context, trash }: Receiving): Promise<void> {
  for (const [placeId, entries] of trash) {
    const filled = entries.filter(({ recordIds }) => recordIds.length > 0)
    for (let start = 0; start < filled.length; start += entriesAtOnce) {
      await context.store.write(async (tx) => {
        await loadSchema(tx, placeId)
        for (const { recordIds: resourceIds, ...deletion } of filled.slice(
          start,
          start + entriesAtOnce,
        )) {
          await tx.trash.add(deletion, { placeId, resourceType: 'record', resourceIds })
        }
      })
    }
  }
}
