import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from 'gateleg/client'
import { afterEach, expect, test } from 'vitest'
import { addComputedFields } from './add-computed-fields.ts'
import { countries, regions } from './airport-tables.ts'
import { checkAnswers } from './check-answers.ts'
import { checkComputedFields } from './check-computed-fields.ts'
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
right  values of "country_name" of Regions that differ: 0
right  values of "country_continent" of Regions that differ: 0
right  values of "label" of Regions that differ: 0
right  values of "Regions" of Countries that differ: 0
right  values of "region_count" of Countries that differ: 0
right  values of "summary" of Countries that differ: 0
right  the country with most regions, by its rollup: Slovenia: 197 regions
`

test('loads every file into a server of its own and gets the right answers', async () => {
  const { stdout, stderr } = await run(process.execPath, [program])
  expect(stderr).toBe('')
  const seconds = String.raw`\d+\.\d s \([\d,]+ rows per second\)`
  expect(stdout.split('\n').slice(0, 6)).toEqual([
    expect.stringMatching(`^Countries: 249 records in ${seconds}$`),
    expect.stringMatching(`^Regions: 3,987 records in ${seconds}$`),
    expect.stringMatching(`^Navigation aids: 11,008 records in ${seconds}$`),
    expect.stringMatching(`^Runways: 48,184 records in ${seconds}$`),
    expect.stringMatching(`^In all: 63,428 records in ${seconds}$`),
    expect.stringMatching(String.raw`^Computed: 5 fields in \d+\.\d s$`),
  ])
  expect(stdout.split('\n').slice(6).join('\n')).toBe(rightAnswers)
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

async function openBase({ url, token }: OwnServer) {
  const api = createClient({ baseUrl: `${url}/api`, token })
  const [space] = await api.spaces.listSpaces({})
  const { id: baseId } = await api.bases.createBase({ spaceId: space?.id ?? '' })
  return { api, baseId }
}

test('finds out when the server holds something else than the file', async () => {
  server = await startOwnServer()
  const { api, baseId } = await openBase(server)
  const { tableId } = await loadTable(api, countries, { baseId, tableIds: new Map() })
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

test('finds out when computed fields hold something else than follows from the files', async () => {
  server = await startOwnServer()
  const { api, baseId } = await openBase(server)
  const tableIds = new Map()
  for (const table of [countries, regions]) {
    tableIds.set(table, (await loadTable(api, table, { baseId, tableIds })).tableId)
  }
  await addComputedFields(api, tableIds)
  const tableId: string = tableIds.get(countries)
  const { records } = await api.records.listRecords({ tableId, take: 1_000 })
  const find = (code: string) => records.find(({ fields }) => fields.code === code)
  const change = (recordId = '', fields: Record<string, unknown>) =>
    api.records.updateRecord({ tableId, recordId, record: { fields } })
  await change(find('SI')?.id, { name: 'Carniola' })
  const links = find('AD')?.fields.Regions as readonly { readonly id: string }[]
  await change(find('AD')?.id, { Regions: links.slice(1) })
  expect(await checkComputedFields(api, tableIds)).toEqual([
    { title: 'values of "country_name" of Regions that differ', found: '198', expected: '0' },
    { title: 'values of "country_continent" of Regions that differ', found: '1', expected: '0' },
    { title: 'values of "label" of Regions that differ', found: '198', expected: '0' },
    { title: 'values of "Regions" of Countries that differ', found: '1', expected: '0' },
    { title: 'values of "region_count" of Countries that differ', found: '1', expected: '0' },
    { title: 'values of "summary" of Countries that differ', found: '2', expected: '0' },
    {
      title: 'the country with most regions, by its rollup',
      found: 'Carniola: 197 regions',
      expected: 'Slovenia: 197 regions',
    },
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
