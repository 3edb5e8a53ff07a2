import { setTimeout as pause } from 'node:timers/promises'
import { rowSize } from '@gateleg/sql/core/connection'
import type { SqlDialect } from '@gateleg/sql/core/dialect/sql-dialect'
import { SqlSession } from '@gateleg/sql/core/session'
import { quote } from '@gateleg/sql/core/statements/quote'
import { isUpToDate } from '@gateleg/sql/migrations/migrate'
import { StorageRefusedError } from '@gateleg/sql/migrations/storage-errors'
import type { MovingSide, NumberedTable } from '@gateleg/sql/moving/moving-side'
import type { PostgresConnection } from '../connection/postgres-connection.ts'
import { numbersOf } from '../dialect/create-table.ts'
import { postgresDialect } from '../dialect.ts'
import { openPostgres } from '../open-postgres.ts'
import { defaultSchema } from '../own-tables.ts'
import { applicationName, ConnectionPool } from '../pool/connection-pool.ts'
import { postgresMigrations } from '../postgres-migrations.ts'

/** Where a workspace lies in a database, or is to. */
export interface MovingDatabase {
  readonly connectionString: string
  readonly metadataSchema?: string
}

/** Rows that are fetched at once at most, and characters of them, roughly, that they are to have. */
const rowsAtOnce = 5_000
const lengthAtOnce = 4_194_304

/** Milliseconds that the database has to notice that a server has ended, and after which it is asked again. */
const patienceMs = 2_000
const lookEveryMs = 100

/** Nothing is given up: a step takes as long as its table is large. */
export const patientTimeouts = { statement: 0, answer: 0, lock: 10_000, idleTransaction: 0 }

/**
 * Runs the work on the source or target database of a move, which nobody else changes meanwhile. An empty target is
 * prepared first. Throws StorageRefusedError where servers use the database, and for one of another version.
 */
export async function movingDatabase<T>(
  { connectionString, metadataSchema = defaultSchema }: MovingDatabase,
  direction: 'from' | 'to',
  work: (side: MovingSide) => Promise<T>,
): Promise<T> {
  const dialect = postgresDialect(metadataSchema)
  const pool = new ConnectionPool({ connectionString, size: 2, timeouts: patientTimeouts })
  try {
    await requireNoServer(pool)
    if (direction === 'to') {
      const options = { connectionString, metadataSchema, poolSize: 1 }
      await (await openPostgres(options, { onCommit: () => {} })).close()
    }
    return await inTransaction(pool, async (holder) => {
      await holdAll(holder, dialect, direction)
      return work(new PostgresMovingSide(pool, dialect))
    })
  } finally {
    await pool.close()
  }
}

/** Throws a StorageRefusedError where servers use the database, who have a moment to end. */
export async function requireNoServer(pool: ConnectionPool): Promise<void> {
  for (let waitedMs = 0; waitedMs <= patienceMs; waitedMs += lookEveryMs) {
    if (!(await inTransaction(pool, hasServers))) return
    await pause(lookEveryMs)
  }
  throw usedByServers()
}

/** Whether anybody else has the database open, as it was when the transaction first asked. */
export async function hasServers(connection: PostgresConnection): Promise<boolean> {
  const query = `select count(*) as n from pg_stat_activity
    where datname = current_database() and application_name = $1 and pid <> pg_backend_pid()`
  const [row] = await connection.all(query, [applicationName])
  return Number(row?.n) > 0
}

/** What is said where servers use the database. */
export function usedByServers(): StorageRefusedError {
  return new StorageRefusedError('Servers are using the database: end them first')
}

/**
 * Holds what every change begins with until the end: a server that is started meanwhile must wait. What is moved to is held
 * by a name, because its steps change those tables.
 */
async function holdAll(
  holder: PostgresConnection,
  dialect: SqlDialect,
  direction: 'from' | 'to',
): Promise<void> {
  await dialect.locks.claim(holder, 'moving')
  if (direction === 'to') return
  await requireWorkspace(holder, dialect)
  const schema = quote(dialect.metadataSchema ?? '')
  const names = (await tablesOf(holder, dialect)).flatMap(({ baseId, name }) =>
    baseId === undefined ? `${schema}.${quote(name)}` : [],
  )
  await holder.define(`lock table ${names.join(', ')} in exclusive mode`)
}

/** Throws a StorageRefusedError for a database that holds no workspace of this version. */
export async function requireWorkspace(
  connection: PostgresConnection,
  dialect: SqlDialect,
): Promise<void> {
  const { own } = new SqlSession(connection, dialect)
  const known = postgresMigrations(dialect.metadataSchema ?? '')
  if ((await isWorkspace(connection, dialect)) && (await isUpToDate(own, known))) return
  throw new StorageRefusedError(
    'The database holds no workspace of this version: start this version of the server on it once',
  )
}

async function isWorkspace(connection: PostgresConnection, dialect: SqlDialect): Promise<boolean> {
  const table = `${dialect.metadataSchema}.migration_texts`
  const [row] = await connection.all('select to_regclass($1) is not null as found', [table])
  return row?.found === true
}

async function tablesOf(connection: SqlSession['connection'], dialect: SqlDialect) {
  const rows = await connection.all(
    `select table_schema as base, table_name as name from information_schema.tables
      where table_type = 'BASE TABLE' and (table_schema = $1 or table_schema ~ '^bse[0-9a-zA-Z]{16}$')`,
    [dialect.metadataSchema],
  )
  return rows.map(({ base, name }) => ({
    baseId: base === dialect.metadataSchema ? undefined : (base as string),
    name: name as string,
  }))
}

class PostgresMovingSide implements MovingSide {
  readonly dialect: SqlDialect
  readonly #pool: ConnectionPool

  constructor(pool: ConnectionPool, dialect: SqlDialect) {
    this.#pool = pool
    this.dialect = dialect
  }

  step<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    return inTransaction(this.#pool, (connection) => work(new SqlSession(connection, this.dialect)))
  }

  listTables({ connection }: SqlSession) {
    return tablesOf(connection, this.dialect)
  }

  async columnsOf({ connection }: SqlSession, name: string) {
    const rows = await connection.all(
      `select column_name as name, data_type as type from information_schema.columns
        where table_schema = $1 and table_name = $2 order by ordinal_position`,
      [this.dialect.metadataSchema, name],
    )
    return rows as unknown as { name: string; type: string }[]
  }

  async *rowsOf({ connection }: SqlSession, statement: string) {
    await connection.define(`declare moving no scroll cursor for ${statement}`)
    for (let most = 100; ; ) {
      const rows = await connection.rows(`fetch ${most} from moving`, [])
      if (rows.length === 0) break
      yield rows
      let size = 0
      for (const row of rows) size += rowSize(row)
      const fitting = Math.floor((lengthAtOnce * rows.length) / size)
      // Longer ones may follow: not many more at once than before.
      most = Math.max(1, Math.min(fitting, 2 * most, rowsAtOnce))
    }
    await connection.define('close moving')
  }

  async lastNumber({ connection }: SqlSession, { id, baseId }: NumberedTable) {
    const sequence = `${quote(baseId)}.${quote(numbersOf(id))}`
    const [row] = await connection.all(`select last_value, is_called from ${sequence}`, [])
    return row?.is_called ? Number(row.last_value) : 0
  }

  async setLastNumber({ connection }: SqlSession, { id, baseId }: NumberedTable, last: number) {
    const sequence = `${quote(baseId)}.${quote(numbersOf(id))}`
    await connection.all('select setval($1::regclass, $2)', [sequence, last])
  }
}

/** Runs the work in a transaction on a connection of the pool. */
export async function inTransaction<T>(
  pool: ConnectionPool,
  work: (connection: PostgresConnection) => Promise<T>,
): Promise<T> {
  const { connection, giveBack } = await pool.lend()
  try {
    await connection.begin('read committed')
    const result = await work(connection)
    await connection.commit()
    return result
  } catch (error) {
    await connection.rollback().catch(() => {})
    throw error
  } finally {
    giveBack()
  }
}
