import type { Timestamp } from '../../../clock.ts'
import { toTimestamp } from '../../../clock.ts'
import type { JobKind } from '../../../jobs/job-kind.ts'
import type { WriteTx } from '../../../store.ts'
import { dropUnfinishedKind } from '../../unfinished-base.ts'
import { schedulePurgeOfBase } from './purge-base.ts'

/** Takes a base away that was never finished, with what is in it; nothing happens to one that is. */
export async function giveUpBase(
  context: { readonly tx: WriteTx; readonly now: Timestamp },
  baseId: string,
): Promise<void> {
  if (await context.tx.bases.dropUnfinished(baseId)) await schedulePurgeOfBase(context, baseId)
}

/** Does so for a base whose maker ended before it was finished. */
export const dropUnfinishedBase: JobKind = {
  name: dropUnfinishedKind,
  isRecurring: false,
  periodMs: 0,
  run: async ({ tx, jobId, nowMs }) => {
    const now = toTimestamp(nowMs)
    await giveUpBase({ tx, now }, jobId.slice(dropUnfinishedKind.length + 1))
    return 'over'
  },
}
