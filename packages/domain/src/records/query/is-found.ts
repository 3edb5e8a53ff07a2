import type { Condition } from '../../queries/condition.ts'
import type { ReadTx } from '../../store.ts'
import type { StoredRecord } from '../stored-record.ts'
import { findPeopleShown } from './find-people-shown.ts'
import { meetsCondition } from './meets-condition.ts'

/** Whether the condition holds for a record, with what it asks of others looked up. */
export async function isFound(
  tx: ReadTx,
  condition: Condition,
  record: StoredRecord,
): Promise<boolean> {
  return meetsCondition(condition, record, await findPeopleShown(tx, condition, [record]))
}
