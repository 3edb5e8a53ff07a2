import type { Bench, Benchmark } from '../benchmark.ts'
import { compareRates } from '../compare-rates.ts'
import { createFilledTable, createHandwrittenTable } from '../filled-table.ts'
import { inTurns } from '../in-turns.ts'
import { LoadClient, type LoadRequest } from '../load-client.ts'
import { toPath } from '../questions.ts'
import { sampleColumns, sampleRecords } from '../sample-table.ts'

const connections = 16
const fieldCount = 5
const recordCount = 50_000
const requestsPerTurn = 400
const ratioMin = 5
/** Of the field that filters and the one that sorts. */
const indexCount = 2
/** So often is an index asked for before one is made. */
const timesAsked = 3

const filterSet = [{ fieldId: 'Field 2', operator: 'is', value: 'done' }]
const found = {
  path: 'table/{table}/record',
  query: {
    filter: { conjunction: 'and', filterSet },
    orderBy: [{ fieldId: 'Field 1', order: 'desc' }],
    take: 100,
  },
}

/** The records that a filter finds, sorted, where the indexes are made that we make by ourselves; by hand there is none. */
export const listFound: Benchmark = {
  name: 'list',
  run: async ({ contenders, rounds, say }: Bench) => {
    const ours = await contenders.startOurs()
    const handwritten = await contenders.startHandwritten()
    const size = { fields: fieldCount, records: recordCount }
    const { tableId } = await createFilledTable(ours, size)
    const records = sampleRecords(fieldCount, 0, recordCount)
    const columns = sampleColumns(fieldCount)
    const table = await createHandwrittenTable(handwritten, columns, records)
    const toOurs = new LoadClient({ url: ours.url, connections, token: ours.token })
    const toHandwritten = new LoadClient({ url: handwritten.url, connections })
    const list = { method: 'GET', path: toPath(found, tableId) } as const
    for (let n = 0; n < timesAsked; n++) await toOurs.send(list)
    await ours.makeIndexes(tableId, indexCount)
    const sql = `select * from ${table} where "Field 2" = 'done' order by "Field 1" desc, _id limit 101`
    const byHand = { method: 'POST', path: '/query', body: JSON.stringify({ sql }) } as const
    const drive = (client: LoadClient, request: LoadRequest) =>
      client.drive(connections, requestsPerTurn, () => request)
    const rates = await inTurns(rounds, {
      ours: (round) => {
        say(`round ${round} of ${rounds}`)
        return drive(toOurs, list)
      },
      handwritten: () => drive(toHandwritten, byHand),
    })
    await Promise.all([toOurs.close(), toHandwritten.close()])
    const name = `list 100 of ${recordCount}, filtered and sorted, ${connections} at a time, against no index`
    return [compareRates(name, { ours: rates.ours, other: rates.handwritten }, ratioMin)]
  },
}
