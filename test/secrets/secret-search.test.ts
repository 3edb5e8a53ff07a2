import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newSecret } from './scene.ts'
import { formsOf } from './secret-forms.ts'
import { SecretSearch } from './secret-search.ts'

const noise = fc.uint8Array({ maxLength: 70 }).map((bytes) => Buffer.from(bytes))

test('a secret is found in each of its forms, with any bytes around it', () => {
  const secrets = Array.from({ length: 50 }, newSecret)
  const search = new SecretSearch()
  for (const [index, secret] of secrets.entries()) search.add(`secret ${index}`, secret)
  const seek = search.begin()
  fc.assert(
    fc.property(fc.constantFrom(...secrets), noise, noise, (secret, before, behind) => {
      for (const { name, bytes } of formsOf(secret)) {
        const found = seek('here', Buffer.concat([before, bytes, behind]))
        expect(found.map((one) => one.secret)).toContain(secret)
        expect(found.some(({ form }) => form.endsWith(`, ${name}`))).toBe(true)
      }
      expect(seek('here', Buffer.concat([before, behind]))).toEqual([])
      expect(seek('here', secret, new Set([secret]))).toEqual([])
    }),
  )
})

test('a secret is found in the base64 of a longer text, wherever it stands there', () => {
  const search = new SecretSearch()
  const secret = search.add('secret', newSecret())
  const seek = search.begin()
  for (let length = 0; length < 6; length++) {
    const text = Buffer.concat([randomBytes(length), Buffer.from(secret), randomBytes(length)])
    for (const encoding of ['base64', 'base64url'] as const) {
      expect(seek('here', text.toString(encoding))).not.toEqual([])
    }
  }
})

test('a code of six digits is found where it stands alone, and as a digest', () => {
  const search = new SecretSearch()
  search.addCode('code', '482913')
  const seek = search.begin()
  for (const text of ['code is 482913.', '"482913"', 'ff482913'.slice(2)]) {
    expect(seek('here', text)).toHaveLength(1)
  }
  const digest = formsOf('482913').find(({ name }) => name === 'sha256')
  expect(seek('here', digest?.bytes ?? '')).toHaveLength(1)
  for (const text of ['1482913', '2026-01-01T00:00:00.482913', '482913a']) {
    expect(seek('here', text)).toEqual([])
  }
})
