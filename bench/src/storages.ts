import { basename, dirname, join } from 'node:path'
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
  stop: async () => {},
}

/** One PostgreSQL for both sides, as it comes: commits are synced, and share syncs by themselves. */
class OnPostgres implements StorageUnderTest {
  readonly name = 'postgres'
  #server: Promise<EmbeddedServer> | undefined

  async ours(folder: string) {
    return { DATA_DIR: folder, DATABASE_URL: await this.#newDatabase(folder) }
  }

  async handwritten(folder: string) {
    const args = ['--database', await this.#newDatabase(folder)]
    return { program: program('postgres-server.ts'), args }
  }

  async stop() {
    await (await this.#server)?.stop()
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

export const storages: readonly StorageUnderTest[] = [onSqlite, new OnPostgres()]
