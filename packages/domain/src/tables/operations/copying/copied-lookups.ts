import type { Field } from '../../../fields/field.ts'
import { typeOf } from '../../../fields/field-values.ts'
import { linkCapabilityOf } from '../../../fields/link-of.ts'

/**
 * The fields of copied tables, where lookups of links say of these what the copies of the links do, and those of what is not
 * copied what their originals do. `copiedIds` has the ids of the copies of bases, tables and views.
 */
export function lookupsOfCopies(
  fields: readonly Field[],
  originals: readonly Field[],
  copiedIds: ReadonlyMap<string, string>,
): readonly Field[] {
  const byId = new Map(fields.map((field) => [field.id, field]))
  const sources = new Map<string, Field | undefined>()
  return fields.map((field, index) => {
    if (field.hasError) return withLastKnown(field, copiedIds)
    const source = sourceOf(field, byId, sources)
    if (field.isLookup && !source) {
      return { ...field, options: originals[index]?.options ?? field.options }
    }
    return source && linkCapabilityOf(source) ? { ...field, options: source.options } : field
  })
}

/**
 * A lookup of links that can't be computed goes on saying what it said last, but of the copies: the link, or what is looked up,
 * was deleted. Any other field stays as it is.
 */
export function withLastKnown(field: Field, copiedIds: ReadonlyMap<string, string>): Field {
  const capability = field.isLookup ? typeOf(field).link : undefined
  return capability ? { ...field, options: capability.renamed(field.options, copiedIds) } : field
}

/**
 * The field that a lookup shows in the end, be it through further lookups; undefined for other fields, and where that isn't
 * among the copies. `known` has those that were found, so that no lookup is followed twice.
 */
function sourceOf(
  field: Field,
  byId: ReadonlyMap<string, Field>,
  known: Map<string, Field | undefined>,
): Field | undefined {
  const followed: string[] = []
  let source: Field | undefined = field
  while (source?.isLookup && source.lookupOptions) {
    if (known.has(source.id)) {
      source = known.get(source.id)
      break
    }
    // What reads itself has no source.
    known.set(source.id, undefined)
    followed.push(source.id)
    source = byId.get(source.lookupOptions.lookupFieldId)
  }
  for (const id of followed) known.set(id, source)
  return source === field ? undefined : source
}
