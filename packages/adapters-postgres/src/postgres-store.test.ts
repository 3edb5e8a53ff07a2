import { recordRepositoryContract } from '@gateleg/testing/contracts/record-repository-contract'
import { type StorageUnderTest, storeContract } from '@gateleg/testing/contracts/store-contract'
import { afterEach, describe } from 'vitest'
import { giveBackSchema, onSchema, takeSchema } from '../../../test/fresh-postgres.ts'
import { isOn } from '../../../test/storages.ts'

describe.runIf(isOn('postgres'))('PostgreSQL', () => {
  const schemas: string[] = []
  afterEach(() => {
    for (const schema of schemas.splice(0)) giveBackSchema(schema)
  })

  const underTest: StorageUnderTest = {
    open: async () => {
      const schema = await takeSchema()
      schemas.push(schema)
      return { first: onSchema(schema), second: onSchema(schema) }
    },
  }

  storeContract(underTest)
  recordRepositoryContract(underTest)
})
