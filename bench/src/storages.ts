import { basename, dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { type EmbeddedServer, startEmbeddedServer } from '../../test/embedded-server.ts'

/** How a server is started on a storage. */
export interface HandwrittenProgram {
  readonly program: string
  readonly args: readonly string[]
}

/** A storage that the benchmarks run on, and how each side is started on it. */
export interface StorageUnderTest {
  readonly name: string
  /** The environment of our server that keeps its data in the folder, or in a database of its own. */
  ours(folder: string): Promise<Readonly<Record<string, string>>>
  /** The handwritten server with data of its own. `isGrouping`: requests share commits. */
  handwritten(folder: string, isGrouping: boolean): Promise<HandwrittenProgram>
  /** A handwritten server that reads the data of ours in the folder. */
  besideOurs(folder: string): Promise<HandwrittenProgram>
  /** Runs a statement on the data of ours in the folder, from outside of our server; answers its rows. */
  askOurs(folder: string, sql: string): Promise<readonly unknown[]>
  /** How SQL names a table of ours that our server keeps for itself. */
  ownTableName(name: string): string
  /** How SQL names a table of ours that answers call `base.table`. */
  tableName(dbTableName: string): string
  /** Ends what was started for the storage itself. */
  stop(): Promise<void>
}

const program = (name: string) => join(import.meta.dirname, 'handwritten', name)

const onSqlite: StorageUnderTest = {
  name: 'sqlite',
  ours: async (folder) => ({ DATA_DIR: folder }),
  handwritten: async (folder, isGrouping) => ({
    program: program('server.ts'),
    args: ['--file', join(folder, 'handwritten.db'), ...(isGrouping ? ['--group'] : [])],
  }),
  besideOurs: async (folder) => ({
    program: program('server.ts'),
    args: ['--file', join(folder, 'gateleg.db'), '--readonly'],
  }),
  askOurs: async (folder, sql) => {
    const database = new Database(join(folder, 'gateleg.db'))
    try {
      return database.prepare(sql).all()
    } finally {
      database.close()
    }
  },
  ownTableName: (name) => name,
  tableName: (dbTableName) => `"${dbTableName}"`,
  stop: async () => {},
}

/** One PostgreSQL for both sides, as it comes: commits are synced, and share syncs by themselves. */
class OnPostgres implements StorageUnderTest {
  readonly name = 'postgres'
  #server: Promise<EmbeddedServer> | undefined

  readonly #databasesOfOurs = new Map<string, string>()

  async ours(folder: string) {
    const database = await this.#newDatabase(folder)
    this.#databasesOfOurs.set(folder, database)
    return { DATA_DIR: folder, DATABASE_URL: database }
  }

  async handwritten(folder: string) {
    const args = ['--database', await this.#newDatabase(folder)]
    return { program: program('postgres-server.ts'), args }
  }

  async besideOurs(folder: string) {
    const args = ['--database', this.#databasesOfOurs.get(folder) ?? '']
    return { program: program('postgres-server.ts'), args }
  }

  async askOurs(folder: string, sql: string) {
    const client = new pg.Client({ connectionString: this.#databasesOfOurs.get(folder) })
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }

  ownTableName(name: string) {
    return `gateleg.${name}`
  }

  tableName(dbTableName: string) {
    return `"${dbTableName.replace('.', '"."')}"`
  }

  async stop() {
    const server = this.#server
    this.#server = undefined
    await (await server)?.stop()
  }

  async #newDatabase(folder: string): Promise<string> {
    this.#server ??= startEmbeddedServer({})
    const { connectionString } = await this.#server
    const name = `${basename(dirname(folder))}_${basename(folder)}`
    const client = new pg.Client({ connectionString })
    await client.connect()
    await client.query(`create database ${pg.escapeIdentifier(name)}`)
    await client.end()
    return connectionString.replace(/postgres$/, encodeURIComponent(name))
  }
}

export const onPostgres: StorageUnderTest = new OnPostgres()

export const storages: readonly StorageUnderTest[] = [onSqlite, onPostgres]
