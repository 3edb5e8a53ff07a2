import { fieldsOf } from '../values/model-formula.ts'
import { type ModelContent, type ModelField, titlesOf } from './workspace-model.ts'

/**
 * The fields whose cells the cells of such a field follow from. A lookup follows from which records are
 * linked, but not from their titles: `withLinks` names the link all the same.
 */
function sourcesOf(content: ModelContent, withLinks: boolean): readonly ModelField[] {
  switch (content.kind) {
    case 'formula':
      return fieldsOf(content.formula)
    case 'link':
      return content.foreign.isDeleted ? [] : [titlesOf(content)]
    case 'lookup':
    case 'rollup':
      return [
        content.source,
        ...(content.filter?.items.map(({ field }) => field) ?? []),
        ...(withLinks ? [content.link] : []),
      ]
    default:
      return []
  }
}

/** Whether a field of the content would follow from the field, through whatever lies between and is there. */
export function followsFrom(
  content: ModelContent,
  field: ModelField,
  withLinks: boolean,
  seen = new Set<ModelField>(),
): boolean {
  return sourcesOf(content, withLinks).some((source) => {
    if (source.isDeleted) return false
    if (source === field) return true
    if (seen.has(source)) return false
    seen.add(source)
    return followsFrom(source.content, field, withLinks, seen)
  })
}
