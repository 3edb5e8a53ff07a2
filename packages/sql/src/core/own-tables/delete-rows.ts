import { sql } from 'kysely'
import type { Database } from '../../metadata/database-schema.ts'
import { type PreparedQuery, prepared } from '../database.ts'
import { foundBefore } from '../statements/found-before.ts'

/** Removes the rows of the table in which the column has the value `id`. */
export function deleteFrom<Table extends keyof Database>(
  table: Table,
  column: keyof Database[Table] & string,
): PreparedQuery<{ id: string }, unknown> {
  return prepared((db, value) =>
    db.deleteFrom(table as keyof Database).where(sql.ref(column), '=', value('id')),
  )
}

/** Tables whose rows expire, each with its key. */
const expiring = {
  attempts: 'subject',
  invitation_links: 'id',
  invitations: 'token_hash',
  oauth_grants: 'id',
  plugin_grants: 'id',
  sessions: 'id',
  sign_up_codes: 'token_hash',
  upload_slots: 'token',
} as const satisfies { readonly [Table in keyof Database]?: keyof Database[Table] }

/** Removes expired rows of the table, up to a number, those that expired first first. */
export function deleteExpiredFrom(
  table: keyof typeof expiring,
): PreparedQuery<{ before: string; most: number }, unknown> {
  const key = sql.ref<string>(expiring[table])
  return prepared((db, value) =>
    db
      .deleteFrom(table)
      // Asked of the row itself, too: one that was renewed while it was waited for stays.
      .where(foundBefore('expires_time'), '<', value('before'))
      .where(key, 'in', (eb) =>
        eb
          .selectFrom(table)
          .select(key.as('key'))
          .where('expires_time', '<', value('before'))
          .orderBy('expires_time')
          .limit(value('most')),
      ),
  )
}

/** Removes the rows of a user but the newest, so many of which are kept; of those alone that have the values in the columns. */
export function deleteOldestOf<Name extends string = never>(
  table: 'sessions' | 'plugin_grants' | 'oauth_grants',
  namesByColumn: Readonly<Record<string, Name>> = {},
): PreparedQuery<Record<'userId' | Name, string> & { kept: number }, unknown> {
  const columns = Object.entries<Name | 'userId'>({ user_id: 'userId', ...namesByColumn })
  return prepared((db, value) => {
    const isMeant = sql.join(
      columns.map(([column, name]) => sql`${sql.ref(column)} = ${value(name)}`),
      sql` and `,
    )
    return db
      .deleteFrom(table)
      .where(isMeant as never)
      .where('id', 'not in', (eb) =>
        eb
          .selectFrom(table)
          .select('id')
          .where(isMeant as never)
          .orderBy('created_time', 'desc')
          .orderBy('id')
          .limit(value('kept')),
      )
  })
}
