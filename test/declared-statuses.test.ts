import { DomainError } from '@gateleg/domain/errors'
import { expect, test } from 'vitest'
import { loadDescribed, noteAnswer, noteRefusals, takeUndeclared } from './declared-statuses.ts'

test('[CONTRACT-6] an answer of a server that its operation is not described with is found', async () => {
  const described = await loadDescribed()
  const answer = (method: string, route: string | undefined, status: number) =>
    noteAnswer(described, { method, route, status })
  answer('GET', '/oauth/authorize', 302)
  answer('HEAD', '/space', 200)
  answer('GET', '/space', 499)
  answer('GET', undefined, 404)
  answer('GET', '/health', 503)
  expect(takeUndeclared()).toEqual([])
  answer('HEAD', '/space', 302)
  answer('GET', '/space', 424)
  expect(takeUndeclared()).toEqual(['GET /space was answered 302', 'GET /space was answered 424'])
})

test('[CONTRACT-6] so is a refusal of an operation, whoever calls it', async () => {
  const refuse = (name: string, code: 'validation_error' | 'failed_dependency') =>
    expect(
      noteRefusals(name, () => Promise.reject(new DomainError(code, 'No'))),
    ).rejects.toMatchObject({ code })
  await refuse('accounts.signUp', 'failed_dependency')
  await refuse('spaces.listSpaces', 'validation_error')
  await refuse('made.up', 'failed_dependency')
  await expect(
    noteRefusals('spaces.listSpaces', () => Promise.reject(new Error('broken'))),
  ).rejects.toThrow('broken')
  expect(takeUndeclared()).toEqual([])
  await refuse('spaces.listSpaces', 'failed_dependency')
  expect(takeUndeclared()).toEqual([
    'spaces.listSpaces was refused with 424 (failed_dependency: No)',
  ])
})
