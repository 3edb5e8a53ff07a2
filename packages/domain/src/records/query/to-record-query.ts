import { type Actor, isKnown } from '../../access/actor.ts'
import type { Timestamp } from '../../clock.ts'
import type { Filter } from '../../fields/filter.ts'
import { always, both } from '../../queries/condition.ts'
import type { RecordQuery } from '../../queries/record-query.ts'
import type { SearchInput } from '../../queries/search.ts'
import type { SortItem } from '../../queries/sort.ts'
import { toCondition, toStoredCondition } from '../../queries/to-condition.ts'
import {
  toGroupKeys,
  toSortKeys,
  toStoredGroupKeys,
  toStoredSortKeys,
  withFurtherKeys,
} from '../../queries/to-sort-keys.ts'
import type { FieldKeyType, TableSchema } from '../../schemas/table-schema.ts'
import type { ShownView } from '../../views/shown-schema.ts'
import type { View } from '../../views/view.ts'

/** What a caller asks of the records of a table. */
export interface QueryInput {
  readonly fieldKeyType: FieldKeyType
  readonly filter?: Filter | undefined
  readonly orderBy?: readonly SortItem[] | undefined
  readonly search?: SearchInput | undefined
  readonly groupBy?: readonly SortItem[] | undefined
}

/** Who asks, and when: `Me` and `today` follow from it. */
export interface Asker {
  readonly actor: Actor
  readonly now: Timestamp
  /** What alone the caller is shown of the table: where the filter of the view no longer fits, that is nothing. */
  readonly only?: ShownView
}

/** What a view asks of the records that it shows. */
export type ViewQuery = Pick<View, 'id' | 'filter' | 'sort' | 'group' | 'rowOrder' | 'version'>

/**
 * What the caller asks for, of the records that a view shows: both filters hold; what the caller sorts by counts more
 * than what the view does, and groups more than both: those of the caller, else those of the view. What is alike by all
 * of them goes by the row order of the view. Throws validation_error for what the table's fields don't take.
 */
export function toRecordQuery(
  schema: TableSchema,
  { fieldKeyType, filter, orderBy, groupBy }: QueryInput,
  { actor, now, only }: Asker,
  view?: ViewQuery,
  /** All fields of the table, where the caller may name some of them only. */
  all: TableSchema = schema,
): RecordQuery {
  const userId = isKnown(actor) ? actor.userId : ''
  const context = { schema, fieldKeyType, userId, now }
  const stored = { ...context, schema: all, fieldKeyType: 'id' } as const
  const ofShare = { ...stored, failsClosed: only !== undefined }
  const own = filter ? toCondition(filter, context) : always
  const ofView = view?.filter ? toStoredCondition(view.filter, ofShare) : always
  const groupOfView = groupBy ? [] : (view?.group ?? [])
  const keys = [
    // Groups tell what their fields hold: of those that the caller may not name only the order is left.
    groupBy ? toGroupKeys(groupBy, context) : toStoredGroupKeys(groupOfView, { ...stored, schema }),
    orderBy ? toSortKeys(orderBy, context, 'orderBy') : [],
    toStoredSortKeys(groupOfView, stored),
    // Records that stay in the order that they had once aren't sorted anew.
    toStoredSortKeys(view?.sort?.manualSort ? [] : (view?.sort?.sortObjs ?? []), stored),
  ]
  const rowOrder = view?.rowOrder ?? undefined
  return { condition: both(ofView, own), keys: keys.reduce(withFurtherKeys), rowOrder }
}

/** Whether the query asks for all records as they were created. */
export function asksForAll({ condition, keys, rowOrder }: RecordQuery): boolean {
  return condition === always && keys.length === 0 && rowOrder === undefined
}
