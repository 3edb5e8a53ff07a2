import { expect, test } from 'vitest'
import { Argon2PasswordHasher, passwordsAtOnce } from './argon2-password-hasher.ts'

test('[ENGINE-3] verifies a password against its own hash alone', async () => {
  const hasher = new Argon2PasswordHasher()
  const hash = await hasher.hash('correct horse 1')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await hasher.hash('correct horse 1')).not.toBe(hash)
  expect(await hasher.verify(hash, 'correct horse 1')).toBe(true)
  expect(await hasher.verify(hash, 'correct horse 2')).toBe(false)
  expect(await hasher.verify(undefined, 'correct horse 1')).toBe(false)
  expect(await hasher.verify(undefined, 'a decoy')).toBe(false)
})

test('[ENGINE-12] leaves one processor for all else', () => {
  expect([1, 2, 3, 64].map(passwordsAtOnce)).toEqual([1, 1, 2, 2])
})
