import { type EmbeddedServer, startEmbeddedServer } from '../../test/embedded-server.ts'

/** A storage to attack a server on. */
export interface TortureStorage {
  readonly name: 'sqlite' | 'postgres'
  /** Settings by which a server finds the storage. */
  readonly environment: (dataDir: string) => Readonly<Record<string, string>>
  /** PostgreSQL itself, to be taken away. */
  readonly postgres?: EmbeddedServer
  stop(): Promise<void>
}

/** A SQLite file in the server's directory. */
export const sqliteStorage: TortureStorage = {
  name: 'sqlite',
  environment: (dataDir) => ({ DATA_DIR: dataDir }),
  stop: async () => undefined,
}

/** A PostgreSQL of the attack's own. */
export async function startPostgres(): Promise<TortureStorage> {
  const postgres = await startEmbeddedServer({ fsync: 'off' })
  return {
    name: 'postgres',
    environment: (dataDir) => ({ DATABASE_URL: postgres.connectionString, DATA_DIR: dataDir }),
    postgres,
    stop: () => postgres.stop(),
  }
}
