import { prepared } from './database.ts'
import type { SqlSession } from './session.ts'

const keep = prepared<{ candidate: string }, unknown>((db, value) =>
  db
    .insertInto('instance')
    .values({ name: 'key', value: value('candidate') })
    .onConflict((conflict) => conflict.column('name').doNothing()),
)

const find = prepared<object, { value: string }>((db) =>
  db.selectFrom('instance').select('value').where('name', '=', 'key'),
)

/** The instance key kept in the storage; keeps the candidate when there is none. Runs in a transaction. */
export async function keepInstanceKey(session: SqlSession, candidate: string): Promise<string> {
  await session.run(keep, { candidate })
  return (await session.one(find, {})).value
}
