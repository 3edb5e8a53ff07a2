import { canTake } from '../../access/roles.ts'
import { requireRecordRoom } from '../../billing/require-room.ts'
import { toTimestamp } from '../../clock.ts'
import { DomainError } from '../../errors.ts'
import type { JobContext, JobKind } from '../../jobs/job-kind.ts'
import { limits } from '../../limits.ts'
import { dayMs } from '../../values/dates/time-zone.ts'
import type { Import } from '../import.ts'
import { importIdOf, importKind } from '../import-job.ts'
import type { ImportPiece } from '../import-repository.ts'
import { writeRows } from '../write-rows.ts'

/**
 * Writes the rows of an import, a piece in a transaction each: a piece is removed in the one that writes it, so that a
 * process that ends in between neither loses a row nor writes one twice.
 */
export const importRows: JobKind = {
  name: importKind,
  isRecurring: false,
  isLong: true,
  periodMs: 1_000,
  run: async (context) => {
    const { tx, jobId } = context
    const one = await tx.imports.find(importIdOf(jobId))
    if (one?.state !== 'running' || one.tableId === null) return 'over'
    const access = await tx.access.findTable(one.tableId, one.createdBy, 'update')
    if (!access?.role || !canTake(access.role, 'record|create')) {
      return end(
        context,
        one,
        'failed',
        'the table was deleted, or the user who started the import may no longer write to it',
      )
    }
    const piece = await tx.imports.nextPiece(one.id)
    if (!piece) return end(context, one, 'done')
    try {
      await requireRecordRoom(
        { ...context, now: toTimestamp(context.nowMs) },
        access.base.spaceId,
        piece.rows.length,
        'nothing yet',
      )
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      return end(context, one, 'failed', error.message)
    }
    await writePiece(context, one, piece, access)
    return 'more'
  },
}

type Access = NonNullable<Awaited<ReturnType<JobContext['tx']['access']['findTable']>>>

async function writePiece(
  { tx, ids, plans, nowMs, failures }: JobContext,
  one: Import,
  piece: ImportPiece,
  { base, table }: Access,
): Promise<void> {
  const count = rowsAfter(failures, piece.rows.length)
  const now = toTimestamp(nowMs)
  const userId = one.createdBy
  const actor = { kind: 'user', userId } as const
  const by = { userId, actor, publicUrl: undefined }
  const context = { tx, ids, now, ...by, base, table, ...(plans && { plans }) }
  const rows = piece.rows.slice(0, count)
  const progress =
    failures < failuresMost
      ? await writeRows(context, one, rows)
      : {
          ...one.progress,
          rowsLeftOut: one.progress.rowsLeftOut + count,
          issues: [
            ...one.progress.issues,
            { line: rows[0]?.line ?? 0, message: 'could not be stored' },
          ].slice(0, limits.importIssues),
        }
  if (count < piece.rows.length) {
    await tx.imports.savePiece({ ...piece, rows: piece.rows.slice(count) })
  } else await tx.imports.removePiece(one.id, piece.number)
  await tx.imports.save({ ...one, progress })
}

/** Failures in a row of a single row after which it is left out. */
const failuresMost = 4

/** What a storage refuses is tried with fewer rows, then with one. */
function rowsAfter(failures: number, count: number): number {
  if (failures === 0) return count
  return failures === 1 ? Math.ceil(count / 32) : 1
}

async function end(
  { tx, nowMs }: JobContext,
  one: Import,
  state: 'done' | 'failed',
  reason?: string,
): Promise<'over'> {
  const finishedTime = toTimestamp(nowMs)
  const told = reason === undefined ? [] : [{ line: 0, message: reason }]
  const issues = [...told, ...one.progress.issues].slice(0, limits.importIssues)
  const expiresTime = toTimestamp(nowMs + limits.importKeptDays * dayMs)
  const progress = { ...one.progress, issues, finishedTime }
  await tx.imports.save({ ...one, state, progress, expiresTime })
  const payload = { importId: one.id, tableId: one.tableId ?? '' }
  tx.emit({ name: 'import.finished', time: finishedTime, payload })
  return 'over'
}
