import type { Storage } from '@gateleg/domain/store'

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`; the database exists and its encoding is UTF8. */
  readonly connectionString: string
  /** The schema of the product's own tables, made when it is not there. Every base gets one of its own. */
  readonly metadataSchema?: string
  /** Connections at most; twice the server's cores are plenty. */
  readonly poolSize?: number
  /** Hears the text of every statement, for tracing and tests. */
  readonly onStatement?: (sql: string) => void
}

/** Gateleg's storage in one PostgreSQL database. Any number of processes may use it at one time. */
export function postgres(options: PostgresOptions): Storage {
  return {
    name: 'postgres',
    open: async (dependencies) => {
      // Loaded only where a database is opened: a program that keeps a file never pays for it.
      const { openPostgres } = await import('./open-postgres.ts')
      return openPostgres(options, dependencies)
    },
  }
}
