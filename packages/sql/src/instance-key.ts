import { prepared } from './core/database.ts'
import type { SqlSession } from './core/session.ts'

/** A fact that a storage keeps about its key, or its files. */
export type InstanceFact = 'key' | 'key_fingerprint' | 'file_owner'

const keep = prepared<{ name: InstanceFact; candidate: string }, unknown>((db, value) =>
  db
    .insertInto('instance')
    .values({ name: value('name'), value: value('candidate') })
    .onConflict((conflict) => conflict.column('name').doNothing()),
)

const find = prepared<{ name: InstanceFact }, { value: string }>((db, value) =>
  db.selectFrom('instance').select('value').where('name', '=', value('name')),
)

/**
 * Returns the instance key that the storage keeps, and stores the candidate when there is none. Where the storage was
 * created with a key that it doesn't keep, the candidate is returned and not stored. Runs in a transaction.
 */
export async function keepKey(session: SqlSession, candidate: string): Promise<string> {
  const isForeign =
    !(await session.first(find, { name: 'key' })) &&
    (await session.first(find, { name: 'key_fingerprint' }))
  return isForeign ? candidate : keepFact(session, 'key', candidate)
}

/** Returns the fact that the storage keeps, and stores the candidate when there is none. Runs in a transaction. */
export async function keepFact(
  session: SqlSession,
  name: InstanceFact,
  candidate: string,
): Promise<string> {
  const known = await session.first(find, { name })
  if (known) return known.value
  await session.run(keep, { name, candidate })
  return (await session.one(find, { name })).value
}
