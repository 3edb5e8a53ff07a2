import type { Secrets } from '@gateleg/domain/secrets'
import { sql } from 'kysely'
import { ownTable } from '../core/own-tables/own-table.ts'
import type { SqlSession } from '../core/session.ts'
import type { InstanceFact } from '../instance-key.ts'
import { type SealedTable, sealedTables } from './sealed-columns.ts'

/** An instance key as a storage is to know it. */
export interface SealingKey {
  /** The key itself, for a storage that keeps it. */
  readonly key: string
  readonly fingerprint: string
  readonly secrets: Pick<Secrets, 'seal' | 'unseal'>
}

/** What became of the sealed texts. */
export interface SealedAnew {
  readonly texts: number
  /** Texts that the key before does not open: they stay as they are. */
  readonly unopened: number
}

/** What a storage knows of its key. */
export interface KeyFacts {
  readonly key: string | undefined
  readonly fingerprint: string | undefined
}

/** Rows that are held at a time: one of them may be as long as an answer that is kept. */
const rowsAtOnce = 20

/** Reads what the storage knows of its key. */
export async function readKeyFacts(session: SqlSession): Promise<KeyFacts> {
  const rows = await session.allOnce<{ name: string; value: string }>(
    session.db.selectFrom('instance').select(['name', 'value']),
  )
  const fact = (known: InstanceFact) => rows.find(({ name }) => name === known)?.value
  return { key: fact('key'), fingerprint: fact('key_fingerprint') }
}

/**
 * Seals everything that is sealed under one key under another one, and makes that the key of the storage. To be run in one
 * transaction, which nobody else uses the storage beside.
 */
export async function sealAnew(
  session: SqlSession,
  before: Pick<SealingKey, 'secrets'>,
  after: SealingKey,
): Promise<SealedAnew> {
  let texts = 0
  let unopened = 0
  const reseal = (sealed: string): string => {
    const text = before.secrets.unseal(sealed)
    if (text === undefined) {
      unopened++
      return sealed
    }
    texts++
    return after.secrets.seal(text)
  }
  for (const table of sealedTables) await resealRows(session, table, reseal)
  await changeFact(session, 'key', after.key)
  await changeFact(session, 'key_fingerprint', after.fingerprint)
  return { texts, unopened }
}

/** Changes a fact that the storage keeps; one that it doesn't keep is not added. */
async function changeFact(session: SqlSession, name: InstanceFact, value: string): Promise<void> {
  await session.runOnce(session.db.updateTable('instance').set({ value }).where('name', '=', name))
}

async function resealRows(
  session: SqlSession,
  { name, key, columns }: SealedTable,
  reseal: (sealed: string) => string,
): Promise<void> {
  const table = ownTable(session.dialect, name)
  const read = sql.join([key, ...columns].map((column) => sql.id(column)))
  for (let last = ''; ; ) {
    const rows = await session.allOnce<Readonly<Record<string, string>>>(
      sql`select ${read} from ${table} where ${sql.id(key)} > ${last} order by ${sql.id(key)} limit ${rowsAtOnce}`,
    )
    const keys = rows.map((row) => row[key] as string)
    if (keys.length === 0) return
    const changes = columns.map((column) => {
      const cases = rows.map((row) => sql`when ${row[key]} then ${reseal(row[column] as string)}`)
      return sql`${sql.id(column)} = case ${sql.id(key)} ${sql.join(cases, sql` `)} end`
    })
    await session.runOnce(
      sql`update ${table} set ${sql.join(changes)} where ${sql.id(key)} in (${sql.join(keys)})`,
    )
    last = keys.at(-1) as string
  }
}
