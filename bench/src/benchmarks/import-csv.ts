import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { runways } from '@gateleg/example-airports/airport-tables'
import type { Bench, Benchmark } from '../benchmark.ts'
import { compareRates } from '../compare-rates.ts'
import type { Ours } from '../contenders.ts'
import { inTurns } from '../in-turns.ts'
import { LoadClient } from '../load-client.ts'
import { runwayColumns } from '../runway-columns.ts'

const type = 'text/csv'
const ratioMin = 0.5

/** Milliseconds between two looks whether an import has ended. */
const lookEveryMs = 10

interface ImportState {
  readonly id: string
  readonly state: string
  readonly rowsCreated: number
}

/** The runways file as it is, as the body of one request, until all of its rows are durable records. */
export const importCsv: Benchmark = {
  name: 'import',
  run: async ({ contenders, rounds, say }: Bench) => {
    const body = gunzipSync(await readFile(runways.file))
    const ours = await contenders.startOurs()
    const handwritten = await contenders.startHandwritten()
    const toOurs = new LoadClient({ url: ours.url, connections: 1, token: ours.token })
    const toHandwritten = new LoadClient({ url: handwritten.url, connections: 1 })
    const perSecond = async (work: () => Promise<unknown>) => {
      const startedMs = performance.now()
      await work()
      return runways.records / ((performance.now() - startedMs) / 1_000)
    }
    const rates = await inTurns(rounds, {
      ours: async (round) => {
        say(`round ${round} of ${rounds}`)
        const tableId = await createTable(ours)
        return perSecond(() => importInto(toOurs, ours.baseId, tableId, body))
      },
      handwritten: async () => {
        const path = `/table/${await handwritten.createTable(runwayColumns)}/import`
        return perSecond(() => toHandwritten.send({ method: 'POST', path, body, type }))
      },
    })
    await Promise.all([toOurs.close(), toHandwritten.close()])
    const name = `import runways as CSV, ${runways.records} x ${runways.fields.length}`
    return [compareRates(name, { ours: rates.ours, other: rates.handwritten }, ratioMin, 'rows')]
  },
}

async function createTable({ api, baseId }: Ours): Promise<string> {
  const { name, fields } = runways
  const table = await api.tables.createTable({ baseId, name, fields: [...fields], records: [] })
  return table.id
}

/** Waits until the background has written the last row, too. */
async function importInto(client: LoadClient, baseId: string, tableId: string, body: Buffer) {
  const path = `/api/import/${baseId}`
  const sent = { method: 'PATCH', path: `${path}/${tableId}`, body, type } as const
  let last = await client.sendForJson<ImportState>(sent)
  const status = `${path}/status/${last.id}`
  while (last.state === 'running') {
    await pause(lookEveryMs)
    last = await client.sendForJson({ method: 'GET', path: status })
  }
  if (last.state === 'done' && last.rowsCreated === runways.records) return
  throw new Error(`The import ended as ${JSON.stringify(last).slice(0, 500)}`)
}
