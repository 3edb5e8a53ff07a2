import { both } from '../../queries/condition.ts'
import type { RecordQuery } from '../../queries/record-query.ts'
import { type Search, toSearch } from '../../queries/search.ts'
import type { SchemaField, TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import type { TableScope } from '../../tables/table-guard.ts'
import { fieldsInOrder, isShown } from '../../views/column-meta.ts'
import { requireView } from '../../views/require-view.ts'
import type { View } from '../../views/view.ts'
import { type Asker, type QueryInput, toRecordQuery } from './to-record-query.ts'

/** What a caller asks of the records of a table, perhaps as a view has them. */
interface AskedInput extends QueryInput {
  readonly viewId?: string | undefined
  /** Whether only the columns of the view count. */
  readonly ignoreViewQuery?: boolean | undefined
}

interface AskedContext extends Asker, Pick<TableScope, 'table'> {
  readonly tx: ReadTx
}

/** What is asked, of the fields that there are now. */
export interface AskedQuery {
  readonly schema: TableSchema
  readonly query: RecordQuery
  /** What is searched; where it hides other records, the query leaves them out. */
  readonly search: Search | undefined
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
  const { viewId, ignoreViewQuery = false } = input
  const schema = await tx.fields.schemaOf(table)
  const view =
    viewId === undefined ? undefined : await requireView(tx, { tableId: table.id, viewId })
  const viewQuery = ignoreViewQuery ? undefined : view
  const query = toRecordQuery(schema, input, context, viewQuery)
  const search =
    input.search && toSearch(input.search, shownFields(schema, view), { schema, ...input })
  if (!search?.hidesOthers) return { schema, query, search, view, viewQuery }
  const condition = both(query.condition, { kind: 'shows', ...search })
  return { schema, query: { ...query, condition }, search, view, viewQuery }
}

/** The fields that are shown, in their order: those of the view, else all. */
function shownFields({ fields }: TableSchema, view: View | undefined): readonly SchemaField[] {
  if (!view) return fields
  return fieldsInOrder(view, fields).filter((field) => isShown(view, field))
}
