import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NodeSecrets } from './node-secrets.ts'

const secrets = new NodeSecrets('an instance key')
const others = new NodeSecrets('another instance key')

test('[ENGINE-2] always unseals what it sealed, and never what another key sealed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const sealed = secrets.seal(text)
      expect(secrets.unseal(sealed)).toBe(text.toWellFormed())
      expect(others.unseal(sealed)).toBeUndefined()
      expect(secrets.seal(text)).not.toBe(sealed)
    }),
  )
})

test('[ENGINE-2] unseals nothing that was changed, cut or made up', () => {
  const sealed = Buffer.from(secrets.seal('text'), 'base64url')
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(secrets.unseal(changed.toString('base64url'))).toBeUndefined()
  }
  for (const text of ['', 'x', sealed.subarray(1).toString('base64url')]) {
    expect(secrets.unseal(text)).toBeUndefined()
  }
})

test('[ENGINE-2] signs and compares', () => {
  expect(secrets.sign('a')).toBe(secrets.sign('a'))
  expect(secrets.sign('a')).not.toBe(others.sign('a'))
  expect(secrets.equal('a', 'a')).toBe(true)
  expect(secrets.equal('a', 'b')).toBe(false)
  expect(secrets.equal('a', 'ab')).toBe(false)
  expect(secrets.token()).not.toBe(secrets.token())
  expect(secrets.code(6)).toMatch(/^\d{6}$/)
})
