import type { Field } from '../../fields/field.ts'
import type { Filter, FilterItem } from '../../fields/filter.ts'
import { filterOf, foreignTableIdOf, linkAbilityOf, withFilter } from '../../fields/link-of.ts'

/** What the copy of a table calls what it has copies of. */
export interface CopiedNames {
  /** The views of the copy, by those that they are copies of. */
  readonly viewIds: ReadonlyMap<string, string>
  /** The id that the copy of a record gets. */
  recordId(originalId: string): string
}

/**
 * The fields of a copied table, where links that lead to it are limited to views and by filters: these name the views
 * and records of the copy.
 */
export function limitedToCopies(fields: readonly Field[], names: CopiedNames): readonly Field[] {
  const byId = new Map(fields.map((field) => [field.id, field]))
  return fields.map((field) => {
    if (foreignTableIdOf(field) !== field.tableId) return field
    const viewId = linkAbilityOf(field)?.filterViewId(field.options)
    const copiedId = names.viewIds.get(viewId ?? '')
    const options = { ...(field.options as object), filterByViewId: copiedId }
    const limited = copiedId === undefined ? field : { ...field, options }
    const filter = filterOf(limited)
    return filter ? withFilter(limited, withCopiedRecords(filter, byId, names)) : limited
  })
}

/** A filter about the copied table, whose fields are given by id, with its records in the place of the original's. */
export function withCopiedRecords(
  { conjunction, filterSet }: Filter,
  fields: ReadonlyMap<string, Field>,
  names: CopiedNames,
): Filter {
  const copied = (value: unknown) => (typeof value === 'string' ? names.recordId(value) : value)
  return {
    conjunction,
    filterSet: filterSet.map((item): FilterItem | Filter => {
      if ('filterSet' in item) return withCopiedRecords(item, fields, names)
      const { fieldId, operator, value } = item
      if (value === undefined || ofTitles.has(operator) || !holdsOwnRecords(fieldId, fields)) {
        return item
      }
      return { ...item, value: Array.isArray(value) ? value.map(copied) : copied(value) }
    }),
  }
}

/** Operators whose value is a text, and names no record. */
const ofTitles: ReadonlySet<string> = new Set([
  ...['contains', 'doesNotContain', 'LIKE', 'NOT LIKE'],
])

/** Whether the cells of the field are records of its own table: links to it, or what lookups show of those. */
function holdsOwnRecords(
  fieldId: string,
  fields: ReadonlyMap<string, Field>,
  seen: ReadonlySet<string> = new Set(),
): boolean {
  const field = fields.get(fieldId)
  if (!field || seen.has(fieldId) || foreignTableIdOf(field) !== field.tableId) return false
  if (linkAbilityOf(field)) return true
  const { isLookup, lookupOptions } = field
  if (!isLookup || !lookupOptions) return false
  return holdsOwnRecords(lookupOptions.lookupFieldId, fields, new Set([...seen, fieldId]))
}
