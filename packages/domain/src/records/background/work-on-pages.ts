import type { JobContext } from '../../jobs/job-kind.ts'
import type { RecordPage, RecordPages } from './record-pages.ts'
import { WritesUnderWay } from './writes-under-way.ts'

/** A page to work on. */
export interface PageOfWork extends RecordPage {
  /** The number that its records follow. */
  readonly after: number
  /** Takes writes of its records, which aren't waited for then; undefined where that would save nothing. */
  readonly writes: WritesUnderWay | undefined
}

/**
 * Works on the pages that follow a number, for as long as the job may go on and `work` answers that it came to the end of its page.
 * On a storage that works while we do, a page is read while the one before is worked on, and worked on while the one before is
 * stored: no statement of a page may depend on what those before write. Answers the last page.
 */
export async function workOnPages(
  { tx, failures, mayDoMore }: Pick<JobContext, 'tx' | 'failures' | 'mayDoMore'>,
  pages: RecordPages,
  beginning: number,
  work: (page: PageOfWork) => Promise<boolean>,
): Promise<RecordPage> {
  const writes = tx.mayAskAhead && failures === 0 ? new WritesUnderWay() : undefined
  let after = beginning
  let reading = pages.after(after)
  try {
    for (;;) {
      const page = await reading
      const mayGoOn = !page.isLast && mayDoMore()
      const readNext = () => {
        reading = pages.after(page.reached)
        // Whoever awaits it hears of its failure; nobody does where something else fails first.
        reading.catch(() => {})
      }
      if (mayGoOn && tx.mayAskAhead) readNext()
      const isThrough = await work({ ...page, after, writes })
      if (!mayGoOn || !isThrough) {
        await writes?.settle()
        return page
      }
      after = page.reached
      if (!tx.mayAskAhead) readNext()
    }
  } finally {
    // Nothing may be asked or written once the transaction has ended.
    await Promise.allSettled([reading, writes?.settle()])
    await pages.settle()
  }
}
