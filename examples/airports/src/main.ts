import { parseArgs } from 'node:util'
import { type Api, createClient } from 'gateleg/client'
import { addComputedFields } from './add-computed-fields.ts'
import { type AirportTable, airportTables } from './airport-tables.ts'
import { type CheckedAnswer, checkAnswers } from './check-answers.ts'
import { checkComputedFields } from './check-computed-fields.ts'
import { type LoadedTable, loadTable } from './load-table.ts'
import { startOwnServer } from './own-server.ts'

// Loads the OurAirports files into a base of a server, through HTTP, and checks what the server holds:
// `node examples/airports/src/main.ts [--url http://127.0.0.1:3000 --token <access token>]`.
// Without a server named, it starts one of its own, and removes its data at the end.

const { values } = parseArgs({ options: { url: { type: 'string' }, token: { type: 'string' } } })

if (values.url !== undefined && values.token === undefined) {
  console.error('--url needs --token: an access token, or the accessToken that a sign-in answers')
  process.exit(2)
}

const own = values.url === undefined ? await startOwnServer() : undefined
const url = own?.url ?? values.url
const token = own?.token ?? values.token ?? ''
const api = createClient({ baseUrl: `${url}/api`, token })
process.exitCode = (await loadAndCheck(api)) ? 0 : 1
await own?.close()

/** Returns whether all answers were right. */
async function loadAndCheck(api: Api): Promise<boolean> {
  const tableIds = await loadAll(api)
  const startedMs = performance.now()
  const count = await addComputedFields(api, tableIds)
  console.log(`Computed: ${count} fields in ${toSeconds(performance.now() - startedMs)}`)
  const answers: CheckedAnswer[] = []
  for (const [table, tableId] of tableIds)
    answers.push(...(await checkAnswers(api, tableId, table)))
  answers.push(...(await checkComputedFields(api, tableIds)))
  for (const answer of answers) {
    console.log(`${isRight(answer) ? 'right' : 'WRONG'}  ${answer.title}: ${answer.found}`)
    if (!isRight(answer)) console.log(`       the files say ${answer.expected}`)
  }
  return answers.every(isRight)
}

/** Loads every file; answers the ids of the tables. */
async function loadAll(api: Api): Promise<ReadonlyMap<AirportTable, string>> {
  const baseId = await createBase(api)
  const tableIds = new Map<AirportTable, string>()
  const all: LoadedTable[] = []
  for (const table of airportTables) {
    const onProgress = (records: number) => showProgress(table, records)
    const loaded = await loadTable(api, table, { baseId, tableIds, onProgress })
    tableIds.set(table, loaded.tableId)
    all.push(loaded)
    console.log(`${table.name}: ${rate(loaded)}`)
  }
  const records = all.reduce((sum, loaded) => sum + loaded.records, 0)
  const tookMs = all.reduce((sum, loaded) => sum + loaded.tookMs, 0)
  console.log(`In all: ${rate({ records, tookMs })}`)
  return tableIds
}

function isRight({ found, expected }: CheckedAnswer): boolean {
  return found === expected
}

async function createBase(api: Api): Promise<string> {
  const [space] = await api.spaces.listSpaces({})
  if (!space) throw new Error('The account behind the token has no space to make a base in')
  return (await api.bases.createBase({ spaceId: space.id, name: 'Airports' })).id
}

function rate({ records, tookMs }: Pick<LoadedTable, 'records' | 'tookMs'>): string {
  const perSecond = Math.round(records / (tookMs / 1_000)).toLocaleString('en')
  const count = records.toLocaleString('en')
  return `${count} records in ${toSeconds(tookMs)} (${perSecond} rows per second)`
}

function toSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

/** One line that moves, where there is a terminal to see it. */
function showProgress({ name, records: expected }: AirportTable, records: number): void {
  if (!process.stderr.isTTY) return
  const percent = Math.floor((100 * records) / expected)
  process.stderr.write(`\r${name}: ${records.toLocaleString('en')} (${percent} %)\r`)
}
