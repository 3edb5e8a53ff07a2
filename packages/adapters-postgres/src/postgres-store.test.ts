import { describeStorage } from '@gateleg/testing'
import { afterEach, describe } from 'vitest'
import { giveBackSchema, onSchema, takeSchema } from '../../../test/fresh-postgres.ts'
import { isOn } from '../../../test/storages.ts'

describe.runIf(isOn('postgres'))('PostgreSQL', () => {
  const schemas: string[] = []
  afterEach(() => {
    for (const schema of schemas.splice(0)) giveBackSchema(schema)
  })

  describeStorage({
    name: 'in a schema',
    open: async () => {
      const schema = await takeSchema()
      schemas.push(schema)
      return { first: onSchema(schema), second: onSchema(schema) }
    },
  })
})
