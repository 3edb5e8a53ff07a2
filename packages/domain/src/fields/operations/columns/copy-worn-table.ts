import { assert } from '../../../errors.ts'
import type { JobContext } from '../../../jobs/job-kind.ts'
import { limits } from '../../../limits.ts'
import { nextRange } from '../../../records/reading/record-ranges.ts'
import type { TableRebuild } from '../../../schemas/table-rebuild-repository.ts'
import type { WriteTx } from '../../../store.ts'
import { placeOfRecords, type Table } from '../../../tables/table.ts'

/** Failures in a row after which a copy that isn't whole is given up: on a full disk, it takes the room that others need. */
const failuresMost = 3

/**
 * Does the next step of copying a table into one that has no columns but those in use, which then takes its place. Records are
 * read and written meanwhile: what was changed since it was copied is copied again, until so little is left that writers can wait for
 * that; readers never wait. `isWorn` says whether it is to be begun.
 */
export async function copyWornTable(
  { tx, ids, failures }: Pick<JobContext, 'tx' | 'ids' | 'failures'>,
  tableId: string,
  isWorn: (tx: WriteTx, table: Table) => Promise<boolean>,
): Promise<'more' | 'later' | 'over'> {
  const known = await tx.tableRebuilds.find(tableId)
  if (known?.isExchanged) return finish({ tx, ids }, tableId)
  // Others read and write records meanwhile, but change no fields; for the last step they do neither.
  const [table] = await tx.tables.findAll([tableId], known?.isReady ? 'update' : 'share')
  if (!table) return abandon(tx, tableId)
  // Whoever had this to do before may have ended a step while the table was waited for: what was the copy may be the table.
  const rebuild = await tx.tableRebuilds.find(tableId)
  if (rebuild?.isReady !== known?.isReady || rebuild?.isExchanged) return 'more'
  if (!rebuild) {
    if (table.rebuiltName !== null || !(await isWorn(tx, table))) return 'over'
    if (!(await tx.tableRebuilds.mayBeReplaced(table))) return 'over'
    await tx.tableRebuilds.begin(table, await tx.fields.schemaOf(table))
    return 'more'
  }
  if (!rebuild.isReady && failures >= failuresMost) {
    await tx.tableRebuilds.drop(table)
    return 'over'
  }
  if (!(await tx.tableRebuilds.follow(table))) {
    await tx.tableRebuilds.drop(table)
    return 'more'
  }
  if (!rebuild.isReady && (await copyNext(tx, table, rebuild))) return 'more'
  const isSeenAtOnce = await tx.tableRebuilds.isSeenAtOnce()
  // Who has let go of the table may not be done yet with writing to it.
  if (rebuild.isReady && !isSeenAtOnce) await tx.tableRebuilds.holdRecords(table)
  const state = await copyChanged(tx, table, rebuild)
  // Where much was changed meanwhile, it is so again if it is tried at once.
  if (state === 'many differ') return 'later'
  if (state === 'differs') return rebuild.isReady ? 'later' : 'more'
  if (!rebuild.isReady) {
    await tx.tableRebuilds.look(table)
    return 'more'
  }
  // Others could write to what isn't seen yet: nothing may be copied in the same transaction then.
  if (state === 'same now' && !isSeenAtOnce) return 'later'
  await tx.tableRebuilds.exchange(table)
  await tx.tables.renewSchema(tableId, ids.revision())
  return 'more'
}

/**
 * Copies the next records that have not been copied yet, or were changed since. Answers false where all were copied, but for a few
 * that are new.
 */
async function copyNext(tx: WriteTx, table: Table, { copied }: TableRebuild): Promise<boolean> {
  const range = await nextRange(tx, placeOfRecords(table), { after: copied, withDeleted: true })
  const areFew = range?.isLast && range.count < limits.recordsCopiedAgain
  if (!range || (copied > 0 && areFew)) return false
  // Purged ones, too, however many: behind the last record all of them.
  const until = range.isLast ? Number.MAX_SAFE_INTEGER : range.until
  const most = limits.recordsPerCalculationOverNetwork + limits.recordsCopiedAgain
  const { numbers } = await tx.tableRebuilds.changed(table, most, { after: copied, until })
  await tx.tableRebuilds.bring(table, numbers)
  const reached = numbers.length < most ? range.until : copied
  await tx.tableRebuilds.note(table.id, { copied: reached, isReady: false })
  return true
}

/**
 * Copies some of the records that were changed since they were copied. Answers whether the copy was as the table, or is it now; or
 * whether so many differ that all records are gone through once more, which takes less than to look for the next few again and again.
 */
async function copyChanged(
  tx: WriteTx,
  table: Table,
  { copied, isReady }: TableRebuild,
): Promise<'same' | 'same now' | 'differs' | 'many differ'> {
  const most = limits.recordsCopiedAgain
  const { numbers, recordIds } = await tx.tableRebuilds.changedSinceLook(table, most, { isReady })
  const bytes = await tx.recordSizes.bytesOf(placeOfRecords(table), recordIds)
  const share = Math.min(1, limits.bytesPerCalculation / bytes)
  const some = numbers.slice(0, Math.max(1, Math.floor(numbers.length * share)))
  const { waiting } = await tx.tableRebuilds.bring(table, some)
  if (numbers.length === most) {
    await tx.tableRebuilds.note(table.id, { copied: 0, isReady: false })
    return 'many differ'
  }
  const areAll = some.length === numbers.length && waiting === 0
  if (areAll !== isReady) await tx.tableRebuilds.note(table.id, { copied, isReady: areAll })
  if (!areAll) return 'differs'
  return numbers.length === 0 ? 'same' : 'same now'
}

/** Removes the old table, once nobody reads it any more. */
async function finish(
  { tx, ids }: Pick<JobContext, 'tx' | 'ids'>,
  tableId: string,
): Promise<'later' | 'over'> {
  const held = await tx.tables.findOrTrash(tableId, 'none')
  if (!held) return 'over'
  if (await tx.tableRebuilds.hasReadersBefore(held)) return 'later'
  // Else the old table stays, so that nothing is lost.
  const isAsItWas = !(await tx.tableRebuilds.wasWritten(held))
  assert(isAsItWas, `nothing was written to the table that ${tableId} was before`)
  const table = await tx.tables.findOrTrash(tableId, 'update')
  if (!table || table.rebuiltName === null) return 'over'
  await tx.tableRebuilds.finish(table)
  await tx.tables.renewSchema(tableId, ids.revision())
  return 'over'
}

/** Removes the copy of a table that lies in the trash, or in a base that does. */
async function abandon(tx: WriteTx, tableId: string): Promise<'over'> {
  const table = await tx.tables.findOrTrash(tableId, 'update')
  if (table && (await tx.tableRebuilds.find(tableId))) await tx.tableRebuilds.drop(table)
  return 'over'
}
