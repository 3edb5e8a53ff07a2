import { readdirSync, readFileSync } from 'node:fs'
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

test('[ENGINE-3] fails for what is no hash, and goes on', async () => {
  const hasher = new Argon2PasswordHasher()
  await expect(hasher.verify('no hash', 'correct horse 1')).rejects.toThrow()
  expect(await hasher.verify(await hasher.hash('correct horse 1'), 'correct horse 1')).toBe(true)
})

test.runIf(process.platform === 'linux')(
  '[ENGINE-12] leaves the processor to the thread that answers',
  async () => {
    await new Argon2PasswordHasher().hash('correct horse 1')
    const threads = readdirSync('/proc/self/task').map(Number)
    expect(Math.max(...threads.map(niceOf))).toBe(Math.min(niceOf(process.pid) + 10, 19))
  },
)

/** What Linux notes of a thread of this process: 0 for a common one, more for one that lets others go first. */
function niceOf(thread: number): number {
  const [, afterName = ''] = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')
  return Number(afterName.split(' ')[16])
}
