import { numberFromText } from '@gateleg/domain/values/number-text'
import type { ModelScalar } from '../../values/model-value.ts'
import { definitionOf } from '../field-definition.ts'
import { followsFrom } from '../field-dependencies.ts'
import type { Expectation } from '../model-links.ts'
import { ModelSnapshot, precisionOf } from '../model-snapshot.ts'
import {
  linkOf,
  type ModelContent,
  type ModelField,
  type ModelTable,
  primaryOf,
} from '../workspace-model.ts'
import type { ConversionShape, StepOf } from '../workspace-step.ts'
import { isTyped, toContent, usableLinks } from './field-content.ts'
import { at, type PlanContext, type StepPlan, tableAt } from './step-plan.ts'

/** Plans to make something else of a text or number field, or of one that is computed. */
export function planConvertField(
  context: PlanContext,
  step: StepOf<'convert field'>,
): StepPlan | undefined {
  const table = tableAt(context, step.table)
  const snapshot = new ModelSnapshot()
  const convertible = table?.fields.filter(
    (field) => isConvertible(field, snapshot) && !snapshot.type(field).isList,
  )
  const field = convertible && at(convertible, step.field)
  const content = field && toContent(context, table as ModelTable, step.to)
  if (!table || !content || (field === primaryOf(table) && !canBePrimary(content))) return undefined
  // Whether lookups go on to show what they show, or follow, when decimals change, is nobody's promise.
  const [before, after] = [snapshot.shown(field), snapshot.shownBy(content)].map(precisionOf)
  if (before !== after) return undefined
  // What cells of records in the trash followed from when these went is nobody's promise.
  if (isWorkedOut(field) && table.trashed.length > 0) return undefined
  const { name } = field
  const input = {
    tableId: table.id,
    fieldId: field.id,
    name,
    ...definitionOf(snapshot, table, content),
  }
  return {
    expected: expectConversion(field, content),
    input,
    run: async () => {
      await context.api.fields.convertField(input)
      convertCells(field, step.to.kind, snapshot)
      field.content = content
    },
  }
}

/** Plans to have the titles of a link come from another field, or from the primary one again. */
export function planRetitleLink(
  context: PlanContext,
  step: StepOf<'retitle link'>,
): StepPlan | undefined {
  const table = tableAt(context, step.table)
  const field = table && at(usableLinks(table), step.link)
  if (!table || !field) return undefined
  const before = linkOf(field)
  const titles = step.titles === undefined ? undefined : at(before.foreign.fields, step.titles)
  const content = { ...before, titles: titles ?? primaryOf(before.foreign) }
  const definition = definitionOf(new ModelSnapshot(), table, content)
  const input = { tableId: table.id, fieldId: field.id, name: field.name, ...definition }
  return {
    expected: expectConversion(field, content),
    input,
    run: async () => {
      await context.api.fields.convertField(input)
      before.titles = titles
      return undefined
    },
  }
}

function isWorkedOut({ content }: ModelField): boolean {
  return content.kind === 'formula' || content.kind === 'lookup' || content.kind === 'rollup'
}

function isConvertible(field: ModelField, snapshot: ModelSnapshot): boolean {
  const { kind } = field.content
  return kind !== 'checkbox' && kind !== 'select' && snapshot.shown(field).kind !== 'link'
}

function canBePrimary({ kind }: ModelContent): boolean {
  return kind !== 'lookup' && kind !== 'rollup'
}

function expectConversion(field: ModelField, content: ModelContent): Expectation {
  if (!isTyped(content) || followsFrom(content, field, false)) return 'validation_error'
  return followsFrom(content, field, true) ? 'either' : 'done'
}

/** Keeps of every cell what has a reading in the new type. */
function convertCells(
  field: ModelField,
  kind: ConversionShape['kind'],
  snapshot: ModelSnapshot,
): void {
  for (const record of [...field.table.records, ...field.table.trashed]) {
    const cell = snapshot.cell(field, record) as ModelScalar | null
    const kept = cell === null ? null : convertCell(cell, kind, snapshot.text(field, record))
    if (kept === null || kept === '') record.cells.delete(field)
    else record.cells.set(field, kept)
  }
}

function convertCell(
  cell: ModelScalar,
  kind: ConversionShape['kind'],
  text: string,
): ModelScalar | null {
  if (kind === 'text') return text.trim()
  if (kind !== 'number') return null
  return typeof cell === 'string' ? (numberFromText(cell) ?? null) : Number(cell)
}
