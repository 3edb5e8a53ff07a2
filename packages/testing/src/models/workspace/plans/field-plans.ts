import { definitionOf } from '../field-definition.ts'
import { followsFrom } from '../field-dependencies.ts'
import { fromOtherSide } from '../model-links.ts'
import { ModelSnapshot } from '../model-snapshot.ts'
import { freeFieldName, type ModelField, primaryOf } from '../workspace-model.ts'
import type { StepOf } from '../workspace-step.ts'
import { isTyped, toContent, usableLinks } from './field-content.ts'
import { at, type PlanContext, type StepPlan, tableAt } from './step-plan.ts'

/** Plans to create a field; undefined when there is nothing that it could concern. */
export function planCreateField(
  context: PlanContext,
  step: StepOf<'create field'>,
): StepPlan | undefined {
  const readsThroughLink = step.field.kind === 'lookup' || step.field.kind === 'rollup'
  const tables = context.model.tables.filter(
    (table) => !readsThroughLink || usableLinks(table).length > 0,
  )
  const table = at(tables, step.table)
  const content = table && toContent(context, table, step.field)
  if (!table || !content) return undefined
  const definition = definitionOf(new ModelSnapshot(), table, content)
  const input = { tableId: table.id, name: step.name, ...definition }
  return {
    expected: isTyped(content) ? 'done' : 'validation_error',
    input,
    run: async () => {
      const { id, options } = await context.api.fields.createField(input)
      const field = context.model.addField(table, {
        id,
        name: freeFieldName(table, step.name),
        content,
      })
      const { symmetricFieldId } = options as { symmetricFieldId?: string }
      if (content.kind === 'link' && symmetricFieldId)
        addSymmetric(context, field, symmetricFieldId)
    },
  }
}

function addSymmetric({ model }: PlanContext, field: ModelField, id: string): void {
  const { table, content } = field
  if (content.kind !== 'link') throw new Error('only links have another end')
  const { relationship, foreign } = content
  content.symmetric = model.addField(foreign, {
    id,
    name: freeFieldName(foreign, table.name),
    content: {
      kind: 'link',
      relationship: fromOtherSide(relationship),
      foreign: table,
      symmetric: field,
      titles: undefined,
      isOneWay: false,
    },
  })
}

/** Plans to rename a field. A name that another field has is refused. */
export function planRenameField(
  context: PlanContext,
  step: StepOf<'rename field'>,
): StepPlan | undefined {
  const table = tableAt(context, step.table)
  const field = table && at(table.fields, step.field)
  if (!field) return undefined
  const { name } = step
  const isTaken = table.fields.some((other) => other !== field && other.name === name)
  const input = { tableId: table.id, fieldId: field.id, name }
  return {
    expected: isTaken ? 'validation_error' : 'done',
    input,
    run: async () => {
      await context.api.fields.updateField(input)
      field.name = name
    },
  }
}

/** Plans to delete one field or several at once; not the primary one. */
export function planDeleteFields(
  context: PlanContext,
  step: StepOf<'delete fields'>,
): StepPlan | undefined {
  const table = tableAt(context, step.table)
  const fields = new Set(step.fields.map((place) => at(table?.fields.slice(1) ?? [], place)))
  const gone = [...fields].filter((field) => field !== undefined)
  const [first] = gone
  if (!table || !first || wouldTurnInCircle(context, gone)) return undefined
  const { deleteField, deleteFields } = context.api.fields
  const fieldIds = gone.map(({ id }) => id)
  return {
    expected: 'done',
    input: { tableId: table.id, fieldIds },
    run: async () => {
      if (gone.length > 1) await deleteFields({ tableId: table.id, fieldIds })
      else await deleteField({ tableId: table.id, fieldId: first.id })
      context.model.removeFields(gone)
      context.model.trash.push({ kind: 'fields', table, fields: gone })
    },
  }
}

/** Whether titles that come from the fields would then come from a primary field that follows from them. */
function wouldTurnInCircle({ model }: PlanContext, fields: readonly ModelField[]): boolean {
  const gone = fields.flatMap((field) =>
    field.content.kind === 'link' ? [field, field.content.symmetric] : [field],
  )
  return model.tables
    .flatMap((table) => table.fields)
    .some((field) => {
      const { content } = field
      if (content.kind !== 'link' || !content.titles || !gone.includes(content.titles)) return false
      return followsFrom(primaryOf(content.foreign).content, field, true)
    })
}
