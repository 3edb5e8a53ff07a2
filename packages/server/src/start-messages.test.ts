import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testPassword } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeDatabase } from '../../../test/fresh-database.ts'
import { type ServerProcess, startServer } from '../../../test/server-process.ts'
import { isOn } from '../../../test/storages.ts'

const ada = { email: 'ada@example.com', password: testPassword }

let folder: string
let server: ServerProcess

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
})
afterEach(async () => {
  await server.kill()
  rmSync(folder, { recursive: true })
})

/** Storages of a server, each with what is set for it and what the server calls it. */
const storages = {
  sqlite: async () => ({ variables: {}, place: folder, remove: async () => {} }),
  postgres: async () => {
    const { connectionString, drop } = await makeDatabase()
    const { host, pathname, password } = new URL(connectionString)
    expect(password).not.toBe('')
    const place = `the PostgreSQL database ${pathname.slice(1)} on ${host}`
    return { variables: { DATABASE_URL: connectionString }, place, remove: drop }
  },
}

async function start(variables: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  server = await startServer({ DATA_DIR: folder, ...variables })
  // What it has to say is one piece, but it may come in several.
  await expect.poll(() => server.words()).toContain('Ctrl-C ends the server.')
  return server
}

/** Ends the server as an operator does. */
async function end(): Promise<void> {
  if (server.processId === undefined) throw new Error('the server runs')
  process.kill(server.processId, 'SIGTERM')
  await expect.poll(() => server.isAlive(), { timeout: 20_000 }).toBe(false)
}

describe.each(['sqlite', 'postgres'] as const)('a server that starts on %s', (name) => {
  test.runIf(isOn(name))(
    '[SERVER-29] [SERVER-9] says what there is to do next, and whether nobody can get in',
    async () => {
      const { variables, place, remove } = await storages[name]()
      const closed = { ...variables, SIGNUP_CLOSED: 'true' }
      const nobody = 'Warning: there is no account yet and SIGNUP_CLOSED is true'

      const shut = await start(closed)
      expect(shut.words()).toContain(`listens on ${shut.url} and keeps its data in ${place}.`)
      expect(shut.words()).toContain(nobody)
      expect(shut.words()).not.toContain('curl')
      const refusal = { code: 'restricted_resource' }
      await expect(shut.api().accounts.signUp(ada)).rejects.toMatchObject(refusal)
      await end()

      const open = await start(variables)
      expect(open.words()).toContain(`curl ${open.url}/api/auth/signup`)
      expect(open.words()).not.toContain('Warning')
      const { accessToken } = await open.api().accounts.signUp(ada)
      const { id } = await open.api(accessToken).spaces.createSpace({ name: 'Kept' })
      await end()

      const later = await start(closed)
      expect(later.words()).toContain('Accounts:        1\n')
      expect(later.words()).not.toMatch(/Warning|curl/)
      const spaces = await later.api(accessToken).spaces.listSpaces({})
      expect(spaces.map((space) => space.id)).toContain(id)
      const other = { ...ada, email: 'bob@example.com' }
      await expect(later.api().accounts.signUp(other)).rejects.toMatchObject(refusal)
      for (const one of [shut, open, later]) expect(one.log()).toBe('')
      await end()
      await remove()
    },
  )
})

test('[SERVER-3] warns of settings that are misspelt, and starts', async () => {
  await start({ SIGNUP_CLOSE: 'true', GATELEG_KEYS: 'x' })
  const warnings = server
    .words()
    .split('\n')
    .filter((line) => line.startsWith('Warning: '))
  expect(warnings).toHaveLength(2)
  expect(warnings.join()).toMatch(/SIGNUP_CLOSE\b.*GATELEG_KEYS|GATELEG_KEYS.*SIGNUP_CLOSE\b/)
})

test('[SERVER-29] says where it listens, and by what address callers reach it where that is configured', async () => {
  const { words, url } = await start({ PUBLIC_URL: 'https://example.com/work/' })
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
  expect(words()).toContain(`listens on ${url} and`)
  expect(words()).toContain('Callers reach it by https://example.com/work (PUBLIC_URL).')
  expect(words()).toContain('curl https://example.com/work/api/auth/signup')
  expect(words()).not.toContain(`${url}/`)
})

test('[SERVER-22] warns in the log of a directory with other things that others may get at', async () => {
  const within = join(folder, 'shared')
  mkdirSync(within)
  writeFileSync(join(within, 'other.txt'), '')
  chmodSync(within, 0o755)
  await start({ DATA_DIR: within, LOG_LEVEL: 'warn' })
  await expect.poll(() => server.log()).toContain('chmod 700')
  expect(server.log()).toContain(within)
})
