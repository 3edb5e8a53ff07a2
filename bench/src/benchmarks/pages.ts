import { askByHand } from '../asked-by-hand.ts'
import type { Bench, Benchmark, Measurement } from '../benchmark.ts'
import { createHandwrittenTable, createTableOf } from '../filled-table.ts'
import { LoadClient } from '../load-client.ts'
import { pageQuestions } from '../page-questions.ts'
import { scans, toPath } from '../questions.ts'
import { compareBesideWriter } from '../reads-beside-writer.ts'
import { placeOf, recordCount, stone, stoneColumns, stoneFields } from '../stones.ts'

const timesPerTurn = 50

/** Questions that others keep asking beside a writer: those of pages, and these. */
const scansBesideWriter = ['filtered and sorted, without an index', 'row count, filtered']

/** Pages of a million records, filtered and sorted where indexes are there: alone, and by many beside a writer. */
export const pages: Benchmark = {
  name: 'pages',
  run: async ({ contenders, rounds, say }: Bench) => {
    const ours = await contenders.startOurs()
    const handwritten = await contenders.startHandwritten()
    say(`filling tables with ${recordCount} records`)
    const records = Array.from({ length: recordCount }, (_, n) => ({
      fields: { ...stone(n).fields, Place: placeOf(n) },
    }))
    const fields = [...stoneFields, { name: 'Place', type: 'number' } as const]
    const { tableId } = await createTableOf(ours, { name: 'Stones', fields, records })
    const columns = [...stoneColumns, { name: 'Place', type: 'real' } as const]
    const table = await createHandwrittenTable(handwritten, columns, records)
    const toOurs = new LoadClient({ url: ours.url, connections: 1, token: ours.token })
    const toLean = new LoadClient({ url: handwritten.url, connections: 1 })
    const toBeside = new LoadClient({
      url: (await contenders.startBeside(ours)).url,
      connections: 1,
    })
    say('making indexes')
    await toLean.timeTransaction([
      { sql: `create index by_place on ${table} ("Place", _id)` },
      { sql: `create index by_number on ${table} ("Number", _id)` },
    ])
    const asked = await pageQuestions(ours, toOurs, tableId)
    const [key, isThere] = ['__auto_number', '__deletion_id is null']
    const ofOurs = { name: await ours.sqlNameOf(tableId), key, isThere }
    const lean = { name: table, key: '_id', isThere: 'true' }
    const measurements: Measurement[] = []
    for (const question of asked) {
      say(question.name)
      const byHand = {
        name: `${question.name}, of ${recordCount}`,
        request: { method: 'GET', path: toPath(question, tableId) } as const,
        sqlOnOurs: question.sql(ofOurs),
        sqlOnLean: question.sql(lean),
        ratioMax: question.ratioMax,
        timesPerTurn,
      }
      measurements.push(...(await askByHand({ toOurs, toBeside, toLean }, byHand, rounds)))
    }
    await Promise.all([toOurs, toBeside, toLean].map((client) => client.close()))
    for (const question of [
      ...asked,
      ...scans.filter(({ name }) => scansBesideWriter.includes(name)),
    ]) {
      say(`${question.name}, beside a writer`)
      const sides = {
        ours: { url: ours.url, token: ours.token, writesTo: `/api/table/${tableId}/record` },
        handwritten: { url: handwritten.url, token: undefined, writesTo: `/table/${table}/record` },
      }
      const body = JSON.stringify({ sql: question.sql(lean) })
      const reads = {
        ours: { method: 'GET', path: toPath(question, tableId) },
        handwritten: { method: 'POST', path: '/query', body },
      } as const
      measurements.push(...(await compareBesideWriter(question.name, sides, reads, rounds)))
    }
    return measurements
  },
}
