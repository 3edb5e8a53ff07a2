import type { Deletion } from '../../trash/deletion.ts'
import type { TrashEntry } from '../../trash/trash-entry.ts'
import type { Archived } from '../format/archive-line.ts'
import type { ArchiveSettings } from '../format/archive-settings.ts'
import { entryIdHere } from './ids-here.ts'
import type { KnownPeople } from './known-people.ts'
import type { ReceivingContext } from './receiving-context.ts'

/** An entry as it is to be in the trash. */
export interface PlannedEntry extends Pick<TrashEntry, 'placeId' | 'resourceType' | 'resourceIds'> {
  readonly deletion: Deletion
}

/** What deleted something, as it is to be told: a time that is yet to come becomes that of the import. */
export function toDeletion(
  { now }: Pick<ReceivingContext, 'now'>,
  { deletedTime, deletedBy }: Pick<Archived<'trash'>, 'deletedTime' | 'deletedBy'>,
  people: KnownPeople,
  operationId: string,
): Deletion {
  // Nothing may be kept longer than if it were deleted now.
  const time = deletedTime > now ? now : deletedTime
  return { operationId, time, userId: people.of(deletedBy) }
}

/** What deleted the things that an archive tells of before its records, by the id that it has in the archive. */
export function planDeletions(
  context: ReceivingContext,
  { entries }: ArchiveSettings,
  people: KnownPeople,
): ReadonlyMap<string, Deletion> {
  return new Map(
    entries.map((entry) => {
      const operationId = entryIdHere(context.idHere, entry.id)
      return [entry.id, toDeletion(context, entry, people, operationId)]
    }),
  )
}

/** The entries as they are to be, by what their things are called here. */
export function planEntries(
  { baseId }: ReceivingContext,
  { entries }: ArchiveSettings,
  deletions: ReadonlyMap<string, Deletion>,
  idsHere: ReadonlyMap<string, string>,
): readonly PlannedEntry[] {
  return entries.flatMap(({ id, type, table, ids }): PlannedEntry[] => {
    const deletion = deletions.get(id)
    if (!deletion) return []
    const placeId = table === undefined ? baseId : (idsHere.get(table) ?? '')
    const resourceIds = ids.map((one) => idsHere.get(one) ?? '')
    return [{ placeId, resourceType: type, resourceIds, deletion }]
  })
}

/** Which of the things that an archive tells of lie in the trash, by their ids here. */
export function deletedHere(
  settings: ArchiveSettings,
  deletions: ReadonlyMap<string, Deletion>,
  idsHere: ReadonlyMap<string, string>,
): ReadonlyMap<string, Deletion> {
  const { nodes, fields, views } = settings
  const things = [...nodes.map(({ said }) => said), ...fields, ...views]
  return new Map(
    things.flatMap((said) => {
      const deletion = 'deletion' in said ? deletions.get(said.deletion ?? '') : undefined
      return deletion ? [[idsHere.get(said.id) ?? '', deletion] as const] : []
    }),
  )
}
