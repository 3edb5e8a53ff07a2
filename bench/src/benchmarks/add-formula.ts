import type { Bench, Benchmark } from '../benchmark.ts'
import { compareTimes } from '../compare-times.ts'
import { createFilledTable, createHandwrittenTable } from '../filled-table.ts'
import { inTurns } from '../in-turns.ts'
import { LoadClient } from '../load-client.ts'
import { requireCell } from '../require-cell.ts'
import { sampleColumns, sampleRecord, sampleRecords } from '../sample-table.ts'
import { type FieldState, waitUntilDone } from '../wait-until-done.ts'

const fieldCount = 5
const recordCount = 100_000
const ratiosMax: Readonly<Record<string, number>> = { sqlite: 3, postgres: 2 }

const expression = 'IF({Field 3}, {Field 1} * 1.19, {Field 1}) + 1'
const inSql = 'case when "Field 3" = 1 then "Field 1" * 1.19 else "Field 1" end + 1'

/**
 * A formula is added to a table of 100,000 records: so many are computed in the background, and the
 * time ends when the field isn't pending any more. By hand it is a new column and one update. Both sides
 * keep the column of each round: ours as that of a field in the trash.
 */
export const addFormula: Benchmark = {
  name: 'formula',
  run: async ({ contenders, storageName, rounds, say }: Bench) => {
    const ours = await contenders.startOurs()
    const handwritten = await contenders.startHandwritten()
    say(`filling tables with ${recordCount} records`)
    const { tableId, recordIds } = await createFilledTable(ours, {
      fields: fieldCount,
      records: recordCount,
    })
    const table = await createHandwrittenTable(
      handwritten,
      sampleColumns(fieldCount),
      sampleRecords(fieldCount, 0, recordCount),
    )
    const toOurs = new LoadClient({ url: ours.url, connections: 1, token: ours.token })
    const toHandwritten = new LoadClient({ url: handwritten.url, connections: 1 })
    const path = `/api/table/${tableId}/field`
    const times = await inTurns(rounds, {
      ours: async (round) => {
        say(`round ${round} of ${rounds}`)
        const body = JSON.stringify({ type: 'formula', name: 'Added', options: { expression } })
        const startedMs = performance.now()
        const { id } = await toOurs.sendForJson<FieldState>({ method: 'POST', path, body })
        await waitUntilDone(toOurs, `${path}/${id}`)
        const tookMs = performance.now() - startedMs
        const last = { tableId, recordId: recordIds.at(-1), fieldName: 'Added' }
        await requireCell(ours, last, lastValue())
        await toOurs.send({ method: 'DELETE', path: `${path}/${id}` })
        return tookMs
      },
      handwritten: (round) =>
        toHandwritten.timeTransaction([
          { sql: `alter table ${table} add column "Added ${round}" double precision` },
          { sql: `update ${table} set "Added ${round}" = ${inSql}` },
        ]),
    })
    await Promise.all([toOurs.close(), toHandwritten.close()])
    const name = `add a formula to ${recordCount} records, until it is worked out`
    return [compareTimes(name, times, ratiosMax[storageName])]
  },
}

/** What the formula gives for the last record, which is computed last. */
function lastValue(): number {
  const { fields } = sampleRecord(fieldCount, recordCount - 1)
  const number = Number(fields['Field 1'])
  return (fields['Field 3'] ? number * 1.19 : number) + 1
}
