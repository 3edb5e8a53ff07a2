import { prepared } from '../core/database.ts'

/** Removes what invites to the place of the id: to a space, or to a base of it, or to a base alone. */
export function removeOfPlace(table: 'invitations' | 'invitation_links') {
  return prepared<{ id: string }, unknown>((db, value) =>
    db
      .deleteFrom(table)
      .where(({ eb, or }) =>
        or([
          eb('resource_id', '=', value('id')),
          eb(
            'resource_id',
            'in',
            db.selectFrom('bases').select('id').where('space_id', '=', value('id')),
          ),
        ]),
      ),
  )
}
