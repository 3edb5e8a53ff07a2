import type { Bench, Benchmark } from '../benchmark.ts'
import { compareTimes } from '../compare-times.ts'
import { createHandwrittenTable, createTableOf } from '../filled-table.ts'
import { inTurns } from '../in-turns.ts'
import { LoadClient } from '../load-client.ts'
import { requireCell } from '../require-cell.ts'
import type { SampleRecord } from '../sample-table.ts'
import { waitUntilDone } from '../wait-until-done.ts'

const recordCount = 100_000
const ratiosMax: Readonly<Record<string, number>> = { sqlite: 3, postgres: 2 }

/**
 * A column of texts that are numbers is made one of numbers, until the background has finished. The table has a column for each round. By
 * hand it is a new column, an update that casts, and the old column dropped for the new one to take its
 * name.
 */
export const convertText: Benchmark = {
  name: 'convert',
  run: async ({ contenders, storageName, rounds, say }: Bench) => {
    const ours = await contenders.startOurs()
    const handwritten = await contenders.startHandwritten()
    say(`filling tables with ${recordCount} records`)
    const names = ['Name', ...Array.from({ length: rounds + 1 }, (_, round) => columnOf(round))]
    const records = Array.from({ length: recordCount }, (_, n) => recordOf(names, n))
    const { tableId, recordIds } = await createTableOf(ours, {
      name: 'Texts',
      fields: names.map((name) => ({ name, type: 'singleLineText' })),
      records,
    })
    const columns = names.map((name) => ({ name, type: 'text' }) as const)
    const table = await createHandwrittenTable(handwritten, columns, records)
    const fields = await ours.api.fields.listFields({ tableId })
    const toOurs = new LoadClient({ url: ours.url, connections: 1, token: ours.token })
    const toHandwritten = new LoadClient({ url: handwritten.url, connections: 1 })
    const times = await inTurns(rounds, {
      ours: async (round) => {
        say(`round ${round} of ${rounds}`)
        const field = fields.find(({ name }) => name === columnOf(round))
        const path = `/api/table/${tableId}/field/${field?.id}`
        const startedMs = performance.now()
        await toOurs.send({ method: 'PUT', path: `${path}/convert`, body: '{"type":"number"}' })
        await waitUntilDone(toOurs, path)
        const tookMs = performance.now() - startedMs
        const last = { tableId, recordId: recordIds.at(-1), fieldName: columnOf(round) }
        await requireCell(ours, last, numberOf(recordCount - 1))
        return tookMs
      },
      handwritten: (round) => {
        const name = columnOf(round)
        return toHandwritten.timeTransaction([
          { sql: `alter table ${table} add column "New" double precision` },
          { sql: `update ${table} set "New" = cast("${name}" as double precision)` },
          { sql: `alter table ${table} drop column "${name}"` },
          { sql: `alter table ${table} rename column "New" to "${name}"` },
        ])
      },
    })
    await Promise.all([toOurs.close(), toHandwritten.close()])
    return [compareTimes(`convert ${recordCount} texts to numbers`, times, ratiosMax[storageName])]
  },
}

function columnOf(round: number): string {
  return `Column ${round}`
}

function numberOf(n: number): number {
  return (n * 7_919) / 100
}

function recordOf(names: readonly string[], n: number): SampleRecord {
  return { fields: Object.fromEntries(names.map((name) => [name, `${numberOf(n)}`])) }
}
