import { type KnownNames, requireKnownOptions } from '@gateleg/domain/input/require-known-options'
import type { Storage } from '@gateleg/domain/store'

/** Which database a workspace is stored in, and how many connections to it there are. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`; the database exists and its encoding is UTF8. */
  readonly connectionString: string
  /** The schema of the product's own tables, made when it is not there. Every base gets one of its own. */
  readonly metadataSchema?: string
  /** Connections at most, beside one that short reads share; twice the server's cores are plenty. */
  readonly poolSize?: number
  /** Hears the text of every statement, for tracing and tests. */
  readonly onStatement?: (sql: string) => void
}

const optionNames: KnownNames<PostgresOptions> = {
  connectionString: true,
  metadataSchema: true,
  poolSize: true,
  onStatement: true,
}

/**
 * Stores a workspace in one PostgreSQL database, which any number of processes may use at the same time. Throws a
 * TypeError without the address of a database, and for an unknown option.
 */
export function postgres(options: PostgresOptions): Storage {
  requireKnownOptions('postgres', options, optionNames)
  requireAddress(options)
  return {
    name: 'postgres',
    open: async (dependencies) => {
      // Loaded only where a database is opened: a program that keeps a file never pays for it.
      const { openPostgres } = await import('./open-postgres.ts')
      return openPostgres(options, dependencies)
    },
  }
}

/** Without an address the driver would look for a database on this machine, and store in whichever it finds. */
function requireAddress(options: PostgresOptions | undefined): void {
  const address: unknown = options?.connectionString
  if (typeof address === 'string' && address !== '') return
  throw new TypeError(
    'postgres needs the address of a database: { connectionString: "postgres://user:password@host:5432/database" }',
  )
}
