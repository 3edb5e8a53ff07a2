import { both } from '../../queries/condition.ts'
import type { RecordQuery } from '../../queries/record-query.ts'
import { type Search, toSearch } from '../../queries/search.ts'
import type { SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import type { TableScope } from '../../tables/table-guard.ts'
import { fieldsInOrder, isShown } from '../../views/column-meta.ts'
import { requireView } from '../../views/require-view.ts'
import type { View } from '../../views/view.ts'
import { findPicked, type PickInput } from './find-picked.ts'
import { type Grouped, readGrouping } from './group-points.ts'
import { groupKeysOf } from './read-groups.ts'
import { type Asker, type QueryInput, toRecordQuery } from './to-record-query.ts'

/** What a caller asks of the records of a table, perhaps as a view has them. */
interface AskedInput extends QueryInput, PickInput {
  readonly viewId?: string | undefined
  /** Whether only the columns of the view count. */
  readonly ignoreViewQuery?: boolean | undefined
  /** Groups whose records are left out. */
  readonly collapsedGroupIds?: readonly string[] | undefined
}

interface AskedContext extends Asker, Pick<TableScope, 'table' | 'userId'> {
  readonly tx: ReadTx
}

/** What is asked, of the fields that there are now. */
export interface AskedQuery {
  readonly schema: TableSchema
  /** Without the records of collapsed groups. */
  readonly query: RecordQuery
  /** What is searched; where it hides other records, the query leaves them out. */
  readonly search: Search | undefined
  /** Its groups, where they were looked at because some are collapsed. */
  readonly grouping: Grouped | undefined
  /** The records that were picked out of a cell, in its order, where no other order is asked for. */
  readonly inOrder: readonly string[] | undefined
  /** The view that is named. */
  readonly view: View | undefined
  /** The same where its filter, groups and sort take part in the query. */
  readonly viewQuery: View | undefined
}

/** What a caller asks. `view_not_found`, and validation_error for what the fields don't take. */
export async function findAskedQuery(
  context: AskedContext,
  input: AskedInput,
): Promise<AskedQuery> {
  const { tx, table } = context
  const { viewId, ignoreViewQuery = false, collapsedGroupIds = [] } = input
  const schema = await tx.fields.schemaOf(table)
  const view =
    viewId === undefined ? undefined : await requireView(tx, { tableId: table.id, viewId })
  const viewQuery = ignoreViewQuery ? undefined : view
  const asked = toRecordQuery(schema, input, context, viewQuery)
  const picked = await findPicked(context, schema, input)
  const query = { ...asked, condition: both(asked.condition, picked.condition) }
  const search =
    input.search && toSearch(input.search, shownFields(schema, view), { schema, ...input })
  const whole = search?.hidesOthers
    ? { ...query, condition: both(query.condition, { kind: 'shows', ...search }) }
    : query
  const grouping =
    collapsedGroupIds.length === 0
      ? undefined
      : await readGrouping(context, { schema, query: whole }, collapsedGroupIds)
  const isOrdered = input.orderBy !== undefined || groupKeysOf(asked).length > 0
  const inOrder = isOrdered ? undefined : picked.inOrder
  return { schema, query: grouping?.query ?? whole, search, grouping, inOrder, view, viewQuery }
}

/** The fields that are shown, in their order: those of the view, else all. */
export function shownFields(
  { fields }: TableSchema,
  view: View | undefined,
): readonly SchemaField[] {
  if (!view) return fields
  return fieldsInOrder(view, fields).filter((field) => isShown(view, field))
}
