import { expect, test } from 'vitest'
import { greeting } from './greeting.ts'

const start = {
  url: 'http://127.0.0.1:1',
  publicUrl: undefined,
  place: './data',
  accounts: 0,
  isClosed: false,
}

test('[SERVER-29] says how to begin where there is no account, else how many there are', () => {
  expect(greeting(start)).toContain('curl http://127.0.0.1:1/api/auth/signup')
  const later = greeting({ ...start, accounts: 3 })
  expect(later).toContain('Accounts:        3\n')
  expect(later).not.toContain('signup')
})

test('[SERVER-29] warns that nobody can get in where sign-up is closed and there is no account', () => {
  const closed = greeting({ ...start, isClosed: true })
  expect(closed).toContain('Warning: there is no account yet and SIGNUP_CLOSED is true')
  expect(closed).not.toContain('curl')
  expect(greeting({ ...start, isClosed: true, accounts: 1 })).not.toContain('Warning')
})
