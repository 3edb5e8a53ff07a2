import { prepared } from '../core/database.ts'

/** Holds the spaces that the user owns, in one order. */
export const holdOwned = prepared<{ userId: string }, { id: string }>((db, value, dialect) =>
  db
    .selectFrom('spaces')
    .select('id')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('collaborators')
        .select('resource_id')
        .where('user_id', '=', value('userId'))
        .where('role', '=', 'owner'),
    )
    .orderBy('id')
    .modifyEnd(dialect.locks.clause('update', 'spaces')),
)

type Asked = { ids: readonly string[]; userId: string }

/** Those of the spaces, in the trash or not, that have no other owner. */
export const ownedAlone = prepared<
  Asked & { most: number },
  { id: string; name: string; deletion_id: string | null }
>((db, value, dialect) =>
  db
    .selectFrom('spaces')
    .select(['id', 'name', 'deletion_id'])
    .where(dialect.lists.isIn('id', value('ids')))
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('collaborators')
        .select('resource_id')
        .where(dialect.lists.isIn('resource_id', value('ids')))
        .where('user_id', '!=', value('userId'))
        .where('role', '=', 'owner'),
    )
    .orderBy('created_time')
    .orderBy('id')
    .limit(value('most')),
)

/** Those of the spaces in which somebody else has a role. */
export const sharedThemselves = prepared<Asked, { id: string }>((db, value, dialect) =>
  db
    .selectFrom('collaborators')
    .select('resource_id as id')
    .distinct()
    .where(dialect.lists.isIn('resource_id', value('ids')))
    .where('user_id', '!=', value('userId')),
)

/** Those of the spaces in a base of which somebody else has a role, be the base in the trash or not. */
export const sharedByBase = prepared<Asked, { id: string }>((db, value, dialect) =>
  db
    .selectFrom('bases')
    .innerJoin('collaborators', 'collaborators.resource_id', 'bases.id')
    .select('bases.space_id as id')
    .distinct()
    .where(dialect.lists.isIn('bases.space_id', value('ids')))
    .where('collaborators.user_id', '!=', value('userId')),
)
