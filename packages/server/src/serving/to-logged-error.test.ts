import { DomainError } from '@gateleg/domain/errors'
import { SqlFailure } from '@gateleg/sql/core/connection'
import { toDomainError } from '@gateleg/sql/core/to-domain-error'
import { expect, test } from 'vitest'
import { toLoggedError } from './to-logged-error.ts'

test('[SERVER-31] an error of the storage stands in the log with its cause and one stack', () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:1')
  const words = `No connection to PostgreSQL: ${refused.message}`
  const failure = new SqlFailure('unreachable', words, refused)
  const { stack } = refused
  expect(toLoggedError(failure)).toEqual({ type: 'SqlFailure', message: words, stack })
  expect(toLoggedError(toDomainError(failure))).toEqual({
    type: 'DomainError',
    message: `There is no connection to the storage: try again: ${words}`,
    stack,
  })
})

test('[SERVER-31] other errors stand in the log as they are, and none goes round for ever', () => {
  const inner = new Error('inner')
  const outer = new Error('outer', { cause: inner })
  expect(toLoggedError(outer)).toMatchObject({ type: 'Error', message: 'outer: inner' })
  const round = new DomainError('service_busy', 'busy')
  round.cause = round
  expect(toLoggedError(round)).toMatchObject({ message: 'busy' })
})
