import { hash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { movingDatabase } from '@gateleg/adapters-postgres/database/moving-database'
import { postgres } from '@gateleg/adapters-postgres/postgres'
import { movingFromFile } from '@gateleg/adapters-sqlite/file/moving-file'
import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import { jobKinds } from '@gateleg/domain/job-kinds'
import { runNextJob } from '@gateleg/domain/jobs/run-next-job'
import { defaultSettings } from '@gateleg/domain/settings'
import type { Storage } from '@gateleg/domain/store'
import { openEngine } from '@gateleg/engine/open-engine'
import { DiskBlobStore } from '@gateleg/engine/platform/blobs/disk-blob-store'
import { NodeSecrets } from '@gateleg/engine/platform/node-secrets'
import { RandomIds } from '@gateleg/engine/platform/random-ids'
import { SystemClock } from '@gateleg/engine/platform/system-clock'
import { SqlSession } from '@gateleg/sql/core/session'
import { moveStorage } from '@gateleg/sql/moving/move-storage'
import type { MovingSide } from '@gateleg/sql/moving/moving-side'
import { pngFile } from '@gateleg/testing/factories/png-image'
import { copyAsWorn } from '@gateleg/testing/worlds/copy-as-worn'
import Database from 'better-sqlite3'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FreshDatabase, makeDatabase } from '../../../../test/fresh-database.ts'
import { runProgram, startProgram, startServer } from '../../../../test/server-process.ts'
import { isOn } from '../../../../test/storages.ts'
import {
  hashesOf,
  makeSampleWorkspace,
  sampleEmail,
  sampleKey,
  samplePassword,
} from '../../../../test/upgrades/sample-workspace.ts'
import { attachmentsFolder, databaseFile } from '../data-directory/data-directory.ts'
import { move } from './move.ts'

describe.runIf(isOn('postgres'))('gateleg move', () => {
  let folder: string
  let dataDir: string
  let file: string
  let database: FreshDatabase

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
    dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    file = databaseFile(dataDir)
    database = await makeDatabase()
  })
  afterEach(async () => {
    await database.drop()
    rmSync(folder, { recursive: true })
  })

  const fromFile = (more: object = {}) => ({
    ...{ database: undefined, dataDir, instanceKey: undefined, s3: undefined, ...more },
  })
  const fromDatabase = (more: object = {}) =>
    fromFile({ database: { connectionString: database.connectionString, poolSize: 1 }, ...more })

  async function makeSample() {
    const hashes = await makeSampleWorkspace(sqlite({ file }))
    writeFileSync(join(dataDir, 'instance.key'), sampleKey)
    return hashes
  }

  async function hashesIn(storage: Storage, instanceKey: string | undefined = sampleKey) {
    const engine = await openEngine({ storage, jobs: false, ...(instanceKey && { instanceKey }) })
    try {
      return await hashesOf(engine)
    } finally {
      await engine.close()
    }
  }

  /** Waits until the server has noticed that the programs before have ended. */
  async function othersGone(): Promise<void> {
    const client = new pg.Client({ connectionString: database.connectionString })
    await client.connect()
    const query = `select 1 from pg_stat_activity
      where datname = current_database() and application_name = 'gateleg'`
    while ((await client.query(query)).rows.length > 0) await wait(20)
    await client.end()
  }

  const inDatabase = () => postgres({ connectionString: database.connectionString, poolSize: 2 })
  const digestOf = (path: string) => hash('sha256', readFileSync(path))

  /** All rows of the product's own tables, as the file has them. */
  function ownRows(path: string) {
    const opened = new Database(path, { readonly: true })
    const names = opened
      .prepare(
        `select name from sqlite_schema where type = 'table' and name not like '%.%' and name not like 'sqlite%'`,
      )
      .pluck()
      .all() as string[]
    const rows = names.toSorted().map((name) => {
      const texts = opened.prepare(`select * from ${name}`).raw().all()
      return [name, texts.map((row) => JSON.stringify(row)).toSorted()]
    })
    opened.close()
    return Object.fromEntries(rows) as Record<string, string[]>
  }

  const filesOfData = (path: string) =>
    readdirSync(path).filter((name) => !/-(wal|shm)$|\.lock$/.test(name))

  test('[SERVER-42] all data are in the database, and back in a file, as they were', async () => {
    const hashes = await makeSample()
    mkdirSync(join(dataDir, 'attachments'))
    writeFileSync(join(dataDir, 'attachments', 'a'), 'bytes')
    const before = digestOf(file)
    const said = await move(fromFile(), database.connectionString)
    expect(said).toMatch(
      /^\d+ bases with \d+ records, deleted ones included, are in the PostgreSQL database/,
    )
    expect(digestOf(file)).toBe(before)
    // Without a key of its own: that of the data came along.
    expect(await hashesIn(inDatabase(), undefined)).toEqual(hashes)
    const there = join(folder, 'back')
    await othersGone()
    expect(await move(fromDatabase(), there)).toContain(`are in ${there}`)
    expect(readFileSync(join(there, 'instance.key'), 'utf8').trim()).toBe(sampleKey)
    expect(readFileSync(join(there, 'attachments', 'a'), 'utf8')).toBe('bytes')
    expect(filesOfData(there).toSorted()).toEqual(['attachments', 'gateleg.db', 'instance.key'])
    const [first, last] = [ownRows(file), ownRows(databaseFile(there))]
    // Who signed in to compare has a session, and jobs went on.
    expect(last.table_indexes).toEqual([])
    for (const name of ['sessions', 'jobs', 'table_indexes']) {
      delete first[name]
      delete last[name]
    }
    expect(last).toEqual(first)
    expect(await hashesIn(sqlite({ file: databaseFile(there) }))).toEqual(hashes)
  })

  test.each([1, 3, 4])(
    '[STORE-489] tables that are being copied come as they are, after %i steps of that',
    async (steps) => {
      const hashes = await makeSampleWorkspace(inDatabase())
      const client = new pg.Client({ connectionString: database.connectionString })
      await client.connect()
      const { rows } = await client.query<{ id: string }>('select id from gateleg.tables')
      const storage = await inDatabase().open({ onCommit: () => {} })
      for (const { id } of rows) {
        for (let step = 0; step < steps; step++) {
          await storage.store.write((tx) => copyAsWorn(tx, id))
        }
      }
      await storage.close()
      const named = 'select count(rebuilt_name)::int as n from gateleg.tables'
      const isExchanged = (await client.query(named)).rows[0]?.n > 0
      expect(isExchanged).toBe(steps === 4)
      await client.end()
      const there = join(folder, 'there')
      await othersGone()
      await move(fromDatabase({ instanceKey: sampleKey }), there)
      expect(await hashesIn(sqlite({ file: databaseFile(there) }))).toEqual(hashes)
      const moved = ownRows(databaseFile(there))
      expect(moved.table_rebuilds).toEqual([])
      expect(moved.tables?.join()).not.toContain('__cop')
    },
  )

  test('[SERVER-42] [SERVER-155] uploaded files are counted, and those are warned of that are not there', async () => {
    const blobs = new DiskBlobStore(attachmentsFolder(dataDir))
    const engine = await openEngine({
      ...{ storage: sqlite({ file }), jobs: false, instanceKey: sampleKey, ports: { blobs } },
    })
    const { id: userId } = await engine.ensureUser({ id: 'usrAda', name: 'Ada' })
    const ada = engine.as({ userId })
    const { id: spaceId } = await ada.spaces.createSpace({ name: 'Space' })
    const { id: baseId } = await ada.bases.createBase({ spaceId })
    const { id: tableId, ...table } = await ada.tables.createTable({
      ...{ baseId, fields: [{ name: 'Title', type: 'singleLineText' }] },
    })
    const { id: fieldId } = await ada.fields.createField({ tableId, type: 'attachment' })
    const at = { tableId, recordId: table.records[0]?.id ?? '', fieldId }
    const bytes = async function* () {
      yield new TextEncoder().encode('Emma')
    }
    await ada.attachments.uploadAttachment({ ...at, file: { name: 'a.txt', stream: bytes } })
    await ada.accounts.changeAvatar({ file: pngFile('me.png', 40, 40) })
    await engine.close()
    writeFileSync(join(dataDir, 'instance.key'), sampleKey)
    await move(fromFile(), database.connectionString)
    await othersGone()
    const there = join(folder, 'there')
    const whole = await move(fromDatabase(), there)
    expect(whole).toContain('with 2 uploaded files and the instance key.')
    expect(whole).toMatch(/\nNothing was changed in the PostgreSQL database .*\.\n$/)
    expect(whole).not.toContain('Warning')
    const elsewhere = { dataDir: join(folder, 'elsewhere') }
    expect(await move(fromDatabase(elsewhere), join(folder, 'lost'))).toMatch(
      /with 0 uploaded files .*\nWarning: 2 uploaded files could not be copied: not in .*elsewhere/,
    )
  })

  test('[SERVER-42] what is refused of records is refused there, and numbers go on', async () => {
    const storage = sqlite({ file })
    const ports = { settings: { ...defaultSettings, recordHistoryDays: 10 } }
    const engine = await openEngine({ storage, jobs: false, instanceKey: sampleKey, ports })
    const { id: userId } = await engine.ensureUser({ id: 'usrAda', name: 'Ada' })
    const ada = engine.as({ userId })
    const { id: spaceId } = await ada.spaces.createSpace({ name: 'Space' })
    const base = await ada.bases.createBase({ spaceId })
    const table = await ada.tables.createTable({
      baseId: base.id,
      fields: [
        { name: 'Code', type: 'singleLineText', unique: true },
        // A word of SQL, which SQLite takes a column of a subquery for.
        { name: 'Done', type: 'checkbox', dbFieldName: 'True' },
        { name: 'When', type: 'date' },
      ],
      records: [
        { fields: { Code: 'a', Done: true, When: '2026-02-03T04:05:06.789Z' } },
        { fields: { Code: 'b' } },
        { fields: { Code: 'c' } },
      ],
    })
    const last = table.records.at(-1)?.id ?? ''
    const [first] = table.records
    const change = { recordId: first?.id ?? '', fieldKeyType: 'name' as const }
    await ada.records.updateRecord({
      ...{ tableId: table.id, ...change, record: { fields: { Done: null } } },
    })
    await ada.records.updateRecord({
      ...{ tableId: table.id, ...change, record: { fields: { Done: true } } },
    })
    await ada.records.deleteRecord({ tableId: table.id, recordId: last })
    await engine.close()
    writeFileSync(join(dataDir, 'instance.key'), sampleKey)
    await move(fromFile(), database.connectionString)
    await othersGone()
    const there = join(folder, 'back')
    const check = async (opened: Storage) => {
      const options = { jobs: false, instanceKey: sampleKey, ports }
      const moved = await openEngine({ storage: opened, ...options })
      const api = moved.as({ userId })
      const add = async (Code: string) =>
        (await api.records.createRecords({ tableId: table.id, records: [{ fields: { Code } }] }))
          .records[0]
      await expect(add('a')).rejects.toMatchObject({ code: 'validation_error' })
      const { records } = await api.records.listRecords({ tableId: table.id })
      expect(records[0]?.fields).toEqual({
        Code: 'a',
        Done: true,
        When: '2026-02-03T04:05:06.789Z',
      })
      const { historyList } = await api.history.listTableHistory({ tableId: table.id })
      expect(historyList).toHaveLength(2)
      const made = await add('c')
      await moved.close()
      return made?.autoNumber
    }
    await expect(move(fromDatabase(), there)).resolves.toContain('1 base with 3 records')
    expect(await check(inDatabase())).toBe(4)
    expect(await check(sqlite({ file: databaseFile(there) }))).toBe(4)
  })

  test('[FIELD-350] unique fields that lay in the trash meanwhile come back as such, and are purged', async () => {
    const engine = await openEngine({
      ...{ storage: sqlite({ file }), jobs: false, instanceKey: sampleKey },
    })
    const { id: userId } = await engine.ensureUser({ id: 'usrAda', name: 'Ada' })
    const ada = engine.as({ userId })
    const { id: spaceId } = await ada.spaces.createSpace({ name: 'Space' })
    const { id: baseId } = await ada.bases.createBase({ spaceId })
    const { id: tableId, fields } = await ada.tables.createTable({
      baseId,
      fields: [
        { name: 'Title', type: 'singleLineText' },
        { name: 'Code', type: 'singleLineText', unique: true },
        { name: 'Gone', type: 'number', unique: true },
      ],
      records: [{ fields: { Code: 'a', Gone: 1 } }, { fields: { Code: 'b', Gone: 2 } }],
    })
    for (const { id: fieldId } of fields.slice(1))
      await ada.fields.deleteField({ tableId, fieldId })
    await engine.close()
    writeFileSync(join(dataDir, 'instance.key'), sampleKey)
    await move(fromFile(), database.connectionString)
    await othersGone()
    const there = join(folder, 'back')
    await move(fromDatabase(), there)
    const fail = (error: unknown) => {
      throw error
    }
    for (const storage of [inDatabase(), sqlite({ file: databaseFile(there) })]) {
      const moved = await openEngine({ storage, jobs: false, instanceKey: sampleKey })
      const api = moved.as({ userId })
      const inTrash = { resourceType: 'table', resourceId: tableId } as const
      const { trashItems } = await api.trash.listTrashItems(inTrash)
      await api.trash.restoreTrash({ trashId: trashItems[1]?.id ?? '' })
      const add = (Code: string) =>
        api.records.createRecords({ tableId, records: [{ fields: { Code } }] })
      const added = await Promise.allSettled(Array.from({ length: 8 }, () => add('c')))
      expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      await api.trash.resetTrash(inTrash)
      await moved.close()
      const opened = await storage.open({ onCommit: () => {} })
      const ports = { store: opened.store, clock: new SystemClock(), ids: new RandomIds() }
      while (await runNextJob(ports, jobKinds, fail)) {}
      await opened.close()
    }
  })

  test('[SERVER-43] refuses what is used, what is full and what is missing, and changes nothing', async () => {
    const refuse = async (moved: Promise<unknown>, why: string) =>
      expect(moved).rejects.toThrow(why)
    const to = database.connectionString
    await refuse(move(fromFile(), to), `There is no ${file} to move`)
    const refusedAtOnce = (work: () => unknown, why: string) => expect(work).toThrow(why)
    refusedAtOnce(() => move(fromFile(), '/tmp/elsewhere'), 'names a directory')
    refusedAtOnce(() => move(fromDatabase(), to), 'both name a PostgreSQL database')
    await refuse(move(fromDatabase(), join(folder, 'back')), 'holds no workspace of this version')
    await makeSample()
    const server = await startServer({ DATA_DIR: dataDir })
    await refuse(move(fromFile(), to), 'Another program is using')
    await server.kill()
    rmSync(join(dataDir, 'instance.key'))
    await refuse(move(fromFile(), to), 'There is no instance.key')
    await refuse(
      move(fromFile({ instanceKey: sampleKey }), 'postgres://nobody@127.0.0.1:1/none'),
      'ECONNREFUSED 127.0.0.1:1: look at --to.',
    )
    await refuse(move(fromFile({ instanceKey: 'x'.repeat(32) }), to), 'not the one that the data')
    expect(existsSync(join(folder, 'back', 'gateleg.db'))).toBe(false)
    const other = await startServer({ DATABASE_URL: to, DATA_DIR: join(folder, 'other') })
    await refuse(move(fromFile({ instanceKey: sampleKey }), to), 'Servers are using the database')
    await refuse(move(fromDatabase(), join(folder, 'back')), 'Servers are using the database')
    await other.api().accounts.signUp({ email: sampleEmail, password: samplePassword })
    await other.kill()
    await othersGone()
    await refuse(move(fromFile({ instanceKey: sampleKey }), to), 'holds a workspace already')
    const { code, stderr, stdout } = await runProgram(['move', '--to', to], { DATA_DIR: dataDir })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^gateleg can't go on\.\nThere is no instance\.key in/)
    expect(await move(fromDatabase(), dataDir).catch(String)).toContain('exists already')
  })

  test('[SERVER-44] a move that is killed leaves the data as they were, and can be run again', async () => {
    const hashes = await makeSample()
    const before = digestOf(file)
    for (const delay of [250, 450, 650, 850]) {
      const program = startProgram(['move', '--to', database.connectionString], {
        DATA_DIR: dataDir,
      })
      await wait(delay)
      await program.kill()
      expect(digestOf(file)).toBe(before)
      await othersGone()
    }
    const client = new pg.Client({ connectionString: database.connectionString })
    await client.connect()
    const { rows } = await client.query(`select to_regclass('gateleg.users') is not null as made`)
    const used = rows[0]?.made ? (await client.query('select id from gateleg.users')).rows : []
    await client.end()
    if (used.length === 0) await move(fromFile(), database.connectionString)
    expect(await hashesIn(inDatabase())).toEqual(hashes)
    const there = join(folder, 'back')
    await othersGone()
    for (const delay of [300, 500, 700]) {
      const program = startProgram(['move', '--to', there], {
        DATA_DIR: dataDir,
        DATABASE_URL: database.connectionString,
      })
      await wait(delay)
      await program.kill()
      await othersGone()
    }
    if (!existsSync(databaseFile(there))) await move(fromDatabase(), there)
    expect(await hashesIn(sqlite({ file: databaseFile(there) }))).toEqual(hashes)
    expect(await hashesIn(inDatabase())).toEqual(hashes)
  })

  /** Moves the file to the database in this process, where the sides may be meddled with. */
  const meddling = (meddle: (side: MovingSide) => MovingSide) =>
    movingFromFile(file, (from) =>
      movingDatabase(database, 'to', (to) =>
        moveStorage(from, meddle(to), {
          digester: () => new NodeSecrets(sampleKey).digester(),
          keptKey: undefined,
        }),
      ),
    )

  test('[SERVER-44] one that ends after any step leaves nothing in the way of the next one', async () => {
    const hashes = await makeSample()
    for (const stepsDone of [1, 2, 3, 6, 12]) {
      let steps = 0
      const ending = (to: MovingSide): MovingSide =>
        meddled(to, 'step', (work) => {
          if (steps++ === stepsDone) throw new Error('the program ended')
          return to.step(work)
        })
      await expect(meddling(ending)).rejects.toThrow('the program ended')
      await othersGone()
    }
    await move(fromFile(), database.connectionString)
    expect(await hashesIn(inDatabase())).toEqual(hashes)
  })

  test('[SERVER-43] moves nothing over a workspace that somebody began meanwhile', async () => {
    await makeSample()
    const space = { id: 'spcBegunMeanwhile00', name: 'Begun', created_by: 'usrEve' }
    let steps = 0
    const using = (to: MovingSide): MovingSide =>
      meddled(to, 'step', async (work) => {
        if (steps++ === 1) {
          const made = { ...space, created_time: '2026-01-01T00:00:00.000Z', version: 1 }
          await to.step((session) => session.runOnce(session.db.insertInto('spaces').values(made)))
        }
        return to.step(work)
      })
    await expect(meddling(using)).rejects.toThrow('holds a workspace already')
    const client = new pg.Client({ connectionString: database.connectionString })
    await client.connect()
    const { rows } = await client.query('select id from gateleg.spaces')
    await client.end()
    expect(rows).toEqual([{ id: space.id }])
  })

  test.each([
    ['of a base', /^insert into "bse/, /The base bse\w+ is not the same after it was moved/],
    ['of the product', /^insert into "gateleg"."users"/, /The table users is not the same/],
  ])('[SERVER-42] says so where a value %s is another one', async (_, changed, why) => {
    await makeSample()
    let hasChanged = false
    const change = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(change)
      if (hasChanged || (value !== 'Ada' && value !== sampleEmail)) return value
      hasChanged = true
      return 'Eve'
    }
    const wrong = (to: MovingSide): MovingSide =>
      meddled(to, 'step', (work) =>
        to.step((session) => {
          const connection = meddled(session.connection, 'run', (text, values) =>
            session.connection.run(text, changed.test(text) ? values.map(change) : values),
          )
          return work(new SqlSession(connection, session.dialect))
        }),
      )
    await expect(meddling(wrong)).rejects.toThrow(why)
    expect(hasChanged).toBe(true)
    await expect(hashesIn(inDatabase())).rejects.toMatchObject({ code: 'invalid_credentials' })
  })
})

/** The same, with another method in the place of its own. */
function meddled<T extends object, Name extends keyof T>(of: T, name: Name, method: T[Name]): T {
  return new Proxy(of, {
    get: (target, key) => {
      const value = key === name ? method : Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
