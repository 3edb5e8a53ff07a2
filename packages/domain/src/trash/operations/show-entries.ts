import { z } from 'zod'
import { hasScope } from '../../access/actor.ts'
import type { Action } from '../../access/roles.ts'
import { shownContact } from '../../accounts/users/shown-contact.ts'
import { userMapOutput } from '../../accounts/users/shown-user.ts'
import { limits } from '../../limits.ts'
import type { ReadTx } from '../../store.ts'
import type { Table } from '../../tables/table.ts'
import type { CallContext } from '../../use-case.ts'
import { type TrashEntry, type TrashedType, trashedTypes } from '../trash-entry.ts'
import { namesOfDeleted } from './names-of-deleted.ts'
import { nextTrashCursor } from './trash-cursor.ts'
import { isInTable } from './trash-guard.ts'

const trashItem = z
  .object({
    id: z.string().describe('Names the entry where it is restored or purged'),
    resourceType: z.enum(trashedTypes).describe('What was deleted'),
    resourceId: z
      .string()
      .optional()
      .describe('What was deleted, where that is a space, a base or what has a node'),
    resourceIds: z
      .array(z.string())
      .optional()
      .describe('What one call deleted of a table: views, fields or records'),
    deletedTime: z.string().describe('When it was deleted, in ISO 8601'),
    deletedBy: z.string().describe('The id of who deleted it'),
  })
  .meta({ id: 'TrashItem' })

const trashedThing = z
  .object({
    id: z.string().describe('The id of what was deleted'),
    name: z.string().describe('What it was called; of a record what links show of it'),
    spaceId: z.string().optional().describe('The space of a base'),
    type: z.string().optional().describe('The type of a field, or the kind of a view'),
    isLookup: z.boolean().optional().describe('Of a field'),
  })
  .meta({ id: 'TrashedThing' })

/** The members of a list of entries. */
export const trashListShape = {
  trashItems: z.array(trashItem).describe('Newest first'),
  userMap: userMapOutput.describe('Who deleted them, by id'),
  resourceMap: z
    .record(z.string(), trashedThing)
    .describe(
      `What they were called, by id; of the records of one entry the first ${limits.trashedRecordsNamed}`,
    ),
  nextCursor: nextTrashCursor,
}

type Shown = Omit<z.output<z.ZodObject<typeof trashListShape>>, 'nextCursor'>

/** What a list shows of entries, which belong to the table where one is given. */
export async function showEntries(
  context: Pick<CallContext, 'actor' | 'publicUrl' | 'fileUrls'> & { readonly tx: ReadTx },
  entries: readonly TrashEntry[],
  table?: Table,
): Promise<Shown> {
  const { tx, actor } = context
  const profiles = await tx.users.profilesOf([...new Set(entries.map((one) => one.deletedBy))])
  const userMap: Shown['userMap'] = {}
  for (const [id, profile] of profiles) {
    userMap[id] = { id, name: profile.name, ...shownContact(context, profile) }
  }
  const resourceMap: Shown['resourceMap'] = {}
  /** In the order of the entries, whichever the storage finds first. */
  const show = (
    ids: readonly string[],
    things: ReadonlyMap<string, Shown['resourceMap'][string]>,
  ) => {
    for (const id of ids) {
      const thing = things.get(id)
      if (thing) resourceMap[id] = thing
    }
  }
  for (const type of new Set(entries.map(({ resourceType }) => resourceType))) {
    if (!hasScope(actor, readingActions[type])) continue
    const ofType = entries.filter(({ resourceType }) => resourceType === type)
    if (type !== 'record') {
      const ids = ofType.flatMap(({ resourceIds }) => resourceIds)
      show(ids, await tx.trash.describe(type, ids))
    } else if (table) {
      for (const { resourceIds } of ofType) {
        const ids = resourceIds.slice(0, limits.trashedRecordsNamed)
        const named = await namesOfDeleted(tx, table, ids)
        show(ids, new Map(named.map((thing) => [thing.id, thing])))
      }
    }
  }
  return { trashItems: entries.map(toItem), userMap, resourceMap }
}

/** What a token must allow for what was deleted to be named to it: to read such as is there. */
const readingActions: Readonly<Record<TrashedType, Action>> = {
  space: 'space|read',
  base: 'base|read',
  table: 'table|read',
  dashboard: 'base|read',
  workflow: 'automation|read',
  view: 'view|read',
  field: 'field|read',
  record: 'record|read',
}

function toItem({ id, resourceType, resourceIds, deletedTime, deletedBy }: TrashEntry) {
  const [resourceId = ''] = resourceIds
  const named = namesMany(resourceType) ? { resourceIds: [...resourceIds] } : { resourceId }
  return { id, resourceType, ...named, deletedTime, deletedBy }
}

function namesMany(type: TrashedType): boolean {
  return isInTable(type)
}
