import { setTimeout as pause } from 'node:timers/promises'
import type { Bench, Benchmark, Measurement } from '../benchmark.ts'
import { createFilledTable, type FilledTable } from '../filled-table.ts'
import { inTurns, medianRatio } from '../in-turns.ts'
import { LoadClient, type LoadRequest } from '../load-client.ts'
import { sampleRecord, sampleRecords } from '../sample-table.ts'
import { median } from '../statistics.ts'

const fieldCount = 5
const recordCount = 10_000
const ratioMax = 1.15

/** The background looks for an index that is switched on every five seconds, and makes this one in less than that. */
const indexMadeMs = 15_000

/** A prime that doesn't divide the number of records: its multiples visit all of them, in no order. */
const stride = 7_919

/** A kind of write: so many requests of a turn, so many at a time. */
interface Case {
  readonly name: string
  readonly connections: number
  readonly requests: number
  readonly toRequest: (table: FilledTable, index: number) => LoadRequest
}

const cases: readonly Case[] = [
  { name: 'change one record', connections: 1, requests: 100, toRequest: toChange },
  {
    name: 'change one record, 16 at a time',
    connections: 16,
    requests: 400,
    toRequest: toChange,
  },
  { name: 'create one record', connections: 1, requests: 100, toRequest: toCreation(1) },
  { name: 'change 1,000 records', connections: 1, requests: 2, toRequest: toChanges },
  { name: 'create 1,000 records', connections: 1, requests: 2, toRequest: toCreation(1_000) },
]

/** Writes into a table with the index of searches, against the same into one without. */
export const searchNotes: Benchmark = {
  name: 'indexed',
  run: async ({ contenders, rounds, say }: Bench) => {
    const ours = await contenders.startOurs()
    const { api, baseId } = ours
    const size = { fields: fieldCount, records: recordCount }
    const [withIndex, without] = [
      await createFilledTable(ours, size),
      await createFilledTable(ours, size),
    ]
    await api.tables.toggleIndex({ baseId, tableId: withIndex.tableId, type: 'search' })
    await pause(indexMadeMs)
    const measurements: Measurement[] = []
    for (const { name, connections, requests, toRequest } of cases) {
      say(name)
      const client = new LoadClient({ url: ours.url, connections, token: ours.token })
      let sent = 0
      const drive = (table: FilledTable) => async () => {
        const first = sent
        sent += requests
        const toNext = (index: number) => toRequest(table, first + index)
        return requests / (await client.drive(connections, requests, toNext))
      }
      const seconds = await inTurns(rounds, { with: drive(withIndex), without: drive(without) })
      await client.close()
      const ratio = medianRatio(seconds.with, seconds.without)
      const each = (of: readonly number[]) => `${((median(of) * 1_000) / requests).toFixed(2)} ms`
      measurements.push({
        name: `${name}, with the index of searches`,
        ours: each(seconds.with),
        other: each(seconds.without),
        ratio,
        target: `<= ${ratioMax}`,
        isMet: ratio <= ratioMax,
      })
    }
    return measurements
  },
}

function toChange({ tableId, recordIds }: FilledTable, index: number): LoadRequest {
  const { fields } = sampleRecord(fieldCount, index)
  const id = recordIds[(index * stride) % recordCount]
  const body = JSON.stringify({ record: { fields } })
  return { method: 'PATCH', path: `/api/table/${tableId}/record/${id}`, body }
}

function toChanges({ tableId, recordIds }: FilledTable, index: number): LoadRequest {
  const first = (index * 1_000) % recordCount
  const records = sampleRecords(fieldCount, index, 1_000).map((record, place) => ({
    id: recordIds[first + place],
    ...record,
  }))
  return {
    method: 'PATCH',
    path: `/api/table/${tableId}/record`,
    body: JSON.stringify({ records }),
  }
}

function toCreation(count: number): Case['toRequest'] {
  return ({ tableId }, index) => ({
    method: 'POST',
    path: `/api/table/${tableId}/record`,
    body: JSON.stringify({ records: sampleRecords(fieldCount, index, count) }),
  })
}
