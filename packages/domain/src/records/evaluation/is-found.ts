import { asksForLinks, both, type Condition } from '../../queries/condition.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { findPeopleShown } from '../reading/find-people-shown.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import { meetsCondition } from './meets-condition.ts'

/** Whether the condition holds for a living record, with what it asks of others looked up. */
export async function isFound(
  tx: ReadTx,
  schema: TableSchema,
  condition: Condition,
  record: StoredRecord,
): Promise<boolean> {
  if (asksForLinks(condition)) {
    const alone = both({ kind: 'ids', ids: [record.id] }, condition)
    return (await tx.recordFinder.count(schema, alone)) > 0
  }
  return meetsCondition(condition, record, await findPeopleShown(tx, condition, [record]))
}
