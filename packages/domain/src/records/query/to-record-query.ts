import type { Actor } from '../../access/actor.ts'
import type { Timestamp } from '../../clock.ts'
import { always } from '../../queries/condition.ts'
import type { Filter } from '../../queries/filter.ts'
import type { RecordQuery } from '../../queries/record-query.ts'
import type { SortItem } from '../../queries/sort.ts'
import { toCondition } from '../../queries/to-condition.ts'
import { toSortKeys } from '../../queries/to-sort-keys.ts'
import type { FieldKeyType, TableSchema } from '../../schemas/table-schema.ts'

/** What a caller asks of the records of a table. */
export interface QueryInput {
  readonly fieldKeyType: FieldKeyType
  readonly filter?: Filter | undefined
  readonly orderBy?: readonly SortItem[] | undefined
}

/** Who asks, and when: `Me` and `today` follow from it. */
interface Asker {
  readonly actor: Actor
  readonly now: Timestamp
}

/** What the caller asks for; validation_error for what the table's fields don't take. */
export function toRecordQuery(
  schema: TableSchema,
  { fieldKeyType, filter, orderBy }: QueryInput,
  { actor, now }: Asker,
): RecordQuery {
  const userId = actor.kind === 'anonymous' ? '' : actor.userId
  const context = { schema, fieldKeyType, userId, now }
  return {
    condition: filter ? toCondition(filter, context) : always,
    keys: orderBy ? toSortKeys(orderBy, context, 'orderBy') : [],
  }
}

/** Whether the query asks for all records as they were created. */
export function asksForAll({ condition, keys }: RecordQuery): boolean {
  return condition === always && keys.length === 0
}
