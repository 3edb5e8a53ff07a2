import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Engine } from '@gateleg/engine/engine'
import { openEngine } from '@gateleg/engine/open-engine'
import { NodeSecrets } from '@gateleg/engine/platform/node-secrets'
import Database from 'better-sqlite3'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type FreshDatabase, makeDatabase } from '../../../../test/fresh-database.ts'
import { runProgram, startProgram } from '../../../../test/server-process.ts'
import { isOn } from '../../../../test/storages.ts'
import {
  type Configuration,
  readConfiguration,
  readRotation,
} from '../configuration/configuration.ts'
import { openingStorage } from '../opening/opening-storage.ts'
import { backUp } from './backup.ts'
import { restore } from './restore.ts'
import { rotateKey } from './rotate-key.ts'

const given = 'a key that the operator keeps elsewhere, 1'
const next = 'a key that the operator keeps elsewhere, 2'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'gateleg-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

type Variables = Readonly<Record<string, string>>

/** A person with sealed things. */
interface Sealed {
  readonly userId: string
  readonly spaceId: string
}

const secret = 'the secret at the login provider'

/** Works with an engine that is opened as a server opens its own. */
function withEngine<T>(variables: Variables, work: (engine: Engine) => Promise<T>): Promise<T> {
  return withConfigured(readConfiguration(variables), work)
}

function withConfigured<T>(
  configuration: Configuration,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  return openingStorage(
    configuration,
    () => undefined,
    async (storage) => {
      await using engine = await openEngine({ ...storage, jobs: false })
      return await work(engine)
    },
  )
}

/** Creates a space under a key for repeated calls. */
const createSpace = (engine: Engine, userId: string, name = 'Kept') =>
  engine.as({ userId }).spaces.createSpace({ name }, { idempotencyKey: 'once' })

const sealThings = (variables: Variables): Promise<Sealed> => withEngine(variables, sealIn)

const sealIn = async (engine: Engine): Promise<Sealed> => {
  const { id: userId } = await engine.ensureUser({ id: 'usrAda', name: 'Ada' })
  const { id: spaceId } = await createSpace(engine, userId)
  await engine.as({ userId }).loginProviders.createLoginProvider({
    ...{ spaceId, type: 'feishu', name: 'Ours' },
    config: { appId: 'ours', appSecret: secret },
  })
  return { userId, spaceId }
}

/** Opens the data, and has all that was sealed. */
const expectAllThere = (variables: Variables, { userId, spaceId }: Sealed) =>
  withEngine(variables, async (engine) => {
    const providers = await engine.as({ userId }).loginProviders.listLoginProviders({ spaceId })
    expect(providers).toMatchObject([{ name: 'Ours' }])
    expect(await createSpace(engine, userId)).toMatchObject({ id: spaceId })
    const another = createSpace(engine, userId, 'Another')
    await expect(another).rejects.toMatchObject({ code: 'unprocessable_entity' })
  })

/** What the key opens of all the texts of the product's own tables. */
function openedBy(key: string, texts: readonly unknown[]): string[] {
  const secrets = new NodeSecrets(key)
  return texts
    .flatMap((text) => (typeof text === 'string' ? (secrets.unseal(text) ?? []) : []))
    .toSorted()
}

function textsInFile(): unknown[] {
  const opened = new Database(join(dataDir, 'gateleg.db'), { readonly: true })
  try {
    const query = `select name from sqlite_schema where type = 'table' and name not like '%.%'`
    const names = opened.prepare(query).pluck().all() as string[]
    return names.flatMap((name) => opened.prepare(`select * from "${name}"`).raw().all().flat())
  } finally {
    opened.close()
  }
}

async function inDatabase<T>(
  { connectionString }: FreshDatabase,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const textsInDatabase = (database: FreshDatabase) =>
  inDatabase(database, async (client) => {
    const query = `select table_name from information_schema.tables where table_schema = 'gateleg'`
    const { rows } = await client.query(query)
    const texts: unknown[] = []
    for (const { table_name: name } of rows) {
      const found = await client.query(`select * from gateleg.${pg.escapeIdentifier(name)}`)
      texts.push(...found.rows.flatMap((row) => Object.values(row)))
    }
    return texts
  })

const rotate = async (variables: Variables) => rotateKey(readRotation(variables))
const keyIn = (name: string) => readFileSync(join(dataDir, name), 'utf8').trim()
const keysAside = () => readdirSync(dataDir).filter((name) => name.includes('before-rotation'))

describe.runIf(isOn('sqlite'))('gateleg rotate-key on a file', () => {
  const variables = () => ({ DATA_DIR: dataDir })

  test('[SERVER-64] refuses data that a server uses, a key that is missing or is another one, and changes nothing', async () => {
    const refuse = async (more: Variables, why: string) => {
      await expect(rotate({ ...variables(), ...more })).rejects.toThrow(why)
    }
    await refuse({}, 'There is no')
    await withEngine(variables(), async () => {
      const { code, stderr, stdout } = await runProgram(['rotate-key'], variables())
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/^gateleg can't go on\.\nA server, or another program, is using/)
    })
    const before = keyIn('instance.key')
    await refuse({ GATELEG_NEW_KEY: next }, 'GATELEG_NEW_KEY needs GATELEG_KEY')
    await refuse({ GATELEG_KEY: given }, 'set GATELEG_NEW_KEY to another one')
    await refuse({ GATELEG_KEY: given, GATELEG_NEW_KEY: given }, 'the same as GATELEG_KEY')
    await refuse({ GATELEG_KEY: given, GATELEG_NEW_KEY: next }, 'not the one that the data')
    writeFileSync(join(dataDir, 'instance.key'), given)
    await refuse({}, 'not the one that the data')
    rmSync(join(dataDir, 'instance.key'))
    await refuse({}, 'There is no instance.key')
    writeFileSync(join(dataDir, 'instance.key'), before)
    await withEngine(variables(), async () => undefined)
    expect(keysAside()).toEqual([])
  })

  test('[SERVER-63] seals all anew under a new key, and keeps the one before aside', async () => {
    const sealed = await sealThings(variables())
    const before = keyIn('instance.key')
    const opened = openedBy(before, textsInFile())
    expect(opened).toContainEqual(expect.stringContaining(secret))
    expect(opened).toHaveLength(3)
    const { code, stdout } = await runProgram(['rotate-key'], variables())
    expect(code).toBe(0)
    expect(stdout).toContain('with which 3 texts are encrypted anew')
    // What an operator has to tell people of.
    expect(stdout).toContain('codes of invitation links')
    const after = keyIn('instance.key')
    expect(after).not.toBe(before)
    expect(openedBy(after, textsInFile())).toEqual(opened)
    expect(openedBy(before, textsInFile())).toEqual([])
    expect(keysAside().map(keyIn)).toEqual([before])
    await expectAllThere(variables(), sealed)
  })

  test('[SERVER-140] is the way out for data whose key ends with a line break', async () => {
    const broken = { DATA_DIR: dataDir, GATELEG_KEY: `${given}\n` }
    const sealed = await withConfigured(readRotation(broken), sealIn)
    expect(() => readConfiguration(broken)).toThrow(/gateleg rotate-key\.$/)
    const { code, stdout } = await runProgram(['rotate-key'], { ...broken, GATELEG_NEW_KEY: given })
    expect(code).toBe(0)
    expect(stdout).toContain('with which 3 texts are encrypted anew')
    await expectAllThere({ DATA_DIR: dataDir, GATELEG_KEY: given }, sealed)
  })

  test('[SERVER-68] keys that are changed twice in a second are both kept aside', async () => {
    await sealThings(variables())
    const keys = [keyIn('instance.key')]
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      await rotate(variables())
      keys.push(keyIn('instance.key'))
      await rotate(variables())
    } finally {
      vi.useRealTimers()
    }
    expect(keysAside().map(keyIn).toSorted()).toEqual(keys.toSorted())
  })

  test('[SERVER-65] is finished by the next start, or by itself, wherever it ended', async () => {
    const sealed = await sealThings(variables())
    const first = keyIn('instance.key')
    // Before anything was sealed: the data have the key before.
    writeFileSync(join(dataDir, 'instance.key.next'), next)
    await expectAllThere(variables(), sealed)
    expect(keyIn('instance.key')).toBe(first)
    // That key is taken then, for something could be sealed under it.
    await rotate(variables())
    expect(keyIn('instance.key')).toBe(next)
    // After all was sealed, and before the key had its name.
    const undoName = () => {
      renameSync(join(dataDir, 'instance.key'), join(dataDir, 'instance.key.next'))
      for (const name of keysAside()) renameSync(join(dataDir, name), join(dataDir, 'instance.key'))
    }
    undoName()
    const backup = join(dataDir, 'backup.db')
    await backUp(readConfiguration(variables()), { file: backup, isWithKey: true })
    await expectAllThere(variables(), sealed)
    expect([keyIn('instance.key'), ...keysAside().map(keyIn)]).toEqual([next, first])
    undoName()
    expect(await rotate(variables())).toContain('that was interrupted is finished')
    expect([keyIn('instance.key'), ...keysAside().map(keyIn)]).toEqual([next, first])
    await restore(readConfiguration(variables()), backup)
    await expectAllThere(variables(), sealed)
  })

  test('[SERVER-65] loses nothing where it is killed at any moment', async () => {
    const sealed = await sealThings(variables())
    // Right after each of its steps begins to show in the directory.
    for (const shown of ['.part', '.next', 'before-rotation']) {
      const known = readdirSync(dataDir)
      const program = startProgram(['rotate-key'], variables())
      const isNew = (name: string) => name.includes(shown) && !known.includes(name)
      for (let n = 0; n < 5_000 && !readdirSync(dataDir).some(isNew); n++) await wait(1)
      await program.kill()
      expect(existsSync(join(dataDir, 'instance.key'))).toBe(true)
      await expectAllThere(variables(), sealed)
    }
  })

  test('[SERVER-66] takes the new key from GATELEG_NEW_KEY where GATELEG_KEY is set', async () => {
    const sealed = await sealThings({ ...variables(), GATELEG_KEY: given })
    const both = { ...variables(), GATELEG_KEY: given, GATELEG_NEW_KEY: next }
    expect(await rotate(both)).toContain('GATELEG_KEY set to the new key')
    expect(await rotate(both)).toContain('have the new key already')
    await expectAllThere({ ...variables(), GATELEG_KEY: next }, sealed)
    expect(readdirSync(dataDir).filter((name) => name.startsWith('instance.key'))).toEqual([])
    const stale = withEngine({ ...variables(), GATELEG_KEY: given }, async () => undefined)
    await expect(stale).rejects.toThrow('not the one')
  })

  test('[SERVER-63] tells of texts that the key before does not open, and leaves them as they are', async () => {
    await sealThings(variables())
    const copy = join(dataDir, 'copy')
    copyFileSync(join(dataDir, 'instance.key'), copy)
    const opened = new Database(join(dataDir, 'gateleg.db'))
    const foreign = new NodeSecrets(next).seal('of another key')
    opened.prepare('update login_providers set sealed = ?').run(foreign)
    opened.close()
    expect(await rotate(variables())).toContain('did not open 1 encrypted text')
    expect(textsInFile()).toContain(foreign)
  })
})

describe.runIf(isOn('postgres'))('gateleg rotate-key on a database', () => {
  let database: FreshDatabase

  beforeEach(async () => {
    database = await makeDatabase()
  })
  afterEach(() => database.drop())

  const variables = () => ({ DATA_DIR: dataDir, DATABASE_URL: database.connectionString })
  const keptKey = () =>
    inDatabase(database, async (client) => {
      const { rows } = await client.query(`select value from gateleg.instance where name = 'key'`)
      return rows[0]?.value as string
    })

  test('[SERVER-64] refuses a database that servers use, and one whose key is not at hand', async () => {
    const refuse = (why: string, more: Variables = {}) =>
      expect(rotate({ ...variables(), ...more })).rejects.toThrow(why)
    await refuse('holds no workspace')
    await withEngine({ ...variables(), GATELEG_KEY: given }, () =>
      refuse('Servers are using the database: end them first'),
    )
    await refuse('a key that is not stored in it')
    const other = { GATELEG_KEY: next, GATELEG_NEW_KEY: `${next}!` }
    await refuse('not the one that the data', other)
    await withEngine({ ...variables(), GATELEG_KEY: given }, async () => undefined)
  })

  test('[SERVER-63] seals all anew under a new key, which is stored with it or given', async () => {
    const sealed = await sealThings(variables())
    const before = await keptKey()
    const opened = openedBy(before, await textsInDatabase(database))
    expect(opened).toHaveLength(3)
    expect(await rotate(variables())).toContain('with which 3 texts are encrypted anew')
    const after = await keptKey()
    expect(openedBy(after, await textsInDatabase(database))).toEqual(opened)
    expect(openedBy(before, await textsInDatabase(database))).toEqual([])
    for (const delay of [400, 700]) {
      const program = startProgram(['rotate-key'], variables())
      await wait(delay)
      await program.kill()
    }
    await expectAllThere(variables(), sealed)
  })

  test('[SERVER-64] a server that starts meanwhile waits for its key', async () => {
    const { aloneOnDatabase } = await import(
      '@gateleg/adapters-postgres/database/alone-on-database'
    )
    const opening = { ...variables(), GATELEG_KEY: given }
    await withEngine(opening, async () => undefined)
    const starting = await aloneOnDatabase(database, async (session) => {
      const started = withEngine(opening, async () => undefined)
      started.catch(() => undefined)
      await wait(300)
      await session.runOnce(
        session.db
          .updateTable('instance')
          .set({ value: NodeSecrets.fingerprintOf(next) })
          .where('name', '=', 'key_fingerprint'),
      )
      return { started }
    })
    await expect(starting.started).rejects.toThrow('not the one that the data')
  })
})
