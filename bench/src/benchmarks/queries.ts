import { askByHand } from '../asked-by-hand.ts'
import type { Bench, Benchmark, Measurement } from '../benchmark.ts'
import { compareTimes } from '../compare-times.ts'
import { createHandwrittenTable, createTableOf } from '../filled-table.ts'
import { inTurns } from '../in-turns.ts'
import { LoadClient } from '../load-client.ts'
import { scans, toCsv, toPath } from '../questions.ts'
import { recordCount, stone, stoneColumns, stoneFields } from '../stones.ts'

/** Questions about a million records, each looking at all of them; by hand as one statement over HTTP. */
export const queries: Benchmark = {
  name: 'queries',
  run: async ({ contenders, rounds, say }: Bench) => {
    const ours = await contenders.startOurs()
    const handwritten = await contenders.startHandwritten()
    say(`filling tables with ${recordCount} records`)
    const records = Array.from({ length: recordCount }, (_, n) => stone(n))
    const { tableId } = await createTableOf(ours, {
      name: 'Stones',
      fields: stoneFields,
      records,
    })
    const table = await createHandwrittenTable(handwritten, stoneColumns, records)
    const toOurs = new LoadClient({ url: ours.url, connections: 1, token: ours.token })
    const toHandwritten = new LoadClient({ url: handwritten.url, connections: 1 })
    const toBeside = new LoadClient({
      url: (await contenders.startBeside(ours)).url,
      connections: 1,
    })
    const ofOurs = {
      name: await ours.sqlNameOf(tableId),
      key: '__auto_number',
      isThere: '__deletion_id is null',
    }
    const lean = { name: table, key: '_id', isThere: 'true' }
    const measurements: Measurement[] = []
    for (const asked of [...scans, toCsv]) {
      const { name, sql, ratioMax } = asked
      say(name)
      const question = {
        name: `${name}, of ${recordCount}`,
        request: { method: 'GET', path: toPath(asked, tableId) } as const,
        sqlOnOurs: sql(ofOurs),
        sqlOnLean: sql(lean),
        ratioMax,
      }
      measurements.push(
        ...(await askByHand({ toOurs, toBeside, toLean: toHandwritten }, question, rounds)),
      )
    }
    say('manual sort')
    measurements.push(await sortByHand({ toOurs, toHandwritten, tableId, table, rounds }))
    await Promise.all([toOurs, toBeside, toHandwritten].map((client) => client.close()))
    return measurements
  },
}

/** Freezes the order of a sort for all records; by hand that is a table of places. */
async function sortByHand(of: {
  readonly toOurs: LoadClient
  readonly toHandwritten: LoadClient
  readonly tableId: string
  readonly table: string
  readonly rounds: number
}): Promise<Measurement> {
  const { toOurs, toHandwritten, tableId, table, rounds } = of
  const listed = <T>(of: string) =>
    toOurs.sendForJson<readonly T[]>({ method: 'GET', path: `/api/table/${tableId}/${of}` })
  const [view] = await listed<{ readonly id: string }>('view')
  const fields = await listed<{ readonly id: string; readonly name: string }>('field')
  const fieldId = fields.find(({ name }) => name === 'Number')?.id
  const path = `/api/table/${tableId}/view/${view?.id}/manual-sort`
  const body = JSON.stringify({ sortObjs: [{ fieldId, order: 'asc' }] })
  const byNumber = `select _id, row_number() over (order by "Number", _id) as place from ${table}`
  const times = await inTurns(rounds, {
    ours: () => timed(() => toOurs.send({ method: 'PUT', path, body })),
    handwritten: () =>
      toHandwritten.timeTransaction([
        { sql: 'drop table if exists places' },
        { sql: `create table places as ${byNumber}` },
        { sql: 'create index places_place on places (place)' },
      ]),
  })
  return compareTimes(`manual sort of ${recordCount}`, times, 1.5)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}
