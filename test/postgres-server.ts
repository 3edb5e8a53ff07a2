import type { TestProject } from 'vitest/node'
import { startEmbeddedServer } from './embedded-server.ts'
import { dropSchemas } from './postgres-schemas.ts'
import { isOn } from './storages.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The database that tests use; undefined when the suite runs without PostgreSQL. */
    readonly postgres: TestDatabase | undefined
  }
}

export interface TestDatabase {
  readonly connectionString: string
  /** What the names of all metadata schemas of this run begin with. */
  readonly schemaPrefix: string
}

/** What a server for tests does without: its data need not outlive it. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  max_connections: '200',
}

/** Gives the run a database: the one that TEST_DATABASE_URL names, else a server of its own. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  if (!isOn('postgres')) {
    provide('postgres', undefined)
    return async () => {}
  }
  const schemaPrefix = `run${process.pid}_`
  const { TEST_DATABASE_URL: given } = process.env
  if (given) {
    provide('postgres', { connectionString: given, schemaPrefix })
    return () => dropSchemas(given, schemaPrefix)
  }
  const { connectionString, stop } = await startEmbeddedServer(settings)
  provide('postgres', { connectionString, schemaPrefix })
  return stop
}
