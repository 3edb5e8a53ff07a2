import { assert } from '@gateleg/domain/errors'
import type { OwnTables } from './core/own-tables.ts'

/** A fact that a storage keeps about its key, or its files. */
export type InstanceFact = 'key' | 'key_fingerprint' | 'file_owner'

/**
 * Returns the instance key that the storage keeps, and stores the candidate when there is none. Where the storage was
 * created with a key that it doesn't keep, the candidate is returned and not stored. Runs in a transaction.
 */
export async function keepKey(own: OwnTables, candidate: string): Promise<string> {
  // In this order: another server that begins on the same database may store both in between, the key first.
  const isForeign = (await findFact(own, 'key_fingerprint')) && !(await findFact(own, 'key'))
  return isForeign ? candidate : keepFact(own, 'key', candidate)
}

/** Returns the fact that the storage keeps, and stores the candidate when there is none. Runs in a transaction. */
export async function keepFact(
  own: OwnTables,
  name: InstanceFact,
  candidate: string,
): Promise<string> {
  const known = await findFact(own, name)
  if (known) return known.value
  await own.run(
    ({ table, value }) =>
      `insert into ${table('instance')} (name, value) values (${value(name)}, ${value(candidate)}) on conflict (name) do nothing`,
  )
  const kept = await findFact(own, name)
  assert(kept, 'a fact is kept once it was stored')
  return kept.value
}

async function findFact(own: OwnTables, name: InstanceFact) {
  const [row] = await own.all<{ value: string }>(
    ({ table, value }) => `select value from ${table('instance')} where name = ${value(name)}`,
  )
  return row
}
