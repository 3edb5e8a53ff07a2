import type { SqlSession } from '../core/session.ts'
import { accounts } from './001-accounts.ts'
import { spaces } from './002-spaces.ts'
import { tables } from './003-tables.ts'
import { jobs } from './004-jobs.ts'
import { attachments } from './005-attachments.ts'
import { conversions } from './006-conversions.ts'
import { parkedJobs } from './007-parked-jobs.ts'
import { invitations } from './008-invitations.ts'
import { viewSettings } from './009-view-settings.ts'
import { rowOrders } from './010-row-orders.ts'
import { blobs } from './011-blobs.ts'
import { imports } from './012-imports.ts'
import { viewShares } from './013-view-shares.ts'
import { history } from './014-history.ts'
import { trashEntries } from './015-trash-entries.ts'
import { thumbnails } from './016-thumbnails.ts'
import { tableIndexes } from './017-table-indexes.ts'
import { undo } from './018-undo.ts'
import { plansLoginsWorkflows } from './019-plans-logins-workflows.ts'
import { plugins } from './020-plugins.ts'
import { boards } from './021-boards.ts'
import { pluginGrants } from './022-plugin-grants.ts'
import { searchIndex } from './023-search-index.ts'
import { searchChoice } from './024-search-choice.ts'
import { pluginGrantEnds } from './025-plugin-grant-ends.ts'
import { comments } from './026-comments.ts'
import { identities } from './027-identities.ts'
import { accountEnds } from './028-account-ends.ts'
import { signIns } from './029-sign-ins.ts'
import { invitationLinks } from './030-invitation-links.ts'
import { oauth } from './031-oauth.ts'
import { pinsAndVisits } from './032-pins-and-visits.ts'
import { avatars } from './033-avatars.ts'
import { keptValues } from './034-kept-values.ts'
import { verifiedAddresses } from './035-verified-addresses.ts'
import { adoptFirstVersion } from './first-version.ts'
import { type Migration, TableBuilder } from './migration.ts'
import { keepTexts, requireSameTexts, statementsOf, toText } from './migration-texts.ts'
import { NewerStorageError } from './storage-errors.ts'

/** All migrations, oldest first. The number of one is its place here, from 1. */
export const migrations: readonly Migration[] = [
  accounts,
  spaces,
  tables,
  jobs,
  attachments,
  conversions,
  parkedJobs,
  invitations,
  viewSettings,
  rowOrders,
  blobs,
  imports,
  viewShares,
  history,
  trashEntries,
  thumbnails,
  tableIndexes,
  undo,
  plansLoginsWorkflows,
  plugins,
  boards,
  pluginGrants,
  searchIndex,
  searchChoice,
  pluginGrantEnds,
  comments,
  identities,
  accountEnds,
  signIns,
  invitationLinks,
  oauth,
  pinsAndVisits,
  avatars,
  keptValues,
  verifiedAddresses,
]

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
 * Whether exactly these migrations have made the storage, which must have its tables about migrations. Throws
 * NewerStorageError when it has more of them, UnknownStorageError when other migrations have made it.
 */
export async function isUpToDate(
  session: SqlSession,
  known: readonly Migration[],
): Promise<boolean> {
  const version = await findVersion(session)
  if (version > known.length) throw new NewerStorageError(version, known.length)
  if (version > 0) await requireSameTexts(session, known.slice(0, version))
  return version === known.length
}

/**
 * Brings the storage to the newest of the migrations, inside the transaction of the session, so that
 * a failed one leaves the storage as it was. Throws a StorageRefusedError, having changed nothing, when the
 * storage is ahead or of another origin. Returns the names of the migrations that ran.
 */
export async function migrate(
  session: SqlSession,
  known: readonly Migration[] = migrations,
): Promise<readonly string[]> {
  const builder = new TableBuilder(session.dialect)
  for (const table of ownTables(builder)) await session.define(table.ifNotExists())
  const version = await findVersion(session)
  if (version > known.length) throw new NewerStorageError(version, known.length)
  const ran = known.slice(0, version)
  if (version > 0 && !(await hasTexts(session))) await adoptFirstVersion(session, ran)
  await requireSameTexts(session, ran)
  const due = known.slice(version)
  if (due.length > 0) await run(session, due, version)
  return due.map(({ name }) => name)
}

/** Runs the migrations that follow those which have run, and notes them, in one statement for all. */
async function run(session: SqlSession, due: readonly Migration[], version: number): Promise<void> {
  const { connection, db, dialect } = session
  const ran = []
  for (const [index, migration] of due.entries()) {
    const statements = statementsOf(migration, dialect)
    for (const statement of statements) await connection.define(statement)
    const number = version + index + 1
    ran.push({ number, name: migration.name, text: toText(statements, dialect) })
  }
  const named = ran.map(({ number, name }) => ({ number, name }))
  await session.runOnce(db.insertInto('migrations').values(named))
  await keepTexts(
    session,
    ran.map(({ number, text }) => ({ number, text })),
  )
}

/** The tables about migrations, which no migration makes. */
function ownTables({ table }: TableBuilder) {
  return [
    table(
      'migrations',
      [
        ['number', 'integer'],
        ['name', 'text'],
      ],
      ['number'],
    ),
    table(
      'migration_texts',
      [
        ['number', 'integer'],
        ['text', 'text'],
      ],
      ['number'],
    ),
  ]
}

async function hasTexts(session: SqlSession): Promise<boolean> {
  const query = session.db.selectFrom('migration_texts').select('number').limit(1)
  return (await session.allOnce(query)).length > 0
}
