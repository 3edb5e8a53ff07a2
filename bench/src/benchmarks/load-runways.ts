import { runways } from '@gateleg/example-airports/airport-tables'
import { readCsv } from '@gateleg/example-airports/read-csv'
import { toCells } from '@gateleg/example-airports/to-cells'
import type { Bench, Benchmark } from '../benchmark.ts'
import { compareRates } from '../compare-rates.ts'
import { inTurns } from '../in-turns.ts'
import { LoadClient } from '../load-client.ts'
import { runwayColumns } from '../runway-columns.ts'

const recordsPerRequest = 1_000
const ratioMin = 0.33

/** The runways file through HTTP, in batches, one after the other. */
export const loadRunways: Benchmark = {
  name: 'load',
  run: async ({ contenders, rounds, say }: Bench) => {
    const bodies = await readBodies()
    const ours = await contenders.startOurs()
    const handwritten = await contenders.startHandwritten()
    const toOurs = new LoadClient({ url: ours.url, connections: 1, token: ours.token })
    const toHandwritten = new LoadClient({ url: handwritten.url, connections: 1 })
    const load = async (client: LoadClient, path: string) => {
      const batchesPerSecond = await client.drive(1, bodies.length, (index) => ({
        method: 'POST',
        path,
        body: bodies[index] ?? '',
      }))
      return (batchesPerSecond * runways.records) / bodies.length
    }
    const rates = await inTurns(rounds, {
      ours: async (round) => {
        say(`round ${round} of ${rounds}`)
        const { id } = await ours.api.tables.createTable({
          baseId: ours.baseId,
          name: runways.name,
          fields: [...runways.fields],
          records: [],
        })
        return load(toOurs, `/api/table/${id}/record`)
      },
      handwritten: async () => {
        const table = await handwritten.createTable(runwayColumns)
        return load(toHandwritten, `/table/${table}/record`)
      },
    })
    await Promise.all([toOurs.close(), toHandwritten.close()])
    const name = `load runways, ${runways.records} x ${runways.fields.length}, by ${recordsPerRequest}`
    return [compareRates(name, { ours: rates.ours, other: rates.handwritten }, ratioMin, 'rows')]
  },
}

/** The requests, as text: both sides get the same bytes. */
async function readBodies(): Promise<string[]> {
  const bodies: string[] = []
  const records: unknown[] = []
  for await (const row of readCsv(runways.file)) {
    records.push({ fields: toCells(row, runways.fields) })
    if (records.length === recordsPerRequest) bodies.push(toBody(records.splice(0)))
  }
  if (records.length > 0) bodies.push(toBody(records))
  return bodies
}

function toBody(records: readonly unknown[]): string {
  return JSON.stringify({ records })
}
