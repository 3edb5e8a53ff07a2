import { type KnownNames, requireKnownOptions } from '@gateleg/domain/input/require-known-options'
import type { Storage } from '@gateleg/domain/store'
import { requireNodeApi } from './require-node-api.ts'

/** Which file a workspace is stored in, and how many connections read it. */
export interface SqliteOptions {
  /** The path of the file, made when it is not there; `:memory:` for a database that lives in the process. */
  readonly file: string
  /** Connections for snapshots; more than the processor's cores rarely help. */
  readonly readers?: number
}

const optionNames: KnownNames<SqliteOptions> = { file: true, readers: true }

/**
 * Stores a workspace in one SQLite file. One engine at a time may use a file: opening one that another process or
 * thread has open throws FileInUseError, one that this thread has open FileUnusableError, and both leave it alone.
 * The lock is on a file beside it, `<file>.lock`, which may stay there: it is locked only while a process lives that
 * opened it. Other programs may read the database meanwhile. Throws a TypeError without a file, and for an unknown
 * option.
 */
export function sqlite(options: SqliteOptions): Storage {
  requireKnownOptions('sqlite', options, optionNames)
  const { file, readers = 4 }: SqliteOptions = options ?? {}
  // A program in plain JavaScript has no compiler that tells it.
  if (typeof file !== 'string' || file === '') {
    throw new TypeError('sqlite needs a file: { file: "workspace.db" }, or { file: ":memory:" }')
  }
  return {
    name: 'sqlite',
    open: async (dependencies) => {
      requireNodeApi()
      // Loaded only where a file is opened: the driver and the SQL are no small part of a start.
      const { openSqlite } = await import('./open-sqlite.ts')
      return openSqlite(file, readers, dependencies)
    },
  }
}
