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
  linkRepositoryContract(underTest)
  jobRepositoryContract(underTest)
  recordChangesContract(underTest)
  recordBatchesContract(underTest)
  fieldRepositoryContract(underTest)
  tableRepositoryContract(underTest)
  calculationRepositoryContract(underTest)
  attachmentRepositoryContract(underTest)
})
