import type { Database } from '../../metadata/database-schema.ts'
import { type PreparedQuery, prepared } from '../database.ts'

/** Tables of tokens by which others act as a user. */
type TokenTable = 'access_tokens' | 'plugin_grants' | 'oauth_grants'

/** The tokens of a user, oldest first. */
export function listTokensOf<Table extends TokenTable>(
  table: Table,
): PreparedQuery<{ userId: string }, Database[Table]> {
  return prepared((db, value) =>
    db
      .selectFrom(table as TokenTable)
      .selectAll()
      .where('user_id', '=', value('userId'))
      .orderBy('created_time')
      .orderBy('id'),
  ) as PreparedQuery<{ userId: string }, Database[Table]>
}

/** Notes when a token was used, unless a use after `before` is noted. */
export function noteTokenUse(
  table: TokenTable,
): PreparedQuery<{ id: string; now: string; before: string }, unknown> {
  return prepared((db, value) =>
    db
      .updateTable(table)
      .set({ last_used_time: value('now') })
      .where('id', '=', value('id'))
      .where((eb) =>
        eb.or([eb('last_used_time', 'is', null), eb('last_used_time', '<=', value('before'))]),
      ),
  )
}
