import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import type { Storage, Store } from '@gateleg/domain/store'
import { openEngine } from '@gateleg/engine/open-engine'
import { Argon2PasswordHasher } from '@gateleg/engine/platform/passwords/argon2-password-hasher'
import { MemoryBlobStore } from '@gateleg/testing/doubles/memory-blob-store'
import { serveHttpWith, type TestHttp } from '@gateleg/testing/http/test-http'
import { runSuiteOn, type TestStorage } from '@gateleg/testing/test-engine'
import { afterAll, expect, vi } from 'vitest'
import { loadDescribed, noteAnswer, noteRefusals, takeUndeclared } from './declared-statuses.ts'
import { dismissJanitor, freshPostgres } from './fresh-postgres.ts'
import { freshSqlite } from './fresh-sqlite.ts'
import { beginRandomRunsAt, readRandomRuns } from './random-runs.ts'
import { isOn, type StorageName, storageNames } from './storages.ts'

/** Real argon2, at the least cost there is: the tests are about the rules around it. */
const cheapPasswords = new Argon2PasswordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 })

const storages: Readonly<Record<StorageName, () => Storage>> = {
  sqlite: freshSqlite,
  postgres: freshPostgres,
}

function onStorage(name: StorageName, openFresh = storages[name]): TestStorage {
  return {
    name,
    open: async (ports, wrapStore = (store) => store) => {
      const storage = openFresh()
      const opened = Promise.withResolvers<Store>()
      const engine = await openEngine({
        storage: {
          name,
          open: async (dependencies) => {
            const open = await storage.open(dependencies)
            const store = wrapStore(open.store)
            opened.resolve(store)
            return {
              store,
              instanceKey: (candidate) => open.instanceKey(candidate),
              keyFingerprint: (candidate) => open.keyFingerprint(candidate),
              close: () => open.close(),
            }
          },
        },
        jobs: false,
        trace: noteRefusals,
        ports: { passwords: cheapPasswords, blobs: new MemoryBlobStore(), ...ports },
      })
      return Object.assign(engine, { store: await opened.promise })
    },
  }
}

/** The storage with what it can be besides. */
function withOtherForms(name: StorageName): TestStorage {
  const storage = onStorage(name)
  if (name !== 'sqlite') return storage
  return { ...storage, inMemory: onStorage(name, () => sqlite({ file: ':memory:' })) }
}

beginRandomRunsAt(readRandomRuns(process.env))
runSuiteOn(storageNames.filter(isOn).map(withOtherForms))

async function loadHttp(): Promise<TestHttp> {
  const { operations } = await import('@gateleg/contract/operations')
  const { createHttpApp } = await import('@gateleg/http-express/create-http-app')
  const { listen } = await import('@gateleg/http-express/http-server')
  const described = await loadDescribed()
  return {
    operations: operations.map((operation) => {
      const statuses = described.get(`${operation.method} ${operation.path}`) ?? []
      return { ...operation, describedStatuses: [...statuses] }
    }),
    serve: async (engine, { publicUrl, onLog }) => {
      const log = (fields: object, message: string) => {
        noteAnswer(described, fields)
        onLog?.({ ...fields, message })
      }
      const app = createHttpApp(engine, {
        logger: { info: log, error: log },
        ...(publicUrl !== undefined && { publicUrl }),
      })
      const server = await listen({ app, host: '127.0.0.1', port: 0 })
      return { url: server.url, close: () => server.close(1_000) }
    },
  }
}

serveHttpWith(loadHttp)

// The process goes on with other test files: what a file has replaced ends with it.
afterAll(async () => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  await dismissJanitor()
  expect(takeUndeclared(), 'answers that the description does not tell').toEqual([])
})
