import { setTimeout as pause } from 'node:timers/promises'
import type { Bench, Benchmark, Measurement } from '../benchmark.ts'
import type { Ours } from '../contenders.ts'
import { createFilledTable, createTableOf } from '../filled-table.ts'
import { LoadClient } from '../load-client.ts'
import { type LongJob, longReads, repeatRead } from '../long-reads.ts'
import { probeWhile } from '../probe.ts'
import type { SampleRecord } from '../sample-table.ts'
import { percentile } from '../statistics.ts'
import { waitUntilDone } from '../wait-until-done.ts'

const recordCount = 1_000_000
/** What others wait for at most while a long job is under way. */
const targetMs = { p99: 25, longest: 100 }
/** So many that a hundredth of the waits is several of them. */
const batches = 200
const recordsPerBatch = 5_000
const deepPages = 20
/** How long the waits are looked at that there are without a long job. */
const idleMs = 5_000

/**
 * How long others wait, on another table and for the state of the server, while one long job after
 * another goes through a million records.
 */
export const stalls: Benchmark = {
  name: 'stalls',
  run: async ({ contenders, say }: Bench) => {
    const ours = await contenders.startOurs()
    say(`filling a table with ${recordCount} records`)
    const largeId = await fillLarge(ours)
    const { tableId } = await createFilledTable(ours, { fields: 5, records: 1_000 })
    const client = new LoadClient({ url: ours.url, connections: 1, token: ours.token })
    const measurements: Measurement[] = []
    for (const { name, run } of await longJobs(ours, client, largeId)) {
      say(name)
      const startedMs = performance.now()
      const waits = await probeWhile(ours, tableId, run)
      say(`took ${Math.round(performance.now() - startedMs)} ms`)
      for (const [probe, times] of waits) {
        measurements.push(toMeasurement(`${name}: ${probe}`, times))
      }
    }
    await client.close()
    return measurements
  },
}

/** The table's id; those of its records are let go: to collect garbage beside them took the processors from the server. */
async function fillLarge(ours: Ours): Promise<string> {
  const records = Array.from({ length: recordCount }, (_, n): SampleRecord => {
    const text = `${(n * 7_919) / 100}`
    return { fields: { Name: `Line ${n}`, Text: text, Number: n, Kind: n % 1_000 } }
  })
  const { tableId } = await createTableOf(ours, {
    name: 'Large',
    fields: [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Text', type: 'singleLineText' },
      { name: 'Number', type: 'number' },
      { name: 'Kind', type: 'number' },
    ],
    records,
  })
  return tableId
}

async function longJobs(
  { api, baseId }: Ours,
  client: LoadClient,
  tableId: string,
): Promise<readonly LongJob[]> {
  const fields = await api.fields.listFields({ tableId })
  const idOf = (name: string) => fields.find((field) => field.name === name)?.id ?? ''
  const text = idOf('Text')
  const number = { column: idOf('Number'), type: 'field' }
  const chart = {
    ...{ from: tableId, groupBy: [{ column: idOf('Kind'), type: 'field' }] },
    aggregation: ['sum', 'max'].map((statisticFunc) => ({ ...number, statisticFunc })),
  }
  const chartPath = `/api/base/${baseId}/query?query=${encodeURIComponent(JSON.stringify(chart))}`
  const finish = (fieldId: string) =>
    waitUntilDone(client, `/api/table/${tableId}/field/${fieldId}`)
  const records = Array.from({ length: recordsPerBatch }, (_, n) => ({ fields: { Number: n } }))
  const batch = Buffer.from(JSON.stringify({ records }))
  return [
    { name: 'nothing', run: () => pause(idleMs) },
    // Before the table is changed, and long before the background looks which indexes these could use.
    ...longReads(client, tableId),
    { name: 'chart', run: repeatRead(client, chartPath) },
    {
      name: 'conversion',
      run: async () => {
        await api.fields.convertField({ tableId, fieldId: text, type: 'number' })
        await finish(text)
      },
    },
    {
      name: 'formula',
      run: async () => {
        const options = { expression: '{Number} * 2 + 1' }
        const { id } = await api.fields.createField({ tableId, type: 'formula', options })
        await finish(id)
      },
    },
    {
      name: 'bulk create',
      run: async () => {
        for (let n = 0; n < batches; n++) {
          await client.finish({ method: 'POST', path: `/api/table/${tableId}/record`, body: batch })
        }
      },
    },
    {
      name: 'deep page',
      run: async () => {
        for (let n = 0; n < deepPages; n++) {
          await api.records.listRecords({ tableId, skip: recordCount - 10_000, take: 100 })
        }
      },
    },
    { name: 'hash', run: async () => void (await api.bases.verifyBase({ baseId })) },
  ]
}

function toMeasurement(name: string, times: readonly number[]): Measurement {
  const [p50, p99, longest] = [50, 99, 100].map((percent) => percentile(times, percent))
  const isMet = (p99 ?? 0) <= targetMs.p99 && (longest ?? 0) <= targetMs.longest
  const ours = [p50, p99, longest].map((ms = 0) => ms.toFixed(1)).join(' / ')
  const target = `${targetMs.p99} / ${targetMs.longest} ms`
  return { name: `${name}, p50 / p99 / longest of ${times.length}`, ours, target, isMet }
}
