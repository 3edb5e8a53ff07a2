import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from '@gateleg/domain/store'
import { describeStorage } from '@gateleg/testing'
import { afterEach, describe } from 'vitest'
import { isOn } from '../../../test/storages.ts'
import { sqlite } from './sqlite.ts'

describe.runIf(isOn('sqlite'))('SQLite', () => {
  const folders: string[] = []
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  })

  const onFile = () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
    folders.push(folder)
    const file = join(folder, 'workspace.db')
    return { first: sqlite({ file }) }
  }

  describeStorage({ name: 'on a file', open: async () => onFile() })
  describeStorage({
    name: 'in memory',
    hasOneConnection: true,
    open: async () => ({ first: sqlite({ file: ':memory:' }) }),
  })
  describeStorage({
    name: 'on the thread for long writes',
    open: async () => ({ first: withLongWrites(onFile().first) }),
  })
})

/** The storage, each of whose writes is said to be long. */
function withLongWrites(storage: Storage): Storage {
  return {
    ...storage,
    open: async (dependencies) => {
      const open = await storage.open(dependencies)
      const { store } = open
      return {
        store: {
          read: (work, options) => store.read(work, options),
          write: (work, options) => store.write(work, { ...options, isLong: true }),
          giveWay: () => store.giveWay(),
        },
        instanceKey: (candidate) => open.instanceKey(candidate),
        keyFingerprint: (candidate) => open.keyFingerprint(candidate),
        fileOwner: async (candidate) => open.fileOwner?.(candidate) ?? candidate,
        close: () => open.close(),
      }
    },
  }
}
