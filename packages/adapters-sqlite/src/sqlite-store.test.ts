import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from '@gateleg/domain/store'
import { attachmentRepositoryContract } from '@gateleg/testing/contracts/attachment-repository-contract'
import { calculationRepositoryContract } from '@gateleg/testing/contracts/calculation-repository-contract'
import { fieldRepositoryContract } from '@gateleg/testing/contracts/field-repository-contract'
import { jobRepositoryContract } from '@gateleg/testing/contracts/job-repository-contract'
import { linkRepositoryContract } from '@gateleg/testing/contracts/link-repository-contract'
import { recordBatchesContract } from '@gateleg/testing/contracts/record-batches-contract'
import { recordChangesContract } from '@gateleg/testing/contracts/record-changes-contract'
import { recordRepositoryContract } from '@gateleg/testing/contracts/record-repository-contract'
import { type StorageUnderTest, storeContract } from '@gateleg/testing/contracts/store-contract'
import { tableRepositoryContract } from '@gateleg/testing/contracts/table-repository-contract'
import { afterEach, describe } from 'vitest'
import { isOn } from '../../../test/storages.ts'
import { sqlite } from './sqlite.ts'

describe.runIf(isOn('sqlite'))('SQLite', () => {
  const folders: string[] = []
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  })

  const underTest: StorageUnderTest = {
    open: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
      folders.push(folder)
      const file = join(folder, 'workspace.db')
      return { first: sqlite({ file }), second: sqlite({ file, readers: 1 }) }
    },
  }

  storeContract(underTest)
  recordRepositoryContract(underTest)
  linkRepositoryContract(underTest)
  jobRepositoryContract(underTest)
  recordChangesContract(underTest)
  recordBatchesContract(underTest)
  fieldRepositoryContract(underTest)
  tableRepositoryContract(underTest)
  calculationRepositoryContract(underTest)
  attachmentRepositoryContract(underTest)

  describe('on the thread for long writes', () => {
    const inLongWrites: StorageUnderTest = {
      open: async () => {
        const { first, second } = await underTest.open()
        return { first: withLongWrites(first), second }
      },
    }
    storeContract(inLongWrites)
    recordChangesContract(inLongWrites)
    fieldRepositoryContract(inLongWrites)
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
        close: () => open.close(),
      }
    },
  }
}
