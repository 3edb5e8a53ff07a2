import { type Issue, invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import { findField } from '../queries/to-condition.ts'
import { shownFields } from '../records/query/find-asked-query.ts'
import type { FieldKeyType, SchemaField, TableSchema } from '../schemas/table-schema.ts'
import type { View } from '../views/view.ts'

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
  schema: TableSchema,
  view: View | undefined,
  { fieldKeyType, projection }: ColumnsInput,
): readonly SchemaField[] {
  const shown = shownFields(schema, view)
  if (!projection) return shown
  const issues: Issue[] = []
  const wanted = new Set<SchemaField>()
  for (const [index, key] of projection.entries()) {
    const field = findField(key, { schema, fieldKeyType })
    if (field) wanted.add(field)
    else issues.push({ path: ['projection', index], message: 'must name a field of the table' })
  }
  if (issues.length > 0) throw invalid(issues.slice(0, limits.issuesNamed))
  return shown.filter((field) => wanted.has(field))
}
