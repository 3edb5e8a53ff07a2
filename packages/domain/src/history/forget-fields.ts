import { type Timestamp, toTimestamp } from '../clock.ts'
import type { JobKind } from '../jobs/job-kind.ts'
import { limits } from '../limits.ts'
import type { WriteTx } from '../store.ts'
import type { HistoryPlace } from './history-entry.ts'
import type { HistoryTable } from './history-repository.ts'

const kind = 'forget-fields'

/** Has the background take out of the history of a table what it keeps of fields that are gone for good. */
export async function scheduleForgetting(
  tx: Pick<WriteTx, 'jobs'>,
  { id, baseId }: HistoryTable,
  dueTime: Timestamp,
  from?: HistoryPlace,
): Promise<void> {
  const place = from ? [from.timeMs, from.autoNumber, from.version].join('.') : ''
  await tx.jobs.hasten({ id: [kind, baseId, id, place].join(':'), kind, dueTime, failures: 0 })
}

/** Takes out of some changes what they keep of fields that are gone for good, and leaves the older ones to the next job. */
export const forgetFields: JobKind = {
  name: kind,
  isRecurring: false,
  periodMs: 0,
  run: async ({ tx, jobId, nowMs }) => {
    const [, baseId = '', id = '', place = ''] = jobId.split(':')
    const table = { id, baseId }
    // With the table its history goes: a job that comes late would look through what isn't there.
    if (!(await tx.tables.findOrTrash(id, 'share'))) return 'over'
    const most = limits.historyLookedThrough
    const histories = await tx.history.list(table, { sinceMs: 0, from: toPlace(place), most })
    const named = new Set(histories.flatMap(({ changes }) => changes.map((one) => one.fieldId)))
    // Those in the trash are found, too.
    const known = await tx.trash.describe('field', [...named])
    const left = histories.flatMap((history) => {
      // Those that stay keep their places, by which they are named and readers go on.
      const placed = history.changes.map((change, index) => ({ index, ...change }))
      const changes = placed.filter(({ fieldId }) => known.has(fieldId))
      return changes.length < history.changes.length ? [{ ...history, changes }] : []
    })
    await tx.history.replace(table, left)
    const last = histories.at(-1)
    if (last && histories.length === most) {
      const from = { ...last, version: last.version - 1 }
      await scheduleForgetting(tx, table, toTimestamp(nowMs), from)
    }
    return 'over'
  },
}

function toPlace(text: string): HistoryPlace {
  const last = Number.MAX_SAFE_INTEGER
  const [timeMs = last, autoNumber = last, version = last] =
    text === '' ? [] : text.split('.').map(Number)
  return { timeMs, autoNumber, version }
}
