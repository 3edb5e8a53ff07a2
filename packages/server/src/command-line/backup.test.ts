import { hash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findDamage } from '@gateleg/adapters-sqlite/file/find-damage'
import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import { openEngine } from '@gateleg/engine/open-engine'
import { DiskBlobStore } from '@gateleg/engine/platform/blobs/disk-blob-store'
import { pngFile } from '@gateleg/testing/factories/png-image'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  createBatch,
  createBatchTable,
  expectWholeBatches,
} from '../../../../test/record-batches.ts'
import { runProgram, type ServerProcess, startServer } from '../../../../test/server-process.ts'
import { attachmentsFolder, databaseFile } from '../data-directory/data-directory.ts'
import { backUp } from './backup.ts'
import { restore } from './restore.ts'

let folder: string
let dataDir: string
let backup: string
let server: ServerProcess | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  dataDir = join(folder, 'data')
  backup = join(folder, 'backup.db')
})
afterEach(async () => {
  await server?.kill()
  server = undefined
  rmSync(folder, { recursive: true })
})

async function start(place = dataDir): Promise<ServerProcess> {
  server = await startServer({ DATA_DIR: place })
  return server
}

async function signUp(running: ServerProcess) {
  const { accessToken } = await running.api().accounts.signUp({
    email: 'ada@example.com',
    password: 'A-good-password-1',
  })
  return { token: accessToken, tableId: await createBatchTable(running.api(accessToken)) }
}

const place = (more: object = {}) => ({
  database: undefined,
  dataDir,
  instanceKey: undefined,
  s3: undefined,
  ...more,
})

/** All files of the data directory but the logs and locks, which come and go. */
function filesIn(path: string): Record<string, string> {
  const names = readdirSync(path).filter((name) => !/-(wal|shm)$|\.lock$/.test(name))
  return Object.fromEntries(
    names.map((name) => [name, hash('sha256', readFileSync(join(path, name)))]),
  )
}

test('[SERVER-23] [SERVER-24] what was answered before a backup is there after it is put back elsewhere', async () => {
  const running = await start()
  const { token, tableId } = await signUp(running)
  const api = running.api(token)
  const answered = new Map<string, readonly string[]>()
  let isWriting = true
  const write = async (writer: number) => {
    for (let number = 0; isWriting; number++) {
      const batch = { name: `${writer} ${number}`, size: 5 }
      answered.set(batch.name, await createBatch(api, tableId, batch))
    }
  }
  const writing = [1, 2].map(write)
  while (answered.size < 10) await new Promise((resolve) => setImmediate(resolve))
  const before = new Map(answered)
  const { code, stdout, stderr } = await runProgram(['backup', backup, '--with-key'], {
    DATA_DIR: dataDir,
  })
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(
    /^\S+ is written and checked: 1 base with \d+ records, deleted ones included\.\nThe instance key is in it/,
  )
  isWriting = false
  await Promise.all(writing)
  // Nobody wrote more than this.
  await running.kill()
  expect(statSync(backup).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder).toSorted()).toEqual(['backup.db', 'data'])

  const elsewhere = join(folder, 'elsewhere')
  expect(await restore(place({ dataDir: elsewhere }), backup)).toMatch(/^\S+ holds the backup /)
  expect(readFileSync(join(elsewhere, 'instance.key'))).toEqual(
    readFileSync(join(dataDir, 'instance.key')),
  )
  const restored = (await start(elsewhere)).api(token)
  const { records } = await restored.records.listRecords({ tableId, take: 2_000 })
  expect(records.length % 5).toBe(0)
  const ids = new Set(records.map(({ id }) => id))
  expect([...before.values()].flat().filter((id) => !ids.has(id))).toEqual([])
  if (before.size === answered.size) await expectWholeBatches(restored, tableId, before)
  const database = new Database(databaseFile(elsewhere), { readonly: true })
  const names = database.prepare('select name from instance').pluck().all()
  expect(names).toContain('key_fingerprint')
  expect(names).not.toContain('key')
  database.close()
})

test('[SERVER-23] a backup is written over nothing, and none is left of what is damaged', async () => {
  const running = await start()
  await signUp(running)
  await running.kill()
  writeFileSync(backup, 'mine')
  const request = { file: backup, isWithKey: false }
  await expect(backUp(place(), request)).rejects.toThrow('exists already')
  const attachments = attachmentsFolder(dataDir)
  for (const among of [attachments, join(attachments, 'ab')]) {
    mkdirSync(among, { recursive: true })
    const inside = { ...request, file: join(among, 'cd') }
    await expect(backUp(place(), inside)).rejects.toThrow('for the uploaded files alone')
    expect(existsSync(inside.file)).toBe(false)
  }
  expect(readFileSync(backup, 'utf8')).toBe('mine')
  rmSync(backup)
  expect(await backUp(place(), request)).toContain('The instance key is not in it')
  rmSync(backup)
  const nowhere = { file: join(folder, 'nowhere', 'backup.db'), isWithKey: false }
  await expect(backUp(place(), nowhere)).rejects.toThrow('There is no directory')
  await expect(backUp(place({ dataDir: folder }), request)).rejects.toThrow('to back up')
  // Records that can't be read are found, though every page is sound.
  const database = new Database(databaseFile(dataDir))
  const [table] = database
    .prepare(`select name from sqlite_schema where name like 'bse%.%'`)
    .pluck()
    .all()
  database.exec(`alter table "${table}" rename to lost`)
  database.close()
  await expect(backUp(place(), request)).rejects.toThrow('no such table')
  expect(readdirSync(folder)).toEqual(['data'])
})

test('[SERVER-24] sets the data aside that a backup takes the place of', async () => {
  const first = await start()
  const { token, tableId } = await signUp(first)
  const ids = await createBatch(first.api(token), tableId, { name: 'before', size: 3 })
  await backUp(place(), { file: backup, isWithKey: false })
  await createBatch(first.api(token), tableId, { name: 'after', size: 4 })
  await first.kill()

  const words = await restore(place(), backup)
  const aside = /kept as (\S+)\./.exec(words)?.[1] ?? ''
  const second = (await start()).api(token)
  const { records } = await second.records.listRecords({ tableId })
  expect(records.map(({ id }) => id)).toEqual(ids)
  await server?.kill()
  // What was set aside can be put back in the same way.
  expect(findDamage(aside)).toEqual([])
  await restore(place(), aside)
  const third = (await start()).api(token)
  expect((await third.records.listRecords({ tableId })).records).toHaveLength(7)
})

test('[SERVER-68] what was done twice in a second is set aside twice', async () => {
  const engine = await openEngine({ storage: sqlite({ file: join(folder, 'other.db') }) })
  await engine.close()
  const copy = join(folder, 'other.db')
  mkdirSync(dataDir)
  writeFileSync(databaseFile(dataDir), 'what was there')
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const asides: string[] = []
    for (let count = 0; count < 3; count++) {
      const words = await restore(place(), copy)
      asides.push(/kept as (\S+)\.\n/.exec(words)?.[1] ?? '')
    }
    expect(new Set(asides).size).toBe(3)
    expect(readFileSync(asides[0] ?? '', 'utf8')).toBe('what was there')
    expect(asides.filter((name) => existsSync(name))).toEqual(asides)
  } finally {
    vi.useRealTimers()
  }
})

test('[SERVER-24] refuses while a server runs, other keys and files that are none, changing nothing', async () => {
  const running = await start()
  await signUp(running)
  await backUp(place(), { file: backup, isWithKey: false })
  await expect(restore(place(), backup)).rejects.toThrow('Another program is using')
  await running.kill()
  const before = filesIn(dataDir)

  const other = join(folder, 'other')
  mkdirSync(other)
  await expect(restore(place({ dataDir: other }), backup)).rejects.toThrow('holds no instance key')
  writeFileSync(join(other, 'instance.key'), 'o'.repeat(32))
  await expect(restore(place({ dataDir: other }), backup)).rejects.toThrow('made with another key')
  await expect(restore(place({ instanceKey: 'o'.repeat(32) }), backup)).rejects.toThrow(
    'another key',
  )
  await expect(restore(place(), join(folder, 'none'))).rejects.toThrow('There is no file')
  const letter = join(folder, 'letter')
  writeFileSync(letter, 'text '.repeat(1_000))
  await expect(restore(place(), letter)).rejects.toThrow('file is not a database')
  truncateSync(backup, statSync(backup).size - 4_096)
  await expect(restore(place(), backup)).rejects.toThrow('is damaged')
  const stranger = join(folder, 'stranger.db')
  new Database(stranger).exec('create table things (id integer)').close()
  await expect(restore(place(), stranger)).rejects.toThrow('holds no workspace')

  expect(filesIn(dataDir)).toEqual(before)
  expect(existsSync(databaseFile(other))).toBe(false)
})

test('[SERVER-24] says where the key of replaced data lies that are put back', async () => {
  const running = await start()
  await backUp(place(), { file: backup, isWithKey: true })
  await running.kill()
  const other = join(folder, 'other')
  await (await start(other)).kill()
  const words = await restore(place({ dataDir: other }), backup)
  const [replaced = '', key = ''] = words.match(/(?<=kept as )\S+(?=\.\n)/g) ?? []
  expect(key).toContain('instance.key.before-restore-')
  const refusal = `put the instance.key of that time, which is ${key}, into ${other}`
  await expect(restore(place({ dataDir: other }), replaced)).rejects.toThrow(refusal)
  renameSync(key, join(other, 'instance.key'))
  expect(await restore(place({ dataDir: other }), replaced)).toContain('holds the backup')
})

test('[SERVER-24] says to unset GATELEG_KEY where the backup holds another key', async () => {
  const running = await start()
  await signUp(running)
  await backUp(place(), { file: backup, isWithKey: true })
  await running.kill()
  const before = filesIn(dataDir)
  await expect(restore(place({ instanceKey: 'o'.repeat(32) }), backup)).rejects.toThrow(
    'holds a key of its own, and GATELEG_KEY is another one: unset GATELEG_KEY',
  )
  expect(filesIn(dataDir)).toEqual(before)
})

test('[SERVER-25] says by what a PostgreSQL database is backed up', async () => {
  for (const words of [
    ['backup', backup],
    ['restore', backup],
  ]) {
    const { code, stderr } = await runProgram(words, { DATABASE_URL: 'postgres://me:secret@h/db' })
    expect(code).toBe(1)
    expect(stderr).toBe(
      "gateleg can't go on.\nDATABASE_URL names a PostgreSQL database: back it up with pg_dump and put it back with pg_restore, which come with PostgreSQL (docs/backup.md tells how).\n",
    )
  }
})

const instanceKey = 'a key of these tests, known to all who read'

/** Makes a record with files of the texts in the data directory; answers how a directory has them. */
async function makeFiles(...texts: readonly string[]) {
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(join(dataDir, 'instance.key'), instanceKey)
  const open = (of: string) =>
    openEngine({
      storage: sqlite({ file: databaseFile(of) }),
      instanceKey,
      jobs: false,
      ports: { blobs: new DiskBlobStore(attachmentsFolder(of)) },
    })
  const engine = await open(dataDir)
  const { id: userId } = await engine.ensureUser({ id: 'usrAda', name: 'Ada' })
  const ada = engine.as({ userId })
  const { id: spaceId } = await ada.spaces.createSpace({ name: 'Space' })
  const { id: baseId } = await ada.bases.createBase({ spaceId })
  const fields = [
    { name: 'Name', type: 'singleLineText' as const },
    { name: 'Files', type: 'attachment' as const },
  ]
  const table = await ada.tables.createTable({ baseId, fields, records: [{ fields: {} }] })
  const place = { recordId: table.records[0]?.id ?? '', fieldId: table.fields[1]?.id ?? '' }
  const paths: string[] = []
  for (const text of texts) {
    const bytes = async function* () {
      yield new TextEncoder().encode(text)
    }
    const file = { name: 'note.txt', stream: bytes }
    const at = { tableId: table.id, ...place }
    const { fields: cells } = await ada.attachments.uploadAttachment({ ...at, file })
    const [items] = Object.values(cells) as { path: string }[][]
    paths.push(items?.at(-1)?.path ?? '')
  }
  await engine.close()
  return paths
}

const blobIn = (of: string, path: string) => join(of, path.slice(-2), path)

test('[SERVER-45] a backup takes the uploaded files along, and they are put back', async () => {
  const paths = await makeFiles('one', 'two')
  const said = await backUp(place(), { file: backup, isWithKey: true })
  expect(said).toContain(`2 uploaded files are beside it in ${backup}.files`)
  const elsewhere = join(folder, 'elsewhere')
  const back = await restore(place({ dataDir: elsewhere }), backup)
  expect(back).toContain('2 uploaded files of it are in')
  const texts = paths.map((path) =>
    readFileSync(blobIn(attachmentsFolder(elsewhere), path), 'utf8'),
  )
  expect(texts).toEqual(['one', 'two'])
  for (const path of paths) {
    expect(statSync(blobIn(`${backup}.files`, path)).mode & 0o777).toBe(0o600)
  }
})

test('[SERVER-45] a backup takes the pictures of users along, and they are put back', async () => {
  await makeFiles()
  const open = (of: string) =>
    openEngine({
      ...{ storage: sqlite({ file: databaseFile(of) }), instanceKey, jobs: false },
      ports: { blobs: new DiskBlobStore(attachmentsFolder(of)) },
    })
  const bytesOf = async (of: string) => {
    await using engine = await open(of)
    const { avatar = '' } = await engine.as({ userId: 'usrAda' }).accounts.getMe({})
    const served = await engine.public.accounts.readAvatar({ path: avatar.split('/').at(-1) ?? '' })
    const pieces: Uint8Array[] = []
    for await (const piece of (await served.read()) ?? []) pieces.push(piece)
    return Buffer.concat(pieces)
  }
  {
    await using engine = await open(dataDir)
    const { accounts } = engine.as({ userId: 'usrAda' })
    await accounts.changeAvatar({ file: pngFile('old.png', 30, 30) })
    await accounts.changeAvatar({ file: pngFile('me.png', 40, 40) })
  }
  const said = await backUp(place(), { file: backup, isWithKey: true })
  expect(said).toContain(`1 uploaded file is beside it in ${backup}.files`)
  const elsewhere = join(folder, 'elsewhere')
  await restore(place({ dataDir: elsewhere }), backup)
  const bytes = await bytesOf(elsewhere)
  expect([bytes.length > 0, bytes]).toEqual([true, await bytesOf(dataDir)])
  rmSync(attachmentsFolder(dataDir), { recursive: true })
  const again = { file: join(folder, 'again.db'), isWithKey: true }
  expect(await backUp(place(), again)).toContain('Warning: 1 uploaded file could not be copied')
})

test('[SERVER-45] says how many files are missing or damaged, and takes none that is', async () => {
  const [gone = '', changed = '', kept = ''] = await makeFiles('gone', 'changed', 'kept')
  const files = attachmentsFolder(dataDir)
  rmSync(blobIn(files, gone))
  writeFileSync(blobIn(files, changed), 'another')
  const said = await backUp(place(), { file: backup, isWithKey: true })
  expect(said).toContain('1 uploaded file is beside it')
  expect(said).toContain('Warning: 2 uploaded files could not be copied')
  expect(existsSync(blobIn(`${backup}.files`, changed))).toBe(false)
  const elsewhere = join(folder, 'elsewhere')
  rmSync(blobIn(`${backup}.files`, kept))
  expect(await restore(place({ dataDir: elsewhere }), backup)).toContain(
    'Warning: 3 uploaded files are not there',
  )
})

test('[SERVER-45] says so of one file as of one', async () => {
  const [path = ''] = await makeFiles('one')
  await backUp(place(), { file: backup, isWithKey: true })
  const elsewhere = (name: string) => place({ dataDir: join(folder, name) })
  expect(await restore(elsewhere('first'), backup)).toContain('1 uploaded file of it is in')
  rmSync(blobIn(`${backup}.files`, path))
  const lost = `Warning: 1 uploaded file is not there or is damaged: it belongs in ${backup}.files.`
  expect(await restore(elsewhere('second'), backup)).toContain(lost)
  rmSync(blobIn(attachmentsFolder(dataDir), path))
  const again = { file: join(folder, 'again.db'), isWithKey: true }
  expect(await backUp(place(), again)).toContain('Warning: 1 uploaded file could not be copied')
})

test('[SERVER-24] a directory is no backup, and a copy of the file of a server is told from one', async () => {
  await expect(restore(place(), folder)).rejects.toThrow(`${folder} is no file`)
  await makeFiles('one')
  const copy = join(folder, 'copy.db')
  copyFileSync(databaseFile(dataDir), copy)
  const elsewhere = place({ dataDir: join(folder, 'elsewhere'), instanceKey })
  expect(await restore(elsewhere, copy)).toContain(
    `Warning: ${copy} is a copy of gateleg.db, not a backup.`,
  )
  await backUp(place(), { file: backup, isWithKey: true })
  const words = await restore(place(), backup)
  expect(words).not.toContain('Warning')
  const aside = /kept as (\S+)\./.exec(words)?.[1] ?? ''
  expect(await restore(place(), aside)).not.toContain('Warning')
})

test('[SERVER-45] a damaged file is replaced by that of the backup', async () => {
  const [path = ''] = await makeFiles('one')
  await backUp(place(), { file: backup, isWithKey: true })
  const file = blobIn(attachmentsFolder(dataDir), path)
  writeFileSync(file, 'another')
  expect(await restore(place(), backup)).not.toContain('Warning')
  expect(readFileSync(file, 'utf8')).toBe('one')
})

test('[SERVER-46] the files of data that are set aside are put back with them', async () => {
  const [path = ''] = await makeFiles('one')
  const elsewhere = place({ dataDir: join(folder, 'elsewhere') })
  await (await start(elsewhere.dataDir)).kill()
  await backUp(elsewhere, { file: backup, isWithKey: true })
  const words = await restore(place(), backup)
  const aside = /kept as (\S+)\./.exec(words)?.[1] ?? ''
  expect(words).toContain(`What was there is kept as ${aside}.files.`)
  // As a server on the backup does, whose data know nothing of it.
  rmSync(blobIn(attachmentsFolder(dataDir), path))
  await restore(place({ instanceKey }), aside)
  expect(readFileSync(blobIn(attachmentsFolder(dataDir), path), 'utf8')).toBe('one')
})

test.each([
  ['the uploaded files', (of: string) => writeFileSync(attachmentsFolder(of), 'no folder')],
  [
    'the key',
    // A folder stands where the key is written first.
    (of: string) => {
      for (const name of ['', '.restored']) mkdirSync(join(of, `instance.key${name}.part`))
    },
  ],
])(
  '[SERVER-67] replaces nothing where it can not write %s, and says so in a sentence',
  async (_what, hinder) => {
    await makeFiles('one')
    await backUp(place(), { file: backup, isWithKey: true })
    const elsewhere = join(folder, 'elsewhere')
    await (await start(elsewhere)).kill()
    hinder(elsewhere)
    const contents = () =>
      ['gateleg.db', 'instance.key'].map((name) =>
        hash('sha256', readFileSync(join(elsewhere, name))),
      )
    const before = contents()
    const refusal = restore(place({ dataDir: elsewhere }), backup)
    await expect(refusal).rejects.toThrow(
      /^A file can't be read, or written in \S+ \(E[A-Z]+\): look/,
    )
    expect(contents()).toEqual(before)
  },
)

test('[SERVER-45] files in a bucket stay there', async () => {
  await makeFiles('one')
  const inBucket = { s3: { bucket: 'b' } as never }
  const said = await backUp(place(inBucket), { file: backup, isWithKey: true })
  expect(said).toContain('The uploaded files are in the bucket, and are not part of the backup.')
  expect(existsSync(`${backup}.files`)).toBe(false)
  const elsewhere = place({ dataDir: join(folder, 'elsewhere'), ...inBucket })
  expect(await restore(elsewhere, backup)).toContain('The uploaded files are those of the bucket.')
})
