import type { SqlSession } from '../session.ts'
import { accounts } from './001-accounts.ts'
import { spaces } from './002-spaces.ts'
import { tables } from './003-tables.ts'
import { jobs } from './004-jobs.ts'
import { attachments } from './005-attachments.ts'
import { type Migration, TableBuilder } from './migration.ts'

/** All migrations, oldest first. The number of one is its place here, from 1. */
export const migrations: readonly Migration[] = [accounts, spaces, tables, jobs, attachments]

/** A storage that a newer version of the product has written: this one must not touch it. */
export class NewerStorageError extends Error {
  constructor(found: number, known: number) {
    super(
      `The storage is at version ${found}, this program knows versions up to ${known}: use a newer program`,
    )
    this.name = 'NewerStorageError'
  }
}

/** How many migrations have made the storage; its table of them is there. */
export async function findVersion(session: SqlSession): Promise<number> {
  const [row] = await session.allOnce(
    session.db
      .selectFrom('migrations')
      .select(({ fn }) => fn.max<number | null>('number').as('version')),
  )
  return row?.version ?? 0
}

/**
 * Brings the storage to the newest of the migrations, inside the transaction of the session, so that
 * a failed one leaves the storage as it was. Throws NewerStorageError, having changed nothing, when the
 * storage is ahead. Returns the names of the migrations that ran.
 */
export async function migrate(
  session: SqlSession,
  known: readonly Migration[] = migrations,
): Promise<readonly string[]> {
  const { db } = session
  const builder = new TableBuilder(session.dialect)
  const migrationsTable = builder.table(
    'migrations',
    [
      ['number', 'integer'],
      ['name', 'text'],
    ],
    ['number'],
  )
  await session.define(migrationsTable.ifNotExists())
  const version = await findVersion(session)
  if (version > known.length) throw new NewerStorageError(version, known.length)
  const due = known.slice(version)
  for (const [index, migration] of due.entries()) {
    for (const statement of migration.statements(builder)) await session.define(statement)
    const number = version + index + 1
    await session.runOnce(db.insertInto('migrations').values({ number, name: migration.name }))
  }
  return due.map(({ name }) => name)
}
