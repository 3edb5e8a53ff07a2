import type { StorageDependencies } from '@gateleg/domain/store'
import type { SqlConnection } from '@gateleg/sql/core/connection'
import { OwnTables } from '@gateleg/sql/core/own-tables'
import { quote } from '@gateleg/sql/core/statements/quote'
import { isUpToDate, migrate } from '@gateleg/sql/migrations/migrate'
import { StorageRefusedError } from '@gateleg/sql/migrations/storage-errors'
import type { WrittenMigrations } from '@gateleg/sql/migrations/written-migrations'
import { defaultSchema, postgresOwnTables } from './own-tables.ts'
import { ConnectionPool, type ConnectionPoolOptions } from './pool/connection-pool.ts'
import type { PostgresOptions } from './postgres.ts'
import { postgresMigrations } from './postgres-migrations.ts'
import { PostgresStore, PostgresTransactions } from './postgres-store.ts'
import { nameLocks } from './writing/name-locks.ts'

/** What a schema may be called: unquoted it is the same name, and others can be told apart from it. */
const schemaPattern = /^(?!pg_)[a-z_][a-z0-9_]{0,49}$/

/** Opens a database with the given migrations. A database that can't be migrated stays as it is. */
export async function openPostgres(
  options: PostgresOptions,
  { onCommit }: StorageDependencies,
  migrationsOf: (metadataSchema: string) => WrittenMigrations = postgresMigrations,
) {
  const { connectionString, metadataSchema = defaultSchema, poolSize = 10, onStatement } = options
  if (!schemaPattern.test(metadataSchema)) {
    throw new Error(
      `"${metadataSchema}" can't be the name of a schema: it takes 1 to 50 small letters, digits and underscores, begins with no digit and not with "pg_"`,
    )
  }
  const data = { own: postgresOwnTables(metadataSchema), known: migrationsOf(metadataSchema) }
  const pool = new ConnectionPool({
    ...{ connectionString, size: poolSize, onStatement },
    writesInTransactions: true,
  })
  try {
    if (!(await needsNothing(pool, data))) {
      await bringUpToDate({ connectionString, size: 1, onStatement }, data)
    }
  } catch (error) {
    await pool.close()
    throw error
  }
  return new PostgresStore({ pool, metadataSchema, onCommit })
}

/** Where the product's own tables are, and what makes them. */
interface OwnData {
  readonly own: ReturnType<typeof postgresOwnTables>
  readonly known: WrittenMigrations
}

function needsNothing(pool: ConnectionPool, { own, known }: OwnData): Promise<boolean> {
  const { metadataSchema } = own
  const transactions = new PostgresTransactions(pool, nameLocks(metadataSchema))
  return transactions.read(async (connection) => {
    const table = `${metadataSchema}.migration_texts`
    const [row] = await connection.all('select to_regclass($1) is not null as found', [table])
    return row?.found === true && isUpToDate(new OwnTables(connection, own), known)
  })
}

/** Migrates on a connection that gives nothing up: a migration, and who waits for it, may take long. */
async function bringUpToDate(
  options: ConnectionPoolOptions,
  { own, known }: OwnData,
): Promise<void> {
  const { metadataSchema } = own
  const locks = nameLocks(metadataSchema)
  const timeouts = { statement: 0, answer: 0, lock: 0, idleTransaction: 0 }
  const pool = new ConnectionPool({ ...options, timeouts })
  try {
    await new PostgresTransactions(pool, locks).write(async (connection) => {
      await requireUtf8(connection)
      await requireIcu(connection)
      // Of several processes that start at once, one migrates while the others wait.
      await locks.claim(connection, 'migrations')
      // The product's own tables stay on one node when the database is a distributed one.
      await connection.define('set local citus.enable_schema_based_sharding = off')
      await connection.define(`create schema if not exists ${quote(metadataSchema)}`)
      await migrate(new OwnTables(connection, own), known)
    })
  } finally {
    await pool.close()
  }
}

async function requireUtf8(connection: SqlConnection): Promise<void> {
  const [row] = await connection.all(`select current_setting('server_encoding') as encoding`, [])
  if (row?.encoding !== 'UTF8') {
    throw new StorageRefusedError(
      `The database's encoding is ${row?.encoding}: create one whose encoding is UTF8`,
    )
  }
}

/** Upper and lower case are made alike by its rules, which are the same on every machine. */
async function requireIcu(connection: SqlConnection): Promise<void> {
  const query = `select 1 as found from pg_collation where collname = 'und-x-icu'`
  if ((await connection.all(query, [])).length > 0) return
  throw new StorageRefusedError(
    'The database has no collation "und-x-icu": use a PostgreSQL that was built with ICU, as those of its makers are',
  )
}
