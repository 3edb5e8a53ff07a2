import type { Bench, Benchmark } from '../benchmark.ts'
import { sampleColumns, sampleFields, sampleRecord } from '../sample-table.ts'
import { compareWritesOfOne } from '../write-one.ts'

const fieldCount = 5

/** New records, one per request. */
export const createOne: Benchmark = {
  name: 'create',
  run: (bench: Bench) =>
    compareWritesOfOne(bench, {
      verb: 'create',
      toOurs: async ({ api, baseId }) => {
        const fields = sampleFields(fieldCount)
        const table = await api.tables.createTable({ baseId, fields, records: [] })
        return toRequestsAt(`/api/table/${table.id}/record`)
      },
      toHandwritten: async (handwritten) => {
        const table = await handwritten.createTable(sampleColumns(fieldCount))
        return toRequestsAt(`/table/${table}/record`)
      },
      ratioMin: { toOneByOne: 1.2, toGrouping: 0.4 },
    }),
}

function toRequestsAt(path: string) {
  return (index: number) => {
    const body = JSON.stringify({ records: [sampleRecord(fieldCount, index)] })
    return { method: 'POST', path, body } as const
  }
}
