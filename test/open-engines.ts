import type { Engine } from '@gateleg/engine/engine'
import { type EngineOptions, openEngine } from '@gateleg/engine/open-engine'
import { giveBackSchema, onSchema, takeSchema } from './fresh-postgres.ts'
import { freshSqlite } from './fresh-sqlite.ts'
import type { StorageName } from './storages.ts'

/** Engines on one database that is empty at first. */
export interface OpenEngines {
  readonly engines: readonly Engine[]
  close(): Promise<void>
}

/** Opens what stands for two processes on one database; SQLite has one that writes. */
export const openEngines: Readonly<
  Record<StorageName, (options?: Partial<EngineOptions>) => Promise<OpenEngines>>
> = {
  sqlite: async (options = {}) => {
    const engine = await openEngine({ storage: freshSqlite(), ...options })
    return { engines: [engine, engine], close: () => engine.close() }
  },
  postgres: async (options = {}) => {
    const schema = await takeSchema()
    const engines = [
      await openEngine({ storage: onSchema(schema), ...options }),
      await openEngine({ storage: onSchema(schema), ...options }),
    ]
    return {
      engines,
      close: async () => {
        for (const engine of engines) await engine.close()
        giveBackSchema(schema)
      },
    }
  },
}
