import { toTimestamp } from '../clock.ts'
import type { JobKind } from '../jobs/job-kind.ts'
import { limits } from '../limits.ts'
import type { WriteTx } from '../store.ts'

const kind = 'remove-row-order'

/** Milliseconds for which an order may be in the making, or somebody may still read by it. */
const usedWithinMs = 30 * 60_000

interface OrderOfTable {
  readonly baseId: string
  readonly tableId: string
  readonly orderId: string
}

/** Has a row order removed in the background, unless a view has it by the time, in milliseconds since 1970-01-01 UTC. */
async function scheduleRemoval(
  tx: Pick<WriteTx, 'jobs'>,
  order: OrderOfTable,
  atMs: number,
): Promise<void> {
  await tx.jobs.hasten({ id: toJobId(order), kind, dueTime: toTimestamp(atMs), failures: 0 })
}

/**
 * Has a row order that no view has yet, or has any more, removed after a while: should its maker not come to an end, it goes
 * again; and long reads that began with it come to an end. One that came back meanwhile has all of that time again.
 */
export async function scheduleRemovalLater(
  tx: Pick<WriteTx, 'jobs'>,
  order: OrderOfTable,
  nowMs: number,
): Promise<void> {
  const dueMs = nowMs + usedWithinMs
  await scheduleRemoval(tx, order, dueMs)
  await tx.jobs.postpone(toJobId(order), toTimestamp(dueMs))
}

function toJobId({ baseId, tableId, orderId }: OrderOfTable): string {
  return [kind, baseId, tableId, orderId].join(':')
}

/** Has the row orders of all views of a table removed, deleted ones too: the table goes for good. */
export async function scheduleRemovalOfAll(
  tx: Pick<WriteTx, 'jobs' | 'views'>,
  table: { readonly baseId: string; readonly id: string },
  atMs: number,
): Promise<void> {
  const { baseId, id: tableId } = table
  for (const orderId of await tx.views.rowOrderIdsOf(tableId)) {
    await scheduleRemoval(tx, { baseId, tableId, orderId }, atMs)
  }
}

/** Removes a row order that no view has, some of its places at a time. */
export const removeRowOrder: JobKind = {
  name: kind,
  isRecurring: false,
  periodMs: 0,
  run: async ({ tx, jobId }) => {
    const [, baseId = '', tableId = '', orderId = ''] = jobId.split(':')
    if ((await tx.views.rowOrderIdsOf(tableId)).includes(orderId)) return 'over'
    const areMore = await tx.rowOrders.removeSome(baseId, orderId, limits.placesNotedAtOnce)
    return areMore ? 'more' : 'over'
  },
}
