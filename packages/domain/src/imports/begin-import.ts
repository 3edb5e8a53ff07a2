import { toTimestamp } from '../clock.ts'
import { limits } from '../limits.ts'
import type { Ports } from '../ports.ts'
import type { RecordsContext } from '../records/reading/records-context.ts'
import { dayMs } from '../values/dates/time-zone.ts'
import { type Import, noProgress } from './import.ts'
import { scheduleImport } from './import-job.ts'
import { holdArrived, type ReceivedFile } from './receive-rows.ts'
import { writeRows } from './write-rows.ts'

/**
 * Writes the rows of a file that has come: now where they are few, else in the background. The table is held for update. Throws
 * request_timeout where rows that waited for this may be gone.
 */
export async function beginImport(
  context: RecordsContext & Pick<Ports, 'clock'>,
  { importId, sample, isWhole, rowsRead, issues }: ReceivedFile,
  fieldIds: Import['fieldIds'],
): Promise<Import> {
  const { tx, table, userId, now } = context
  const one: Import = {
    id: importId,
    baseId: table.baseId,
    tableId: table.id,
    fieldIds,
    state: 'running',
    progress: { ...noProgress, rowsRead, issues },
    createdBy: userId,
    createdTime: now,
    expiresTime: toTimestamp(Date.parse(now) + limits.importKeptDays * dayMs),
  }
  if (isWhole) {
    const progress = await writeRows(context, one, sample)
    const done: Import = { ...one, state: 'done', progress: { ...progress, finishedTime: now } }
    await tx.imports.save(done)
    return done
  }
  await holdArrived(context, importId)
  await tx.imports.save(one)
  await scheduleImport(tx, importId, now)
  const payload = { importId, tableId: table.id }
  tx.emit({ name: 'import.started', time: now, userId, payload })
  return one
}
