import { expect, test } from 'vitest'
import { findMisspeltVariables } from './find-misspelt-variables.ts'
import { variableNames } from './variables.ts'

const find = (...names: string[]) =>
  findMisspeltVariables(Object.fromEntries(names.map((name) => [name, 'x'])), variableNames)

test('[SERVER-3] names variables that are one letter off, with what may be meant', () => {
  for (const name of ['DATABSE_URL', 'DATABASE_URLS', 'DATABASE_URI', 'Database_url']) {
    expect(find(name)).toEqual([`${name} is not known and does nothing: is DATABASE_URL meant?`])
  }
  expect(find('PORTS', 'HSOT', 'LOG_LEVL')).toEqual([
    'PORTS is not known and does nothing: is PORT meant?',
    'HSOT is not known and does nothing: is HOST meant?',
    'LOG_LEVL is not known and does nothing: is LOG_LEVEL meant?',
  ])
})

test('[SERVER-3] names variables that other programs have for the same thing', () => {
  for (const name of ['TRUST_PROXY', 'TRUST_PROXIES', 'TRUSTED_PROXY', 'trust_proxy']) {
    expect(find(name)).toEqual([`${name} is not known and does nothing: is TRUSTED_PROXIES meant?`])
  }
})

test('[SERVER-3] names variables that begin as ours do, with those that there are', () => {
  expect(find('TURNSTILE_SECRET', 'GATELEG_PORT')).toEqual([
    'TURNSTILE_SECRET is not known and does nothing: there are TURNSTILE_SECRET_KEY, TURNSTILE_VERIFY_URL.',
    'GATELEG_PORT is not known and does nothing: there are GATELEG_KEY, GATELEG_NEW_KEY, GATELEG_URL, GATELEG_TOKEN.',
  ])
})

test('[SERVER-3] lets the variables of others be', () => {
  expect(find('PATH', 'HOME', 'LOG_FORMAT', 'MAX_MEMORY', 'HOSTNAME', 'USER', 'PWD')).toEqual([])
  expect(find(...variableNames)).toEqual([])
  expect(findMisspeltVariables({ DATABSE_URL: '', SMTP_X: undefined }, variableNames)).toEqual([])
})
