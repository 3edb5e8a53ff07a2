import type { SqlConnection } from '@gateleg/sql/core/connection'
import { quote } from '@gateleg/sql/core/statements/quote'
import pg from 'pg'
import { defaultSchema } from '../own-tables.ts'
import { applicationName, ConnectionPool } from '../pool/connection-pool.ts'
import { findObstacles, type Obstacle } from './find-obstacles.ts'

/** How a database becomes a distributed one. */
interface DistributionPlan {
  /** What must be removed before; the statements would fail or do harm. */
  readonly obstacles: readonly Obstacle[]
  /** To be run by a superuser, in their order, each by itself. */
  readonly statements: readonly string[]
}

interface PlanOptions {
  readonly connectionString: string
  readonly metadataSchema?: string
}

/**
 * Inspects a live database without changing it, and returns what makes it a distributed one; undefined when Gateleg
 * isn't installed in it. Fails with SqlFailure when it can't be reached.
 */
export async function planDistribution({
  connectionString,
  metadataSchema = defaultSchema,
}: PlanOptions): Promise<DistributionPlan | undefined> {
  const pool = new ConnectionPool({ connectionString, size: 1 })
  try {
    const { connection, giveBack } = await pool.lend()
    try {
      await connection.begin('repeatable read read only')
      // Names are told in full, whichever schemas the address or the role sets before.
      await connection.define('set local search_path = public')
      return await planOn(connection, metadataSchema)
    } finally {
      await connection.rollback().then(giveBack, giveBack)
    }
  } finally {
    await pool.close()
  }
}

async function planOn(connection: SqlConnection, metadataSchema: string) {
  const metadata = quote(metadataSchema)
  const textsOf = async (text: string, values: unknown[] = []) =>
    (await connection.rows(text, values)).flat().map((text) => (text === null ? '' : String(text)))
  const [installed] = await textsOf('select to_regclass($1)::text', [`${metadata}.bases`])
  if (!installed) return undefined

  const baseIds = await textsOf(
    `select id from ${metadata}.bases where id in (select nspname from pg_namespace) order by id`,
  )
  const obstacles = await findObstacles(connection, [metadataSchema, ...baseIds])
  const [hasBegun] = await textsOf(`select to_regclass('pg_dist_partition')::text`)
  const tables = await textsOf(
    `select relname from pg_class where relkind = 'r' and relnamespace = $1::regnamespace
      ${hasBegun ? 'and oid not in (select logicalrelid from pg_dist_partition)' : ''} order by relname`,
    [metadata],
  )
  const [database = ''] = await textsOf('select current_database()')
  const emptyBaseIds = await textsOf(
    `select id from unnest($1::text[]) as id
      where not exists (select from pg_class where relkind = 'r' and relnamespace = quote_ident(id)::regnamespace)`,
    [baseIds],
  )
  const bases = { baseIds, emptyBaseIds: new Set(emptyBaseIds) }
  return { obstacles, statements: statementsOf({ database, metadata, tables, ...bases }) }
}

interface Contents {
  readonly database: string
  readonly metadata: string
  readonly tables: readonly string[]
  readonly baseIds: readonly string[]
  /** Those of them without a table. */
  readonly emptyBaseIds: ReadonlySet<string>
}

/** Ends the connections of servers, which make new ones: settings of the database hold for those alone. */
const endConnections = `SELECT count(pg_terminate_backend(pid, 0::bigint)) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = ${pg.escapeLiteral(applicationName)} AND pid <> pg_backend_pid();`

function statementsOf(contents: Contents): readonly string[] {
  const { database, metadata, tables, baseIds, emptyBaseIds } = contents
  const set = (setting: string) => `ALTER DATABASE ${quote(database)} SET ${setting};`
  const local = tables.map((table) => pg.escapeLiteral(`${metadata}.${quote(table)}`))
  return [
    // Settings of a session don't reach the other machines.
    set(`timezone = 'UTC'`),
    ...local.map((table) => `SELECT citus_add_local_table_to_metadata(${table});`),
    ...baseIds.flatMap((id) => distributionOf(id, emptyBaseIds.has(id))),
    // Last: what is made from here on is distributed, or kept local, by itself.
    set('citus.enable_schema_based_sharding = on'),
    set('citus.use_citus_managed_tables = on'),
    endConnections,
  ]
}

/** A schema is made on the other machines with the first of its tables: one that has none is given one meanwhile. */
function distributionOf(baseId: string, isEmpty: boolean): readonly string[] {
  const distribute = `SELECT citus_schema_distribute(${pg.escapeLiteral(quote(baseId))});`
  if (!isEmpty) return [distribute]
  const table = `${quote(baseId)}.distributed`
  return [
    `CREATE TABLE IF NOT EXISTS ${table} (id text CONSTRAINT distributed_pk PRIMARY KEY);`,
    distribute,
    `DROP TABLE ${table};`,
  ]
}
