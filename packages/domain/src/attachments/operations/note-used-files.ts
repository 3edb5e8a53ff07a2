import { type Timestamp, toTimestamp } from '../../clock.ts'
import { type AttachmentItem, isAttachmentItem } from '../../fields/types/attachment.ts'
import type { HistoryPlace } from '../../history/history-entry.ts'
import type { JobContext, JobKind } from '../../jobs/job-kind.ts'
import { limits } from '../../limits.ts'
import { nextRange } from '../../records/reading/record-ranges.ts'
import type { WriteTx } from '../../store.ts'
import type { FileTable } from '../file-use-repository.ts'
import { walkKind } from '../unused/ensure-walk.ts'

const hourMs = 3_600_000

/**
 * A walk: when it began, and when the one before did, if there was one, in milliseconds. What neither of the two has met
 * is used by nobody: a table that is copied while one of them passes by is met by the other.
 */
interface Walk {
  readonly startMs: number
  readonly beforeMs: number | undefined
}

/** What a walk does next. */
type Step =
  /** The tables after the one of the id are looked at. */
  | { readonly what: 'tables'; readonly after: string }
  /** The records of a table after the number. */
  | { readonly what: 'records'; readonly tableId: string; readonly after: number }
  /** What the history of a table names, from the place on to what is older. */
  | { readonly what: 'history'; readonly tableId: string; readonly from: HistoryPlace }
  /** Files that were not met are removed. */
  | { readonly what: 'removal' }

const newest: HistoryPlace = {
  timeMs: Number.MAX_SAFE_INTEGER,
  autoNumber: Number.MAX_SAFE_INTEGER,
  version: Number.MAX_SAFE_INTEGER,
}

/**
 * Goes through all cells that have files, some records at a time, and notes of these that they are used; then removes
 * those that two walks have not met and that were not used for the time that unused files are kept. Each part is a job
 * of its own, which tells in its id how far the walk has come.
 */
export const noteUsedFiles: JobKind = {
  name: walkKind,
  isRecurring: false,
  periodMs: hourMs,
  run: async (context) => {
    const { tx, nowMs, jobId } = context
    const [, name = '', ...rest] = jobId.split(':')
    const now = toTimestamp(nowMs)
    if (name === 'wait') {
      const lastMs = rest[0] ? Number(rest[0]) : undefined
      const isDue = lastMs === undefined || nowMs >= lastMs + limits.unusedFileHours * hourMs
      // A clock that was set back makes no walk wait for ever.
      if (!isDue && nowMs >= lastMs) return 'later'
      const walk = { startMs: nowMs, beforeMs: lastMs }
      await schedule(tx, toStepId(walk, { what: 'tables', after: '' }), now)
      return 'over'
    }
    const { walk, step } = readStepId(name, rest)
    const next = await take(context, walk, step)
    if (next === 'again') return 'more'
    await schedule(tx, next ? toStepId(walk, next) : toWaitId(walk.startMs), now)
    return 'over'
  },
}

/** Takes a step. Answers the next one, `again` for the same one, and undefined when the walk is at its end. */
async function take(
  context: JobContext,
  walk: Walk,
  step: Step,
): Promise<Step | 'again' | undefined> {
  const { tx } = context
  switch (step.what) {
    case 'tables': {
      const { tables, last } = await tx.fileUses.tablesAfter(step.after, limits.filesPerSweep)
      const [first] = tables
      if (first) return { what: 'records', tableId: first.id, after: 0 }
      return last === undefined ? { what: 'removal' } : { what: 'tables', after: last }
    }
    case 'records': {
      const table = await tx.fileUses.findTable(step.tableId)
      const until = table && (await noteSome(tx, walk, table, step.after))
      if (until !== undefined) return { ...step, after: until }
      return { what: 'history', tableId: step.tableId, from: newest }
    }
    case 'history': {
      const from = await noteHistory(tx, walk, step)
      return from ? { ...step, from } : { what: 'tables', after: step.tableId }
    }
    case 'removal': {
      if (walk.beforeMs === undefined) return undefined
      const keptMs = walk.startMs - limits.unusedFileHours * hourMs
      const before = toTimestamp(Math.min(walk.beforeMs, keptMs))
      const removed = await tx.fileUses.removeUnnoted(before, limits.filesPerSweep)
      return removed === limits.filesPerSweep ? 'again' : undefined
    }
  }
}

/** Notes the files of the next records. Answers the number of the last of them; undefined when there are no more. */
async function noteSome(
  tx: WriteTx,
  { startMs }: Walk,
  table: FileTable,
  after: number,
): Promise<number | undefined> {
  const range = await nextRange(tx, table, { after, withDeleted: true })
  if (!range) return undefined
  await tx.fileUses.noteUsed(await tx.fileUses.tokensIn(table, range), toTimestamp(startMs))
  return range.isLast ? undefined : range.until
}

/** Notes the files that some changes name. Answers the place of the next ones; undefined when there are no more. */
async function noteHistory(
  tx: WriteTx,
  { startMs }: Walk,
  { tableId, from }: Extract<Step, { what: 'history' }>,
): Promise<HistoryPlace | undefined> {
  const table = await tx.fileUses.findTable(tableId)
  if (!table) return undefined
  const most = limits.changesLookedThrough
  const changes = await tx.history.list(table, { sinceMs: 0, from, most })
  const cells = changes.flatMap((one) =>
    one.changes.flatMap(({ before, after }) => [before, after]),
  )
  const items: readonly unknown[] = cells.flat(2)
  const files = items.filter((item): item is AttachmentItem => isAttachmentItem(item))
  const tokens = [...new Set(files.map(({ token }) => token))]
  await tx.fileUses.noteUsed(tokens, toTimestamp(startMs))
  const last = changes.at(-1)
  if (!last || changes.length < most) return undefined
  return { timeMs: last.timeMs, autoNumber: last.autoNumber, version: last.version - 1 }
}

async function schedule(tx: Pick<WriteTx, 'jobs'>, id: string, dueTime: Timestamp): Promise<void> {
  await tx.jobs.hasten({ id, kind: walkKind, dueTime, failures: 0 })
}

function toWaitId(startMs: number | undefined): string {
  return [walkKind, 'wait', startMs ?? ''].join(':')
}

function toStepId({ startMs, beforeMs }: Walk, step: Step): string {
  const head: readonly (string | number)[] = [walkKind, step.what, startMs, beforeMs ?? '']
  if (step.what === 'tables') return [...head, step.after].join(':')
  if (step.what === 'removal') return head.join(':')
  if (step.what === 'records') return [...head, step.tableId, step.after].join(':')
  const { timeMs, autoNumber, version } = step.from
  return [...head, step.tableId, timeMs, autoNumber, version].join(':')
}

function readStepId(what: string, [start, before, id = '', ...place]: readonly string[]) {
  const walk: Walk = { startMs: Number(start), beforeMs: before ? Number(before) : undefined }
  const [first = 0, autoNumber = 0, version = 0] = place.map(Number)
  const steps: Readonly<Record<Step['what'], Step>> = {
    tables: { what: 'tables', after: id },
    records: { what: 'records', tableId: id, after: first },
    history: { what: 'history', tableId: id, from: { timeMs: first, autoNumber, version } },
    removal: { what: 'removal' },
  }
  return { walk, step: steps[what as Step['what']] }
}
