import { withFieldsOf } from '../../values/model-filter.ts'
import { withFields } from '../../values/model-formula.ts'
import { linkedTo } from '../model-links.ts'
import {
  freeFieldName,
  linkOf,
  type ModelContent,
  type ModelField,
  type ModelRecord,
  type ModelTable,
  newModelRecord,
} from '../workspace-model.ts'
import type { StepOf } from '../workspace-step.ts'
import { at, type PlanContext, type StepPlan, tableAt } from './step-plan.ts'
import { tablesMax } from './table-plans.ts'

/** Plans to copy a field with its values. The copy of a link is shown at this end alone. */
export function planDuplicateField(
  context: PlanContext,
  step: StepOf<'duplicate field'>,
): StepPlan | undefined {
  const { api, model } = context
  const table = tableAt(context, step.table)
  const field = table && at(table.fields, step.field)
  if (!field) return undefined
  const input = { tableId: table.id, fieldId: field.id }
  return {
    expected: 'done',
    input,
    run: async () => {
      const { id } = await api.fields.duplicateField(input)
      const content = asOneWay(field.content)
      const copy = model.addField(table, { id, name: freeFieldName(table, field.name), content })
      copy.lastType = field.lastType
      copy.lastShown = field.lastShown
      for (const { cells, links, unplaced } of [...table.records, ...table.trashed]) {
        const cell = cells.get(field)
        if (cell !== undefined) cells.set(copy, cell)
        const linked = leadsNowhere(field) ? undefined : links.get(field)
        if (linked) links.set(copy, linked)
        const somewhere = unplaced.get(field)
        if (somewhere) unplaced.set(copy, somewhere)
      }
      return undefined
    },
  }
}

/** Whether the cells of a link are empty because its other table is gone: those of a copy stay so, whatever comes back. */
function leadsNowhere({ content }: ModelField): boolean {
  return content.kind === 'link' && content.foreign.isDeleted
}

function asOneWay(content: ModelContent): ModelContent {
  return content.kind === 'link' ? { ...content, isOneWay: true, symmetric: undefined } : content
}

/** Plans to copy a table, with its records or without; unless there are enough tables. */
export function planDuplicateTable(
  context: PlanContext,
  step: StepOf<'duplicate table'>,
): StepPlan | undefined {
  const { api, model } = context
  const table = tableAt(context, step.table)
  if (!table || model.tables.length >= tablesMax) return undefined
  const { baseId } = table
  const { includeRecords } = step
  const input = { baseId, nodeId: table.id, includeRecords }
  return {
    expected: 'done',
    input,
    run: async () => {
      const { resourceId: id, resourceMeta } = await api.tree.duplicateNode(input)
      const copy = model.addTable({ id, baseId, name: resourceMeta.name })
      const fields = await api.fields.listFields({ tableId: id })
      const copies = copyFields(table, copy, (index) => fields[index]?.id ?? '')
      if (!includeRecords) return undefined
      const { records } = await api.records.listRecords({ tableId: id })
      copyRecords(table, copy, copies, (index) => records[index]?.id ?? '')
      return undefined
    },
  }
}

type FieldCopies = ReadonlyMap<ModelField, ModelField>

/** What the fields say of one another holds among the copies; links to other tables are shown here alone. */
function copyFields(
  table: ModelTable,
  copy: ModelTable,
  idOf: (index: number) => string,
): FieldCopies {
  const copies = new Map(
    table.fields.map((field, index): [ModelField, ModelField] => {
      const made = { ...field, id: idOf(index), order: index, table: copy }
      copy.fields.push(made)
      return [field, made]
    }),
  )
  for (const made of copies.values()) made.content = amongCopies(made.content, table, copy, copies)
  return copies
}

function amongCopies(
  content: ModelContent,
  table: ModelTable,
  copy: ModelTable,
  copies: FieldCopies,
): ModelContent {
  // What a field of the table read that lies in the trash is gone for its copy: only the original comes back.
  const gone = (field: ModelField) => ({ ...field, table: copy, isDeleted: true })
  const copyOf = (field: ModelField) =>
    field.table === table ? (copies.get(field) ?? gone(field)) : field
  switch (content.kind) {
    case 'link': {
      if (content.foreign !== table) return asOneWay(content)
      const { symmetric, titles } = content
      return {
        ...content,
        foreign: copy,
        symmetric: symmetric && copyOf(symmetric),
        titles: titles && copyOf(titles),
      }
    }
    case 'lookup':
    case 'rollup':
      return {
        ...content,
        link: copyOf(content.link),
        source: copyOf(content.source),
        filter: content.filter && withFieldsOf(content.filter, copyOf),
      }
    case 'formula':
      return { kind: 'formula', formula: withFields(content.formula, copyOf) }
    default:
      return content
  }
}

function copyRecords(
  table: ModelTable,
  copy: ModelTable,
  copies: FieldCopies,
  idOf: (index: number) => string,
): void {
  const records = new Map(
    table.records.map((record, index): [ModelRecord, ModelRecord] => [
      record,
      newModelRecord(copy, idOf(index)),
    ]),
  )
  for (const [record, made] of records) {
    copy.records.push(made)
    for (const [field, copied] of copies) {
      const cell = record.cells.get(field)
      if (cell !== undefined) made.cells.set(copied, cell)
      if (field.content.kind !== 'link' || leadsNowhere(field)) continue
      const linked = linkedTo(field, record)
      const isWithin = linkOf(field).foreign === table
      made.links.set(copied, isWithin ? linked.map((one) => records.get(one) ?? one) : linked)
    }
  }
}
