import { invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { CallContext } from '../../use-case.ts'
import { lockRecords } from '../reading/lock-records.ts'
import type { RecordsContext } from '../reading/records-context.ts'
import { sizeOfSome } from '../stored/size-within.ts'
import { markRecordsDeleted } from './mark-records-deleted.ts'

/**
 * Moves the records of the ids to the table's trash in one operation, whose id it returns: all of them, or none. Throws
 * as `lockRecords` does, and validation_error, at the place where the input names them, where they are too large to be deleted at once.
 */
export async function removeRecords(
  context: RecordsContext & Pick<CallContext, 'ifMatch' | 'answerLength'>,
  recordIds: readonly string[],
  path: readonly string[],
): Promise<string> {
  await lockRecords(context, recordIds, [])
  const named = [...new Set(recordIds)]
  await requireRoom(context, named, path)
  return markRecordsDeleted(context, named)
}

/** A deleted record is kept, and where it is marked as such a storage may write all of it anew. */
async function requireRoom(
  { tx, table }: Pick<RecordsContext, 'tx' | 'table'>,
  recordIds: readonly string[],
  path: readonly string[],
): Promise<void> {
  const schema = await tx.fields.schemaOf(table)
  const room = { records: recordIds.length, bytes: limits.bytesPerDelete }
  if (await sizeOfSome(tx, schema, recordIds, room)) return
  const message = `the records take more than ${room.bytes} bytes together: delete fewer at once`
  throw invalidAt(path, message)
}
