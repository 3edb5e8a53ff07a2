import { type Timestamp, toTimestamp } from '../clock.ts'
import type { JobKind } from '../jobs/job-kind.ts'
import { searchKey } from '../schemas/search-key.ts'
import type { WriteTx } from '../store.ts'
import type { TableIndex } from './table-index.ts'

const kind = 'settle-index'

/** The kind of job that makes and keeps the index of searches. */
export const signingKind = 'sign-records'

/** Has an index made or removed in the background, as its state says. */
export function scheduleSettling(
  tx: Pick<WriteTx, 'jobs'>,
  { name, key }: Pick<TableIndex, 'name' | 'key'>,
  dueTime: Timestamp,
): Promise<void> {
  const meant = key === searchKey ? signingKind : kind
  return tx.jobs.hasten({ id: `${meant}:${name}`, kind: meant, dueTime, failures: 0 })
}

/** Makes an index that is wanted, and removes one that isn't. Done again where a worker was lost over it. */
export const settleIndex: JobKind = {
  name: kind,
  isRecurring: false,
  isLong: true,
  isStepwise: true,
  periodMs: 60_000,
  run: async ({ tx, jobId, nowMs, ids }) => {
    const index = await tx.tableIndexes.find(jobId.slice(kind.length + 1))
    if (!index || index.state === 'ready') return 'over'
    const [table] = await tx.tables.findAll([index.tableId], 'none')
    const schema = table && (await tx.fields.schemaOf(table))
    const definition = schema && tx.tableIndexes.definitionOf(schema, index.key)
    if (index.state === 'unwanted' || !table || !schema || definition === undefined) {
      if (!(await tx.tableIndexes.drop(index))) return 'later'
      await tx.tableIndexes.forget(index.name)
      return 'over'
    }
    if (!(await tx.tableIndexes.build(schema, index))) return 'later'
    const now = toTimestamp(nowMs)
    await tx.tableIndexes.save({ ...index, state: 'ready', definition, checkedTime: now })
    await tx.tables.renewSchema(table.id, ids.revision())
    return 'over'
  },
}
