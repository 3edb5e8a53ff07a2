import type { Attack } from '../attack.ts'
import { isRefused } from '../fill-table.ts'

/** Bulk writes of one account that are on their way at one time. */
const atOnce = 64

export const bulkWrites: Attack = {
  name: 'bulk-writes',
  about:
    'one account sends 64 bulk writes at once, again and again, while another writes a record now and then',
  run: async ({ newAttacker, isShort, fail, say }) => {
    const { api, baseId } = await newAttacker('bulk')
    const { id: tableId } = await api.tables.createTable({ baseId, records: [] })
    const other = await newAttacker('other')
    const table = await other.api.tables.createTable({ baseId: other.baseId, records: [] })
    const records = Array.from({ length: isShort ? 200 : 4_000 }, (_, index) => ({
      fields: { Name: `Record ${index}` },
    }))
    let isOver = false
    const writeOn = async () => {
      const times: number[] = []
      while (!isOver) {
        const startedMs = performance.now()
        const record = { tableId: table.id, records: [{ fields: {} }] }
        if (await isRefused(other.api.records.createRecords(record))) fail('the other was refused')
        times.push(performance.now() - startedMs)
      }
      return times.toSorted((a, b) => a - b)
    }
    const writing = writeOn()
    for (let turn = 0; turn < (isShort ? 1 : 3); turn++) {
      await Promise.all(
        Array.from({ length: atOnce }, () =>
          isRefused(api.records.createRecords({ tableId, records })),
        ),
      )
    }
    isOver = true
    const times = await writing
    const at = (part: number) => Math.round(times[Math.ceil(times.length * part) - 1] ?? 0)
    say(`${times.length} writes of the other took ${at(0.5)} ms at p50, ${at(0.99)} ms at p99`)
    // They wait for a write of the attacker's or two, never for all of them.
    if (!isShort && at(0.99) > 5_000) fail('the other waited for more than 5 s')
  },
}
