import { sql } from 'kysely'
import type { QueryBuilder } from '../core/database.ts'

/** Whether the account of who made the row is still there. */
export function hasLivingMaker(db: QueryBuilder, table: 'invitations' | 'invitation_links') {
  return sql<boolean>`not exists ${db
    .selectFrom('users')
    .select('users.id')
    .whereRef('users.id', '=', sql.ref(`${table}.created_by`))
    .where('users.deleted_time', 'is not', null)}`
}
