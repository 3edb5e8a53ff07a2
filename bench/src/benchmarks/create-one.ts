import type { Bench, Benchmark } from '../benchmark.ts'
import { compareRates } from '../compare-rates.ts'
import { inTurns } from '../in-turns.ts'
import { LoadClient } from '../load-client.ts'
import { sampleColumns, sampleFields, sampleRecord } from '../sample-table.ts'

const connections = 16
const fieldCount = 5
const requestsPerTurn = 6_000
const ratioMinToOneByOne = 1.2
const ratioMinToGrouping = 0.4

/** One record per request, answered when it is durable; ours also authenticates and validates. */
export const createOne: Benchmark = {
  name: 'create',
  run: async ({ contenders, rounds, say }: Bench) => {
    const ours = await contenders.startOurs()
    const oneByOne = await contenders.startHandwritten()
    const grouping = await contenders.startHandwritten({ isGrouping: true })
    const table = await ours.api.tables.createTable({
      baseId: ours.baseId,
      fields: sampleFields(fieldCount),
      records: [],
    })
    const clients: LoadClient[] = []
    const toTurn = (url: string, path: string, token?: string) => {
      const client = new LoadClient({ url, connections, token })
      clients.push(client)
      return () => client.drive(connections, requestsPerTurn, (index) => toRequest(path, index))
    }
    const columns = sampleColumns(fieldCount)
    const toOurs = toTurn(ours.url, `/api/table/${table.id}/record`, ours.token)
    const rates = await inTurns(rounds, {
      ours: (round) => {
        say(`round ${round} of ${rounds}`)
        return toOurs()
      },
      oneByOne: toTurn(oneByOne.url, `/table/${await oneByOne.createTable(columns)}/record`),
      grouping: toTurn(grouping.url, `/table/${await grouping.createTable(columns)}/record`),
    })
    await Promise.all(clients.map((client) => client.close()))
    const compare = (how: string, other: readonly number[], ratioMin: number) => {
      const name = `create one record, ${connections} at a time, against ${how}`
      return compareRates(name, { ours: rates.ours, other }, ratioMin)
    }
    return [
      compare('a commit each', rates.oneByOne, ratioMinToOneByOne),
      compare('group commit', rates.grouping, ratioMinToGrouping),
    ]
  },
}

function toRequest(path: string, index: number) {
  const body = JSON.stringify({ records: [sampleRecord(fieldCount, index)] })
  return { method: 'POST', path, body } as const
}
