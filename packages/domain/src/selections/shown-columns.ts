import { type Issue, invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import { findField } from '../queries/to-condition.ts'
import { type AskedQuery, columnsOf } from '../records/query/find-asked-query.ts'
import type { FieldKeyType, SchemaField } from '../schemas/table-schema.ts'
import type { ShownView } from '../views/shown-schema.ts'

/** Which columns there are to select from. */
interface ColumnsInput {
  readonly fieldKeyType: FieldKeyType
  readonly projection?: readonly string[] | undefined
}

/**
 * The columns that a view shows, in its order; all fields of the table where there is no view. Of those, the ones that
 * the projection names. Throws validation_error for a name of no field: the places of all columns would be others.
 */
export function shownColumns(
  asked: AskedQuery,
  only: ShownView | undefined,
  { fieldKeyType, projection }: ColumnsInput,
): readonly SchemaField[] {
  const columns = columnsOf(asked, only)
  if (!projection) return columns
  const issues: Issue[] = []
  const wanted = new Set<SchemaField>()
  for (const [index, key] of projection.entries()) {
    const field = findField(key, { schema: asked.shown, fieldKeyType })
    if (field) wanted.add(field)
    else issues.push({ path: ['projection', index], message: 'must name a field of the table' })
  }
  if (issues.length > 0) throw invalid(issues.slice(0, limits.issuesNamed))
  return columns.filter((field) => wanted.has(field))
}
