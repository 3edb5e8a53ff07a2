import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import type { EngineOptions } from '@gateleg/engine/open-engine'
import type { Configuration, DatabaseAddress } from '../configuration/configuration.ts'
import { explainingFailures, type FileInUseAdvice } from '../configuration/operator-errors.ts'
import { databaseFile, prepareDataDirectory } from '../data-directory/data-directory.ts'
import { keepInstanceKey, requireBothHalves } from '../data-directory/instance-key-file.ts'

type StorageOptions = Pick<EngineOptions, 'storage' | 'instanceKey'>

/**
 * Opens the configured storage. Throws a ConfigurationError for the operator that says why it can't; `warn` is called
 * with sentences about what they should look at. `fileInUse` says what to do about a file that another program uses,
 * if not to take another directory.
 */
export function openingStorage<T>(
  { database, dataDir, instanceKey }: Configuration,
  warn: (sentence: string) => void,
  open: (options: StorageOptions) => Promise<T>,
  fileInUse?: FileInUseAdvice,
): Promise<T> {
  return explainingFailures(
    async () => {
      if (database) {
        // Loaded only where it is used: it would make every start longer.
        const { postgres } = await import('@gateleg/adapters-postgres/postgres')
        // Without a key of its own, every server takes the one that is kept in the database.
        const key = instanceKey === undefined ? {} : { instanceKey }
        return await open({ storage: postgres(database), ...key })
      }
      for (const sentence of prepareDataDirectory(dataDir)) warn(sentence)
      if (instanceKey === undefined) await requireBothHalves(dataDir)
      const storage = sqlite({ file: databaseFile(dataDir) })
      // Made once the database is there and held: see `keepInstanceKey`.
      return await open({ storage, instanceKey: instanceKey ?? (() => keepInstanceKey(dataDir)) })
    },
    { fileInUse },
  )
}

/** Says where the data are, without a password. */
export function placeOf(configuration: Pick<Configuration, 'database' | 'dataDir'>): string {
  const { database, dataDir } = configuration
  return database ? nameOf(database) : dataDir
}

/** The address of the database without its secret parts. */
export function nameOf({ connectionString }: Pick<DatabaseAddress, 'connectionString'>): string {
  const { host, pathname } = new URL(connectionString)
  return `the PostgreSQL database ${pathname.slice(1)} on ${host || 'this machine'}`
}
