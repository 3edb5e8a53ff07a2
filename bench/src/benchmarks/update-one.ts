import type { Bench, Benchmark } from '../benchmark.ts'
import { createFilledTable, createHandwrittenTable } from '../filled-table.ts'
import { sampleColumns, sampleRecord, sampleRecords } from '../sample-table.ts'
import { compareWritesOfOne } from '../write-one.ts'

const fieldCount = 5
const recordCount = 10_000

/** A prime that doesn't divide the number of records: its multiples visit all of them, in no order. */
const stride = 7_919

/** How many times as many as a commit each: PostgreSQL has commits share syncs by itself. */
const ratiosMin: Readonly<Record<string, number>> = { sqlite: 2.5, postgres: 0.6 }

/** Changes of all cells of a record, one per request, spread over a table. */
export const updateOne: Benchmark = {
  name: 'update',
  run: (bench: Bench) =>
    compareWritesOfOne(bench, {
      verb: 'update',
      toOurs: async (ours) => {
        const size = { fields: fieldCount, records: recordCount }
        const { tableId, recordIds } = await createFilledTable(ours, size)
        return (index) => {
          const id = recordIds[(index * stride) % recordCount]
          const body = JSON.stringify({ record: recordFor(index) })
          return { method: 'PATCH', path: `/api/table/${tableId}/record/${id}`, body }
        }
      },
      toHandwritten: async (handwritten) => {
        const records = sampleRecords(fieldCount, 0, recordCount)
        const columns = sampleColumns(fieldCount)
        const table = await createHandwrittenTable(handwritten, columns, records)
        return (index) => {
          // The ids count from 1.
          const id = 1 + ((index * stride) % recordCount)
          const body = JSON.stringify(recordFor(index))
          return { method: 'PATCH', path: `/table/${table}/record/${id}`, body }
        }
      },
      ratioMin: { toOneByOne: ratiosMin[bench.storageName], toGrouping: undefined },
    }),
}

/** Another one each time, or a turn would begin with what the one before has left: changes that change nothing. */
let made = 0
function recordFor(index: number) {
  return sampleRecord(fieldCount, index + 11 * ++made)
}
