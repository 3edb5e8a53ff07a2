import { type ModelFilter, questionAbout } from '../../values/model-filter.ts'
import { formulaType, withFields } from '../../values/model-formula.ts'
import { ModelSnapshot } from '../model-snapshot.ts'
import { linkOf, type ModelContent, type ModelField, type ModelTable } from '../workspace-model.ts'
import type { FieldShape, FilterShape } from '../workspace-step.ts'
import { at, type PlanContext, tableAt } from './step-plan.ts'

/** What a field of the shape would be in the table. */
export function toContent(
  context: PlanContext,
  table: ModelTable,
  shape: FieldShape,
): ModelContent | undefined {
  switch (shape.kind) {
    case 'link': {
      const foreign = tableAt(context, shape.foreign)
      if (!foreign) return undefined
      const { relationship, isOneWay } = shape
      const titles = shape.titles === undefined ? undefined : at(foreign.fields, shape.titles)
      return { kind: 'link', relationship, foreign, isOneWay, titles, symmetric: undefined }
    }
    case 'lookup':
    case 'rollup': {
      const link = at(usableLinks(table), shape.link)
      const source = link && at(linkOf(link).foreign.fields, shape.source)
      if (!source) return undefined
      const filter = shape.filter && toFilter(linkOf(link).foreign, shape.filter)
      return { ...shape, link, source, filter }
    }
    case 'formula': {
      const formula = withFields(shape.formula, (place) => at(table.fields, place) as ModelField)
      return { kind: 'formula', formula }
    }
    default:
      return shape
  }
}

function toFilter(
  { fields }: ModelTable,
  { conjunction, items }: FilterShape,
): ModelFilter<ModelField> {
  const snapshot = new ModelSnapshot()
  const asked = items.flatMap(({ field, question }) => {
    const found = at(fields, field)
    return found ? [questionAbout(snapshot, found, question)] : []
  })
  return { conjunction, items: asked }
}

/** The links of the table whose other table is there. */
export function usableLinks(table: ModelTable): readonly ModelField[] {
  return table.fields.filter(({ content }) => content.kind === 'link' && !content.foreign.isDeleted)
}

/** Whether the parts of the content fit together. */
export function isTyped(content: ModelContent): boolean {
  if (content.kind !== 'formula') return true
  const snapshot = new ModelSnapshot()
  return formulaType(content.formula, (field) => snapshot.type(field)) !== undefined
}
