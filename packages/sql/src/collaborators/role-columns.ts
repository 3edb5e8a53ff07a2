import { type Role, strongerRole } from '@gateleg/domain/access/roles'
import { sql } from 'kysely'
import type { QueryBuilder } from '../core/database.ts'

/** A user's roles in a base and in its space, as columns beside the row of the base. */
export interface RoleColumns {
  space_role: string | null
  base_role: string | null
}

/** The user's role in the place that a column names, as a column: an access decision is one query. */
export function roleIn(db: QueryBuilder, place: string, userId: string) {
  return db
    .selectFrom('collaborators')
    .select('role')
    .where('resource_id', '=', sql.ref<string>(place))
    .where('user_id', '=', userId)
}

/** The stronger of the two roles; undefined for a stranger. */
export function toRole({ space_role, base_role }: RoleColumns): Role | undefined {
  return strongerRole((space_role ?? undefined) as Role, (base_role ?? undefined) as Role)
}
