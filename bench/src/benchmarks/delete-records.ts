import type { Bench, Benchmark, Measurement } from '../benchmark.ts'
import type { Ours } from '../contenders.ts'
import { createFilledTable } from '../filled-table.ts'
import { inTurns } from '../in-turns.ts'
import { LoadClient } from '../load-client.ts'
import { median } from '../statistics.ts'

const sizes = { few: 1_000, many: 100_000 } as const
const fieldCount = 5
/** As many as one call takes. */
const recordsPerCall = 1_000
const ratioMax = 2

type Size = keyof typeof sizes

/** Records that go to the trash and come back take as long each where they are many as where they are few. */
export const deleteRecords: Benchmark = {
  name: 'trash',
  run: async ({ contenders, rounds, say }: Bench) => {
    const ours = await contenders.startOurs()
    const client = new LoadClient({ url: ours.url, connections: 1, token: ours.token })
    say('filling a small and a large table')
    const tables = {
      few: await createFilledTable(ours, { fields: fieldCount, records: sizes.few }),
      many: await createFilledTable(ours, { fields: fieldCount, records: sizes.many }),
    }
    const restoring: Record<Size, number[]> = { few: [], many: [] }
    const deleteAll = async (size: Size, round: number) => {
      const { tableId } = tables[size]
      const [view] = await ours.api.views.listViews({ tableId })
      const ranges = JSON.stringify([[0, recordsPerCall - 1]])
      const query = new URLSearchParams({ viewId: view?.id ?? '', type: 'rows', ranges })
      const path = `/api/table/${tableId}/selection/delete?${query}`
      let tookMs = 0
      for (let deleted = 0; deleted < sizes[size]; deleted += recordsPerCall) {
        tookMs += await client.time({ method: 'DELETE', path })
      }
      let backMs = 0
      for (const id of await entriesOf(ours, tableId)) {
        backMs += await client.time({ method: 'POST', path: `/api/trash/restore/${id}` })
      }
      if (round > 0) restoring[size].push(backMs)
      return tookMs
    }
    const deleting = await inTurns(rounds, {
      few: (round) => deleteAll('few', round),
      many: (round) => {
        say(`round ${round} of ${rounds}`)
        return deleteAll('many', round)
      },
    })
    await client.close()
    return [toMeasurement('delete', deleting), toMeasurement('restore', restoring)]
  },
}

/** The entries of the trash of a table, the newest first. */
async function entriesOf({ api }: Ours, tableId: string): Promise<readonly string[]> {
  const ids: string[] = []
  const ofTable = { resourceId: tableId, resourceType: 'table' as const }
  let cursor: string | undefined
  do {
    const page = await api.trash.listTrashItems({ ...ofTable, ...(cursor && { cursor }) })
    ids.push(...page.trashItems.map(({ id }) => id))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return ids
}

function toMeasurement(
  what: string,
  { few, many }: Readonly<Record<Size, readonly number[]>>,
): Measurement {
  const perRecord = median(many) / sizes.many / (median(few) / sizes.few)
  return {
    name: `${what} ${sizes.many} records, ${recordsPerCall} per call; for each, against ${sizes.few}`,
    ours: `${median(many).toFixed(0)} ms`,
    other: `${median(few).toFixed(1)} ms`,
    ratio: perRecord,
    target: `<= ${ratioMax}`,
    isMet: perRecord <= ratioMax,
  }
}
