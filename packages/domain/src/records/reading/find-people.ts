import type { z } from 'zod'
import { shownContact, type Viewer } from '../../accounts/users/shown-contact.ts'
import type { userMapOutput } from '../../accounts/users/shown-user.ts'
import type { Profile } from '../../accounts/users/user-repository.ts'
import type { People } from '../../fields/cell.ts'
import { unknownPerson } from '../../fields/cells/user-cells.ts'
import type { SchemaField } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { cellOf } from '../stored/cell-of.ts'
import type { StoredRecord } from '../stored/stored-record.ts'

/** The users with the ids, by name; makes no query when there are no ids. */
export async function findPeople(tx: ReadTx, userIds: ReadonlySet<string>): Promise<People> {
  const names = userIds.size === 0 ? nobody : await tx.users.namesOf([...userIds])
  return { name: (id) => names.get(id), find: () => undefined }
}

/** The users of the profiles, by id, as the caller may see them. */
export function peopleShownTo(viewer: Viewer, profiles: ReadonlyMap<string, Profile>): People {
  return {
    name: (id) => profiles.get(id)?.name,
    find: () => undefined,
    details: (id) => {
      const { avatar, ...rest } = shownContact(viewer, profiles.get(id))
      return { ...rest, ...(avatar !== undefined && { avatarUrl: avatar }) }
    },
  }
}

/** The people as an answer lists them, and whoever is unknown, too: see `userMapOutput`. */
export function userMapOf(
  viewer: Viewer,
  profiles: ReadonlyMap<string, Profile>,
  userIds: Iterable<string>,
): z.output<typeof userMapOutput> {
  return Object.fromEntries(
    [...userIds].map((id) => {
      const profile = profiles.get(id)
      return [id, { id, name: profile?.name ?? unknownPerson, ...shownContact(viewer, profile) }]
    }),
  )
}

const nobody: ReadonlyMap<string, string> = new Map()

/** Adds the users whom the cells of records in a field name to the ids. */
export function noteUsers(
  schemaField: SchemaField,
  records: Iterable<StoredRecord>,
  ids: Set<string>,
): void {
  const { userIds } = schemaField.rules
  if (!userIds) return
  for (const record of records) {
    const cell = cellOf(schemaField, record)
    if (cell !== null) for (const id of userIds(cell)) ids.add(id)
  }
}
