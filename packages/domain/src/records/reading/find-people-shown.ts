import type { People } from '../../fields/cell.ts'
import { type Condition, searchedFields } from '../../queries/condition.ts'
import type { ReadTx } from '../../store.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import { findPeople, noteUsers } from './find-people.ts'

/** The people whose names decide whether the condition holds for the records, by name. */
export function findPeopleShown(
  tx: ReadTx,
  condition: Condition,
  records: readonly StoredRecord[],
): Promise<People> {
  const userIds = new Set<string>()
  for (const field of searchedFields(condition)) noteUsers(field, records, userIds)
  return findPeople(tx, userIds)
}
