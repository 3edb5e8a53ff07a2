import type { Viewer } from '../../accounts/users/shown-contact.ts'
import { both } from '../../queries/condition.ts'
import type { RecordQuery } from '../../queries/record-query.ts'
import { type Search, toSearch } from '../../queries/search.ts'
import type { SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import type { TableScope } from '../../tables/table-guard.ts'
import { fieldsInOrder, isShown } from '../../views/column-meta.ts'
import { requireView } from '../../views/require-view.ts'
import { type ShownView, shownSchema } from '../../views/shown-schema.ts'
import type { View } from '../../views/view.ts'
import { type Grouped, readGrouping } from '../groups/group-points.ts'
import { groupKeysOf } from '../groups/read-groups.ts'
import { findPicked, type PickInput } from './find-picked.ts'
import { type Asker, type QueryInput, toRecordQuery } from './to-record-query.ts'

/** What a caller asks of the records of a table, perhaps as a view has them. */
export interface AskedInput extends QueryInput, PickInput {
  readonly viewId?: string | undefined
  /** Whether only the columns of the view count. */
  readonly ignoreViewQuery?: boolean | undefined
  /** Groups whose records are left out. */
  readonly collapsedGroupIds?: readonly string[] | undefined
}

/** Who asks, of which table. */
export interface AskedContext extends Asker, Viewer, Pick<TableScope, 'table' | 'userId'> {
  readonly tx: ReadTx
  /** What alone the caller is shown of the table: its view always takes part in the query. */
  readonly only?: ShownView
}

/** What is asked, of the fields that there are now. */
export interface AskedQuery {
  readonly schema: TableSchema
  /** The schema with the fields alone that the caller may name and see. */
  readonly shown: TableSchema
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
  /** The view that is named, where its filter, groups and sort take part in the query. */
  readonly viewQuery: View | undefined
}

/** What a caller asks. `view_not_found`, and validation_error for what the fields don't take. */
export async function findAskedQuery(
  context: AskedContext,
  input: AskedInput,
): Promise<AskedQuery> {
  const { tx, table, only } = context
  const { viewId, ignoreViewQuery = false, collapsedGroupIds = [] } = input
  const schema = await tx.fields.schemaOf(table)
  const view = only?.view ?? (await findNamed(tx, table.id, viewId))
  const viewQuery = ignoreViewQuery && !only ? undefined : view
  const shown = only ? shownSchema(schema, only) : schema
  const asked = toRecordQuery(shown, input, context, viewQuery, schema)
  const picked = await findPicked(context, schema, input)
  const query = { ...asked, condition: both(asked.condition, picked.condition) }
  const search =
    input.search &&
    toSearch(input.search, columnsOf({ schema, shown, view }, only), { ...input, schema: shown })
  const whole = search?.hidesOthers
    ? { ...query, condition: both(query.condition, { kind: 'shows', ...search }) }
    : query
  const grouping =
    collapsedGroupIds.length === 0
      ? undefined
      : await readGrouping(context, { schema, query: whole }, collapsedGroupIds)
  const isOrdered = input.orderBy !== undefined || groupKeysOf(asked).length > 0
  const inOrder = isOrdered ? undefined : picked.inOrder
  const found = { query: grouping?.query ?? whole, search, grouping, inOrder }
  return { schema, shown, ...found, view, viewQuery }
}

async function findNamed(tx: ReadTx, tableId: string, viewId: string | undefined) {
  return viewId === undefined ? undefined : requireView(tx, { tableId, viewId })
}

/** The fields that are shown of what is asked, in their order. */
export function columnsOf(
  { schema, shown, view }: Pick<AskedQuery, 'schema' | 'shown' | 'view'>,
  only: ShownView | undefined,
): readonly SchemaField[] {
  return only ? fieldsInOrder(only.view, shown.fields) : shownFields(schema, view)
}

/** The fields that are shown, in their order: those of the view, else all. */
function shownFields({ fields }: TableSchema, view: View | undefined): readonly SchemaField[] {
  if (!view) return fields
  return fieldsInOrder(view, fields).filter((field) => isShown(view, field))
}
