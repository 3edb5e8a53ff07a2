import type { Bench, Benchmark, Measurement } from '../benchmark.ts'
import { compareRates } from '../compare-rates.ts'
import type { Ours } from '../contenders.ts'
import { createFilledTable } from '../filled-table.ts'
import { inTurns } from '../in-turns.ts'
import { LoadClient, type LoadRequest } from '../load-client.ts'
import { sampleRecord } from '../sample-table.ts'

const connections = 16
const fieldCount = 5
const recordCount = 5_000
const single = { perTurn: 3_000, records: 1 }
const batch = { perTurn: 40, records: 1_000 }
const ratioMin = 0.9

/** Changes of records with a history of who changed which cell, against the same without. */
export const history: Benchmark = {
  name: 'history',
  run: async ({ contenders, rounds, say }: Bench) => {
    const sides = {
      kept: await changer(await contenders.startOurs({ RECORD_HISTORY_DAYS: '30' })),
      none: await changer(await contenders.startOurs()),
    }
    const measured: Measurement[] = []
    for (const size of [single, batch]) {
      const rates = await inTurns(rounds, {
        kept: (round) => {
          say(`round ${round} of ${rounds} of changes of ${size.records}`)
          return sides.kept.change(size)
        },
        none: () => sides.none.change(size),
      })
      const name = `change ${size.records} records of ${fieldCount} cells with a history`
      measured.push(compareRates(name, { ours: rates.kept, other: rates.none }, ratioMin))
    }
    await Promise.all([sides.kept.close(), sides.none.close()])
    return measured
  },
}

/** What changes records of a server, all cells of them each time. Rates are those of records. */
async function changer(ours: Ours) {
  const client = new LoadClient({ url: ours.url, connections, token: ours.token })
  const { tableId, recordIds } = await createFilledTable(ours, {
    fields: fieldCount,
    records: recordCount,
  })
  let changed = 0
  const toRequest = (count: number): LoadRequest => {
    const records = Array.from({ length: count }, () => {
      const id = recordIds[++changed % recordCount]
      return { id, ...sampleRecord(fieldCount, changed * 11) }
    })
    const body = JSON.stringify({ records })
    return { method: 'PATCH', path: `/api/table/${tableId}/record`, body }
  }
  const change = async ({ perTurn, records }: typeof single) =>
    records *
    (await client.drive(records === 1 ? connections : 1, perTurn, () => toRequest(records)))
  return { change, close: () => client.close() }
}
