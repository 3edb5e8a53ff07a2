import type { Bench, Benchmark, Measurement } from '../benchmark.ts'
import type { Ours } from '../contenders.ts'
import { createFilledTable } from '../filled-table.ts'
import { LoadClient, type LoadRequest } from '../load-client.ts'
import { sampleFields, sampleRecords } from '../sample-table.ts'
import { percentile } from '../statistics.ts'
import { timeCascades } from './cascade-cases.ts'
import { timeConversions, timeFormulas } from './computed-cases.ts'

/**
 * What one case may take at most, per storage: a tenth of the best figure that a peer has published, or
 * less. Those figures are theirs, made on their machines and not measured here; how they set up their
 * cases is not published in full, how these are stands beside each.
 */
const targetsMs: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  sqlite: {
    'create 1k x 20': 60,
    'update 1k x 20': 90,
    'delete 1k': 25,
    'read 10k x 50 in 10 pages': 350,
    'add a text field on 50k': 20,
    'delete a field on 50k': 20,
    'delete a table of 50k': 20,
    'formula calc 10k': 150,
    '5 formula fields on 10k': 300,
    'convert text -> link 10k': 500,
    '4k rows, depth-5 cascade of fields': 400,
    '4k rows, depth-5 cascade of tables': 400,
  },
  postgres: {
    'create 1k x 20': 120,
    'update 1k x 20': 180,
    'delete 1k': 50,
    'read 10k x 50 in 10 pages': 378,
    'add a text field on 50k': 20,
    'delete a field on 50k': 20,
    'delete a table of 50k': 20,
    'formula calc 10k': 250,
    '5 formula fields on 10k': 500,
    'convert text -> link 10k': 800,
    '4k rows, depth-5 cascade of fields': 800,
    '4k rows, depth-5 cascade of tables': 800,
  },
}

const repetitions = 20
/** Each takes a second or so to fill. */
const tablesDeleted = 6
const fieldCount = 20
const fieldCountWide = 50
const batch = 1_000
const manyRecords = 50_000
const pages = 10

/** Cases that are published for a peer, each from request to answer, at the 95th percentile. */
export const knownCases: Benchmark = {
  name: 'cases',
  run: async ({ contenders, storageName, say }: Bench) => {
    const ours = await contenders.startOurs()
    const client = new LoadClient({ url: ours.url, connections: 1, token: ours.token })
    const times: Record<string, readonly number[]> = {
      ...(await timeBatches(ours, client, say)),
      ...(await timePages(ours, client, say)),
      ...(await timeStructure(ours, client, say)),
      ...(await timeFormulas(ours, client, say)),
      ...(await timeConversions(ours, client, say)),
      ...(await timeCascades(ours, client, say)),
    }
    await client.close()
    return Object.entries(times).map(([name, values]) =>
      toMeasurement(name, values, targetsMs[storageName]?.[name] ?? Number.NaN),
    )
  },
}

function toMeasurement(name: string, values: readonly number[], targetMs: number): Measurement {
  const p95 = percentile(values, 95)
  return {
    name: `${name}, p95 of ${values.length}`,
    ours: `${p95.toFixed(1)} ms`,
    target: `<= ${targetMs} ms`,
    isMet: p95 <= targetMs,
  }
}

/** Creates, updates and deletes 1,000 records, again and again; the first round warms up. */
async function timeBatches(ours: Ours, client: LoadClient, say: Bench['say']) {
  say('batches of 1,000 records')
  const { id: tableId } = await ours.api.tables.createTable({
    baseId: ours.baseId,
    fields: sampleFields(fieldCount),
    records: [],
  })
  const path = `/api/table/${tableId}/record`
  const create: number[] = []
  const update: number[] = []
  const remove: number[] = []
  for (let repetition = 0; repetition <= repetitions; repetition++) {
    const body = JSON.stringify({ records: sampleRecords(fieldCount, 0, batch) })
    const startedMs = performance.now()
    const answer = await client.send({ method: 'POST', path, body })
    create.push(performance.now() - startedMs)
    const created = JSON.parse(answer.toString('utf8')) as { records: { id: string }[] }
    const ids = created.records.map(({ id }) => id)
    const changed = sampleRecords(fieldCount, batch, batch).map(({ fields }, index) => ({
      id: ids[index],
      fields,
    }))
    update.push(
      await client.time({ method: 'PATCH', path, body: JSON.stringify({ records: changed }) }),
    )
    const query = ids.map((id) => `recordIds[]=${id}`).join('&')
    remove.push(await client.time({ method: 'DELETE', path: `${path}?${query}` }))
  }
  return {
    'create 1k x 20': create.slice(1),
    'update 1k x 20': update.slice(1),
    'delete 1k': remove.slice(1),
  }
}

/** Walks a table by cursor, from start to end. */
async function timePages(ours: Ours, client: LoadClient, say: Bench['say']) {
  say('pages of 1,000 records')
  const { tableId } = await createFilledTable(ours, {
    fields: fieldCountWide,
    records: pages * batch,
  })
  const path = `/api/table/${tableId}/record?take=${batch}`
  const times: number[] = []
  for (let repetition = 0; repetition <= repetitions; repetition++) {
    let tookMs = 0
    let cursor: string | null = ''
    for (let page = 0; cursor !== null; page++) {
      if (page === pages) throw new Error('The table has more pages than were written')
      const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const startedMs = performance.now()
      const answer = await client.send({ method: 'GET', path: path + query })
      tookMs += performance.now() - startedMs
      cursor = (JSON.parse(answer.toString('utf8')) as { nextCursor: string | null }).nextCursor
    }
    times.push(tookMs)
  }
  return { 'read 10k x 50 in 10 pages': times.slice(1) }
}

/** Changes the structure of tables with many records. */
async function timeStructure(ours: Ours, client: LoadClient, say: Bench['say']) {
  say(`filling a table with ${manyRecords} records`)
  const size = { fields: fieldCount, records: manyRecords }
  const { tableId } = await createFilledTable(ours, size)
  const path = `/api/table/${tableId}/field`
  const add: number[] = []
  const remove: number[] = []
  for (let repetition = 0; repetition <= repetitions; repetition++) {
    const body = JSON.stringify({ type: 'singleLineText', name: 'Added' })
    const startedMs = performance.now()
    const answer = await client.send({ method: 'POST', path, body })
    add.push(performance.now() - startedMs)
    const { id } = JSON.parse(answer.toString('utf8')) as { id: string }
    remove.push(await client.time({ method: 'DELETE', path: `${path}/${id}` }))
  }
  const tables = [tableId]
  while (tables.length <= tablesDeleted) {
    say(`filling table ${tables.length} of ${tablesDeleted} to delete`)
    tables.push((await createFilledTable(ours, { ...size, fields: 5 })).tableId)
  }
  const removeTable: number[] = []
  for (const id of tables.toReversed()) {
    const request: LoadRequest = { method: 'DELETE', path: `/api/base/${ours.baseId}/table/${id}` }
    removeTable.push(await client.time(request))
  }
  return {
    'add a text field on 50k': add.slice(1),
    'delete a field on 50k': remove.slice(1),
    'delete a table of 50k': removeTable.slice(1),
  }
}
