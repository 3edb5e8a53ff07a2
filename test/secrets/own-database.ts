import pg from 'pg'
import { makeDatabase } from '../fresh-database.ts'
import { testConnectionString } from '../fresh-postgres.ts'

/** A database that belongs to a role with a password of its own. */
export interface OwnDatabase {
  readonly connectionString: string
  /** Runs the work while nobody gets a connection, and those who had one have none any more. */
  whileCutOff(work: () => Promise<void>): Promise<void>
  drop(): Promise<void>
}

/** What PostgreSQL says to who may not make a role. */
const notAllowed = '42501'

/** Makes an empty database, and a role that owns it, where who runs the tests may make one. */
export async function makeOwnDatabase(password: string): Promise<OwnDatabase> {
  const { connectionString, drop } = await makeDatabase()
  const url = new URL(connectionString)
  const name = url.pathname.slice(1)
  const role = pg.escapeIdentifier(name)
  const asked = async (place: string, ...statements: readonly string[]) => {
    const client = new pg.Client({ connectionString: place })
    await client.connect()
    try {
      for (const statement of statements) await client.query(statement)
    } finally {
      await client.end()
    }
  }
  const isOwn = await asked(
    connectionString,
    `create role ${role} login password ${pg.escapeLiteral(password)}`,
    `alter database ${role} owner to ${role}`,
  ).then(
    () => true,
    (error) => {
      if (error.code !== notAllowed) throw error
      return false
    },
  )
  if (isOwn) Object.assign(url, { username: name, password: encodeURIComponent(password) })
  const letIn = (whether: boolean) => `alter database ${role} allow_connections ${whether}`
  const sendAway = `select pg_terminate_backend(pid) from pg_stat_activity where datname = ${pg.escapeLiteral(name)}`
  return {
    connectionString: url.href,
    whileCutOff: async (work) => {
      await asked(testConnectionString(), letIn(false), sendAway)
      await work()
      await asked(testConnectionString(), letIn(true))
    },
    drop: async () => {
      await drop()
      if (isOwn) await asked(testConnectionString(), `drop role ${role}`)
    },
  }
}
