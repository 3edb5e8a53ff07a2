import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runProgram, type ServerProcess, startServer } from '../../../../test/server-process.ts'

let folder: string
let server: ServerProcess
let environment: Readonly<Record<string, string>>
let baseId: string

const start = () => startServer({ DATA_DIR: join(folder, 'data') })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  server = await start()
  const email = 'ada@example.com'
  const { accessToken } = await server.api().accounts.signUp({ email, password: 'correct horse 1' })
  const api = server.api(accessToken)
  const [space] = await api.spaces.listSpaces({})
  baseId = (await api.bases.createBase({ spaceId: space?.id ?? '', name: 'Base' })).id
  environment = { GATELEG_URL: server.url, GATELEG_TOKEN: accessToken }
})
afterAll(async () => {
  await server.kill()
  rmSync(folder, { recursive: true })
})

const run = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  runProgram(words, { ...environment, ...more })
const fileOf = (name: string, text: string) => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

test('[SERVER-40] imports a file as a table, exports it again, and imports that into it', async () => {
  const file = fileOf('Books.csv', 'Title,Pages\nEmma,474\n"A, b",12\n')
  const imported = await run(['import', file, '--base', baseId])
  expect(imported).toMatchObject({ code: 0, stderr: '' })
  const [, tableId = ''] =
    /2 of 2 rows are records of the table (\w+) now/.exec(imported.stdout) ?? []
  const csv = 'Title,Pages\r\nEmma,474\r\n"A, b",12\r\n'
  const out = join(folder, 'out.csv')
  expect(await run(['export', tableId, '--out', out])).toMatchObject({ code: 0, stderr: '' })
  expect(readFileSync(out, 'utf8')).toBe(`\ufeff${csv}`)
  expect((await run(['export', tableId])).stdout).toBe(`\ufeff${csv}`)
  const again = await run(['import', out, '--base', baseId, '--table', tableId])
  expect(again.stdout).toContain('2 of 2 rows are records')
  const wrong = fileOf('wrong.csv', 'Title,Pages\nx,many\n')
  expect((await run(['import', wrong, '--base', baseId, '--table', tableId])).stdout).toContain(
    "line 2, Pages: can't be read as number",
  )
})

test('[SERVER-40] says why it can not, with exit code 1', async () => {
  const file = fileOf('bad.csv', 'a\n"b')
  const there = fileOf('there.csv', 'x')
  const none = join(folder, 'none.csv')
  const refused = async (words: readonly string[], more = {}) => {
    const { code, stdout, stderr } = await run(words, more)
    expect([code, stdout]).toEqual([1, ''])
    return stderr
  }
  expect(await refused(['import', file, '--base', baseId])).toContain('line 2: a quote is opened')
  expect(await refused(['import', none, '--base', baseId])).toContain('There is no file')
  expect(await refused(['import', folder, '--base', baseId])).toContain('is a directory')
  const withApi = { GATELEG_URL: `${server.url}/api/` }
  const noTable = 'There is no table "tblNone"'
  expect(await refused(['export', 'tblNone'], withApi)).toContain(noTable)
  expect(await refused(['export', 'tblNone', '--out', there])).toContain('exists already')
  expect(await refused(['export', 'tblNone', '--out', none])).toContain('There is no table')
  expect(existsSync(none)).toBe(false)
  expect(await refused(['export', 'x'], { GATELEG_TOKEN: '' })).toContain('Set GATELEG_TOKEN')
  expect(await refused(['export', 'x'], { GATELEG_URL: 'x' })).toContain(
    'GATELEG_URL must be a URL',
  )
  const closed = { GATELEG_URL: 'http://127.0.0.1:9' }
  expect(await refused(['export', 'x'], closed)).toContain('No server answered at')
})

test('[SERVER-62] makes a base of the archive that it wrote, and none where it can not', async () => {
  const api = server.api(environment.GATELEG_TOKEN)
  const [space] = await api.spaces.listSpaces({})
  const spaceId = space?.id ?? ''
  const bases = async () => (await api.bases.listBases({ spaceId })).map(({ name }) => name)
  const file = join(folder, 'base.gateleg')
  expect(await run(['export-base', baseId, file])).toMatchObject({ code: 0, stderr: '' })
  const named = await run(['import-base', file, '--space', spaceId, '--name', 'Twin'])
  expect(named).toMatchObject({ code: 0, stderr: '' })
  expect(named.stdout).toMatch(/^"Twin" is there as the base bse\w+\.\n$/)
  const before = await bases()
  expect(before).toEqual(expect.arrayContaining(['Base', 'Twin']))
  const cut = fileOf('cut.gateleg', readFileSync(file, 'utf8').slice(0, -80))
  const refused = await run(['import-base', cut, '--space', spaceId])
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/line \d+/) })
  expect(await bases()).toEqual(before)
  const whole = join(folder, 'whole.gateleg')
  const all = ['--with-history', '--with-trash']
  expect(await run(['export-base', baseId, whole, ...all])).toMatchObject({ code: 0 })
  expect(readFileSync(whole, 'utf8')).toContain('"version":4')
  const taken = await run(['import-base', whole, '--space', spaceId, '--same-ids'])
  expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining(baseId) })
  expect(await bases()).toEqual(before)
  const none = join(folder, 'none.gateleg')
  expect((await run(['export-base', 'bseNone', none])).stderr).toContain('There is no base')
  expect(existsSync(none)).toBe(false)
})

test('[SERVER-41] goes on with an import when it was killed in the middle of it', async () => {
  const count = 12_000
  const rows = Array.from({ length: count }, (_, n) => `row ${n},${n}\n`)
  const token = environment.GATELEG_TOKEN
  const { id, tableId, state } = await server.api(token).imports.importTable({
    baseId,
    content: `Name,Count\n${rows.join('')}`,
  })
  expect(state).toBe('running')
  const created = async () => {
    const { rowsCreated } = await server.api(token).imports.getImport({ baseId, importId: id })
    return rowsCreated
  }
  while ((await created()) === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  await server.kill()
  server = await start()
  environment = { ...environment, GATELEG_URL: server.url }
  const api = server.api(token)
  const status = () => api.imports.getImport({ baseId, importId: id })
  while ((await status()).state === 'running')
    await new Promise((resolve) => setTimeout(resolve, 200))
  expect(await status()).toMatchObject({ state: 'done', rowsCreated: count, rowsLeftOut: 0 })
  let text = ''
  for await (const part of await api.exports.exportTable({ tableId, bom: false })) text += part
  expect(text.replaceAll('\r\n', '\n')).toBe(`Name,Count\n${rows.join('')}`)
}, 120_000)
