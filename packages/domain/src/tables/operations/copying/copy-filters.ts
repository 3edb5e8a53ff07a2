import type { Field } from '../../../fields/field.ts'
import type { Filter } from '../../../fields/filter.ts'
import {
  filterOf,
  foreignTableIdOf,
  linkCapabilityOf,
  withFilter,
} from '../../../fields/link-of.ts'
import { changeEach, withValues } from '../../../schemas/filter-values.ts'

/** What copies of tables call what they have copies of. */
export interface CopiedNames {
  /** The ids of the copies. */
  readonly tableIds: ReadonlySet<string>
  /** The views of the copies, by those that they are copies of. */
  readonly viewIds: ReadonlyMap<string, string>
  /** The id that the copy of a record gets. */
  recordId(originalId: string): string
}

/**
 * The fields of copied tables, where links that lead to such are limited to views and by filters: these name the views
 * and records of the copies.
 */
export function limitedToCopies(fields: readonly Field[], names: CopiedNames): readonly Field[] {
  const byId = new Map(fields.map((field) => [field.id, field]))
  return fields.map((field) => {
    if (!names.tableIds.has(foreignTableIdOf(field) ?? '')) return field
    const viewId = linkCapabilityOf(field)?.filterViewId(field.options)
    const copiedId = names.viewIds.get(viewId ?? '')
    const options = { ...(field.options as object), filterByViewId: copiedId }
    const limited = copiedId === undefined ? field : { ...field, options }
    const filter = filterOf(limited)
    return filter ? withFilter(limited, withCopiedRecords(filter, byId, names)) : limited
  })
}

/** A filter about a copied table, the fields of all being given by id, with the copies of records in their place. */
export function withCopiedRecords(
  filter: Filter,
  fields: ReadonlyMap<string, Field>,
  names: CopiedNames,
): Filter {
  const copied = (value: unknown) => (typeof value === 'string' ? names.recordId(value) : value)
  return withValues(filter, (fieldId, value, operator) =>
    ofTitles.has(operator) || !holdsCopies(fieldId, fields, names)
      ? value
      : changeEach(value, copied),
  )
}

/** Operators whose value is a text, and names no record. */
const ofTitles: ReadonlySet<string> = new Set([
  ...['contains', 'doesNotContain', 'LIKE', 'NOT LIKE'],
])

/** Whether the cells of the field are records of copied tables: links to them, or what lookups show of those. */
function holdsCopies(
  fieldId: string,
  fields: ReadonlyMap<string, Field>,
  names: CopiedNames,
): boolean {
  const seen = new Set<string>()
  for (let field = fields.get(fieldId); field && !seen.has(field.id); ) {
    seen.add(field.id)
    if (linkCapabilityOf(field)) return names.tableIds.has(foreignTableIdOf(field) ?? '')
    if (!field.isLookup || !field.lookupOptions) return false
    field = fields.get(field.lookupOptions.lookupFieldId)
  }
  return false
}
