import { expect, test } from 'vitest'
import { requireRole } from './guard.ts'

test('[ACCESS-14] a refusal names the weakest role that is enough', () => {
  expect(() => requireRole('editor', 'creator')).toThrow(
    'The role "editor" may not do this: it takes "creator" or a more powerful one',
  )
  expect(() => requireRole('creator', 'owner')).toThrow(/: it takes "owner"$/)
  expect(() => requireRole('owner', 'creator')).not.toThrow()
  expect(() => requireRole('owner', 'owner')).not.toThrow()
})
