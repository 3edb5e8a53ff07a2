import type { Bench, Benchmark } from '../benchmark.ts'
import { compareRates } from '../compare-rates.ts'
import { createFilledTable } from '../filled-table.ts'
import { inTurns } from '../in-turns.ts'
import { LoadClient } from '../load-client.ts'
import { sampleColumns, sampleRecords } from '../sample-table.ts'

const connections = 16
const fieldCount = 5
const recordCount = 10_000
const requestsPerTurn = 8_000
const ratioMin = 0.6

/** A prime that doesn't divide the number of records: its multiples visit all of them, in no order. */
const stride = 7_919

/** Single records by id, spread over a table. */
export const readOne: Benchmark = {
  name: 'read',
  run: async ({ contenders, rounds, say }: Bench) => {
    const ours = await contenders.startOurs()
    const handwritten = await contenders.startHandwritten()
    const { tableId, recordIds } = await createFilledTable(ours, {
      fields: fieldCount,
      records: recordCount,
    })
    const table = await handwritten.createTable(sampleColumns(fieldCount))
    const toOurs = new LoadClient({ url: ours.url, connections, token: ours.token })
    const toHandwritten = new LoadClient({ url: handwritten.url, connections })
    const body = JSON.stringify({ records: sampleRecords(fieldCount, 0, recordCount) })
    const answer = await toHandwritten.send({
      method: 'POST',
      path: `/table/${table}/record`,
      body,
    })
    const { ids } = JSON.parse(answer.toString('utf8')) as { ids: readonly number[] }
    const read = (client: LoadClient, path: string, all: readonly (string | number)[]) =>
      client.drive(connections, requestsPerTurn, (index) => ({
        method: 'GET',
        path: `${path}/${all[(index * stride) % all.length]}`,
      }))
    const rates = await inTurns(rounds, {
      ours: (round) => {
        say(`round ${round} of ${rounds}`)
        return read(toOurs, `/api/table/${tableId}/record`, recordIds)
      },
      handwritten: () => read(toHandwritten, `/table/${table}/record`, ids),
    })
    await Promise.all([toOurs.close(), toHandwritten.close()])
    const name = `read one record, ${connections} at a time`
    return [compareRates(name, { ours: rates.ours, other: rates.handwritten }, ratioMin)]
  },
}
