import { limits } from '../limits.ts'
import type { TrashEntry } from './trash-entry.ts'
import type { TrashReader } from './trash-repository.ts'

/** The entries of operations that there are, by id. What is being purged has none any more. */
export async function findEntries(
  { trash }: { readonly trash: Pick<TrashReader, 'findAll'> },
  operationIds: Iterable<string>,
): Promise<ReadonlyMap<string, TrashEntry>> {
  const ids = [...new Set(operationIds)]
  const entries = new Map<string, TrashEntry>()
  for (let start = 0; start < ids.length; start += limits.trashEntriesReadAtOnce) {
    const some = ids.slice(start, start + limits.trashEntriesReadAtOnce)
    for (const entry of await trash.findAll(some)) entries.set(entry.id, entry)
  }
  return entries
}
