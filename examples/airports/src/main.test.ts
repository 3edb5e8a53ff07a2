import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@gateleg/contract/client'
import { afterEach, expect, test } from 'vitest'
import { countries } from './airport-tables.ts'
import { checkAnswers } from './check-answers.ts'
import { loadTable } from './load-table.ts'
import { type OwnServer, startOwnServer } from './own-server.ts'

const run = promisify(execFile)
const program = join(import.meta.dirname, 'main.ts')

let server: OwnServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

/** Counted in the files by other means than this program's. */
const rightAnswers = `right  records of Countries: 249
right  cells of Countries that differ: 0
right  African countries: 60
right  records of Regions: 3,987
right  cells of Regions that differ: 0
right  the country with most regions: SI (197)
right  records of Navigation aids: 11,008
right  cells of Navigation aids that differ: 0
right  the northernmost navigation aid: Alert (82.526)
right  TACAN stations of high power: 234
right  records of Runways: 48,184
right  cells of Runways that differ: 0
right  the longest runway in feet: US-11694 (30,000)
right  lighted runways: 12,343
right  open runways of turf: 7,478
right  feet of runway in all: 153,753,786
`

test('loads every file into a server of its own and gets the right answers', async () => {
  const { stdout, stderr } = await run(process.execPath, [program])
  expect(stderr).toBe('')
  const seconds = String.raw`\d+\.\d s \([\d,]+ rows per second\)`
  expect(stdout.split('\n').slice(0, 5)).toEqual([
    expect.stringMatching(`^Countries: 249 records in ${seconds}$`),
    expect.stringMatching(`^Regions: 3,987 records in ${seconds}$`),
    expect.stringMatching(`^Navigation aids: 11,008 records in ${seconds}$`),
    expect.stringMatching(`^Runways: 48,184 records in ${seconds}$`),
    expect.stringMatching(`^In all: 63,428 records in ${seconds}$`),
  ])
  expect(stdout.split('\n').slice(5).join('\n')).toBe(rightAnswers)
})

test('loads every file into a server that it is told of', async () => {
  server = await startOwnServer()
  const { url, token } = server
  const { stdout } = await run(process.execPath, [program, '--url', url, '--token', token])
  expect(stdout).toContain(rightAnswers)
  const api = createClient({ baseUrl: `${url}/api`, token })
  const [base] = await api.bases.listAllBases({})
  const tables = await api.tables.listTables({ baseId: base?.id ?? '' })
  expect(tables.map(({ name }) => name)).toEqual([
    'Countries',
    'Regions',
    'Navigation aids',
    'Runways',
  ])
})

test('finds out when the server holds something else than the file', async () => {
  server = await startOwnServer()
  const api = createClient({ baseUrl: `${server.url}/api`, token: server.token })
  const [space] = await api.spaces.listSpaces({})
  const { id: baseId } = await api.bases.createBase({ spaceId: space?.id ?? '' })
  const { tableId } = await loadTable(api, baseId, countries, () => {})
  const { records } = await api.records.listRecords({ tableId, take: 1 })
  const recordId = records[0]?.id ?? ''
  await api.records.updateRecord({ tableId, recordId, record: { fields: { continent: 'AF' } } })
  await api.records.createRecords({ tableId, records: [{ fields: { name: 'Atlantis' } }] })
  expect(await checkAnswers(api, tableId, countries)).toEqual([
    { title: 'records of Countries', found: '250', expected: '249' },
    { title: 'cells of Countries that differ', found: '1', expected: '0' },
    { title: 'African countries', found: '61', expected: '60' },
  ])
})

test('asks for a token when it is told of a server', async () => {
  await expect(
    run(process.execPath, [program, '--url', 'http://127.0.0.1:1']),
  ).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--url needs --token'),
  })
})
