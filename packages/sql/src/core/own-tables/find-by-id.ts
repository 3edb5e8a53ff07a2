import type { Lock } from '@gateleg/domain/access/lock'
import type { Database } from '../../metadata/database-schema.ts'
import { type PreparedQuery, prepared } from '../database.ts'

/** Finds the row with the id, with each of the locks. */
export function findById<
  Table extends
    | 'users'
    | 'access_tokens'
    | 'login_providers'
    | 'plugins'
    | 'plugin_installs'
    | 'plugin_panels'
    | 'plugin_grants'
    | 'oauth_clients'
    | 'oauth_grants'
    | 'comments'
    | 'invitation_links',
>(table: Table): Readonly<Record<Lock, PreparedQuery<{ id: string }, Database[Table]>>> {
  const findWith = (lock: Lock) =>
    prepared<{ id: string }, Database[Table]>((db, value, dialect) =>
      db
        .selectFrom(table as 'users')
        .selectAll()
        .where('id', '=', value('id'))
        .modifyEnd(dialect.locks.clause(lock, table))
        .$castTo<Database[Table]>(),
    )
  return { none: findWith('none'), share: findWith('share'), update: findWith('update') }
}
