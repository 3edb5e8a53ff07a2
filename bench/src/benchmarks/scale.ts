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
    const startedMs = performance.now()
    const large = await fill(ours, client, counts.large)
    const perSecond = counts.large / ((performance.now() - startedMs) / 1_000)
    const logMost = log.stop()
    const measurements = [
      bounded('memory after the load', memoryBytes(ours.pid), bytesMax.memory),
      ...(logMost > 0 ? [bounded('log of SQLite, at most', logMost, bytesMax.log)] : []),
    ]
    say(`loaded ${Math.round(perSecond)} records in a second`)
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
  const recordIds: string[] = []
  const requests = count / recordsPerRequest
  let next = 0
  const loop = async () => {
    while (next < requests) {
      const first = next++ * recordsPerRequest
      const records = sampleRecords(fieldCount, first, recordsPerRequest)
      const body = JSON.stringify({ records })
      const path = `/api/table/${tableId}/record`
      const made = await client.sendForJson<{
        readonly records: readonly { readonly id: string }[]
      }>({ method: 'POST', path, body })
      recordIds.push(made.records[0]?.id ?? '')
    }
  }
  await Promise.all(Array.from({ length: connections }, loop))
  return { tableId, recordIds }
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
