import type { Bench, Benchmark, Measurement } from '../benchmark.ts'
import type { Ours } from '../contenders.ts'
import { LoadClient, type LoadRequest } from '../load-client.ts'
import { logBytes, memoryBytes, watchHighest } from '../measure-process.ts'
import { sampleFields, sampleRecords } from '../sample-table.ts'
import { percentile } from '../statistics.ts'

const connections = 16
const fieldCount = 5
const counts = { small: 1_000, large: 1_000_000 }
const recordsPerRequest = 1_000

const requestsPerCase = 2_000
/** How many times as long a read may take on the large table. */
const ratioMax = 1.2
const bytesMax = { memory: 250 * 1024 ** 2, log: 64 * 1024 ** 2 }
/** A prime that doesn't divide the number of records: its multiples visit all of them, in no order. */
const stride = 7_919

/** A million records, and whether reads take as long there as where there are a thousand. */
export const scale: Benchmark = {
  name: 'scale',
  run: async ({ contenders, say }: Bench) => {
    const ours = await contenders.startOurs()
    const client = new LoadClient({ url: ours.url, connections, token: ours.token })
    const small = await fill(ours, client, counts.small)
    say(`loading ${counts.large} records, ${connections} requests at a time`)
    const log = watchHighest(() => logBytes(ours.folder))
    const large = await fill(ours, client, counts.large)
    const logMost = log.stop()
    const measurements = [
      bounded('memory after the load', memoryBytes(ours.pid), bytesMax.memory),
      ...(logMost > 0 ? [bounded('log of SQLite, at most', logMost, bytesMax.log)] : []),
    ]
    say(`loaded ${Math.round(large.perSecond)} records in a second`)
    for (const [name, toRequest] of Object.entries(cases)) {
      say(name)
      measurements.push(...(await compare(client, name, toRequest, { small, large })))
    }
    await client.close()
    return measurements
  },
}

interface Filled {
  readonly tableId: string
  /** One of every thousand. */
  readonly recordIds: readonly string[]
  /** Records that were loaded in a second. */
  readonly perSecond: number
}

/** What is read again and again; the number chooses of which record. */
const cases: Readonly<Record<string, (table: Filled, n: number) => LoadRequest>> = {
  'one record': ({ tableId, recordIds }, n) => ({
    method: 'GET',
    path: `/api/table/${tableId}/record/${recordIds[(n * stride) % recordIds.length]}`,
  }),
  'page of 100': ({ tableId }) => ({
    method: 'GET',
    path: `/api/table/${tableId}/record?take=100`,
  }),
}

async function fill({ api, baseId }: Ours, client: LoadClient, count: number): Promise<Filled> {
  const { id: tableId } = await api.tables.createTable({
    baseId,
    name: `${count} records`,
    fields: sampleFields(fieldCount),
    records: [],
  })
  const path = `/api/table/${tableId}/record`
  const toRequest = (n: number): LoadRequest => {
    const records = sampleRecords(fieldCount, n * recordsPerRequest, recordsPerRequest)
    return { method: 'POST', path, body: JSON.stringify({ records }) }
  }
  const recordIds: string[] = []
  const requestsPerSecond = await client.drive(
    connections,
    count / recordsPerRequest,
    toRequest,
    (answer) => recordIds.push(JSON.parse(answer.toString('utf8')).records[0].id),
  )
  return { tableId, recordIds, perSecond: requestsPerSecond * recordsPerRequest }
}

/** Reads of the one table and the other by turns, so that what else the machine does hits both. */
async function compare(
  client: LoadClient,
  name: string,
  toRequest: (table: Filled, n: number) => LoadRequest,
  tables: Readonly<Record<keyof typeof counts, Filled>>,
): Promise<readonly Measurement[]> {
  const times: Record<keyof typeof counts, number[]> = { small: [], large: [] }
  for (let n = 0; n < requestsPerCase; n++) {
    for (const size of ['small', 'large'] as const) {
      times[size].push(await client.time(toRequest(tables[size], n)))
    }
  }
  return [50, 99].map((percent) => {
    const small = percentile(times.small, percent)
    const large = percentile(times.large, percent)
    return {
      name: `${name}, 1,000,000 records against 1,000, p${percent}`,
      ours: `${large.toFixed(2)} ms`,
      other: `${small.toFixed(2)} ms`,
      ratio: large / small,
      target: `<= ${ratioMax}`,
      isMet: large / small <= ratioMax,
    }
  })
}

function bounded(name: string, bytes: number, most: number): Measurement {
  const toText = (value: number) => `${Math.round(value / 1024 ** 2)} MiB`
  return { name, ours: toText(bytes), target: `<= ${toText(most)}`, isMet: bytes <= most }
}
