import type { Api } from '@gateleg/domain/api'
import { followsFrom } from '../field-dependencies.ts'
import { type Expectation, fromOtherSide, hasManyLinks } from '../model-links.ts'
import {
  linkOf,
  type ModelEntry,
  type ModelField,
  type ModelRecord,
  type ModelTable,
  type WorkspaceModel,
} from '../workspace-model.ts'
import type { StepOf } from '../workspace-step.ts'
import { planDeleteFields } from './field-plans.ts'
import { at, type PlanContext, type StepPlan, tableAt } from './step-plan.ts'
import { tablesMax } from './table-plans.ts'

/** Whose trash is meant. */
type TrashPlace = Parameters<Api['trash']['listTrashItems']>[0]

/** Plans to delete records and to restore them from the trash: then all is as before. */
export function planRestoreRecords(
  context: PlanContext,
  step: StepOf<'restore records'>,
): StepPlan | undefined {
  const table = tableAt(context, step.table)
  if (!table || table.records.length === 0) return undefined
  const records = new Set(step.records.map((place) => at(table.records, place) as ModelRecord))
  const recordIds = [...records].map(({ id }) => id)
  const input = { tableId: table.id, recordIds }
  return {
    expected: 'done',
    input,
    run: async () => {
      await context.api.records.deleteRecords(input)
      await restore(context.api, { resourceType: 'table', resourceId: table.id }, recordIds[0])
      return undefined
    },
  }
}

/**
 * Plans the same of fields. Those that titles come from stay, as titles come from another field afterwards; so do links to
 * a table in the trash, which don't come back without it.
 */
export function planRestoreFields(
  context: PlanContext,
  step: StepOf<'restore fields'>,
): StepPlan | undefined {
  const plan = planDeleteFields(context, { ...step, kind: 'delete fields' })
  if (!plan) return undefined
  const input = plan.input as { readonly tableId: string; readonly fieldIds: readonly string[] }
  const gone = new Set(input.fieldIds)
  const fields = context.model.tables.flatMap((table) => table.fields)
  const giveTitles = fields.some(({ content }) => {
    if (content.kind !== 'link' || !content.titles) return false
    const { titles } = content
    const other = titles.content.kind === 'link' ? titles.content.symmetric?.id : undefined
    return gone.has(titles.id) || gone.has(other ?? '')
  })
  const leadsOut = fields.some(
    ({ id, content }) => gone.has(id) && content.kind === 'link' && content.foreign.isDeleted,
  )
  if (giveTitles || leadsOut) return undefined
  return {
    expected: 'done',
    input,
    run: async () => {
      await context.api.fields.deleteFields({ ...input, fieldIds: [...input.fieldIds] })
      const place = { resourceType: 'table', resourceId: input.tableId } as const
      await restore(context.api, place, input.fieldIds[0])
      return undefined
    },
  }
}

/** Plans the same of a table. */
export function planRestoreTable(
  context: PlanContext,
  step: StepOf<'restore table'>,
): StepPlan | undefined {
  const table = tableAt(context, step.table)
  if (!table) return undefined
  const input = { baseId: table.baseId, tableId: table.id }
  return {
    expected: 'done',
    input,
    run: async () => {
      await context.api.tables.deleteTable(input)
      await restore(context.api, { resourceType: 'base', resourceId: table.baseId }, table.id)
      return undefined
    },
  }
}

/** Plans to restore one of the things that lie in the trash of what is there, whatever happened since it was deleted. */
export function planRestoreEntry(
  context: PlanContext,
  step: StepOf<'restore entry'>,
): StepPlan | undefined {
  const { model, api } = context
  const within = model.trash.filter(({ kind, table }) => (kind === 'table') === table.isDeleted)
  const entry = at(within, step.entry)
  if (!entry) return undefined
  const { table } = entry
  const isOfBase = entry.kind === 'table'
  if (isOfBase && model.tables.length >= tablesMax) return undefined
  const place: TrashPlace = isOfBase
    ? { resourceType: 'base', resourceId: table.baseId }
    : { resourceType: 'table', resourceId: table.id }
  const ids = idsOf(entry)
  if (wouldTurnInCircleWith(model, entry)) return undefined
  return {
    expected: expectRestored(model, entry),
    input: { ...place, ids },
    run: async () => {
      await restore(api, place, ids[0])
      model.trash = model.trash.filter((other) => other !== entry)
      if (entry.kind === 'records') model.restoreRecords(entry.records)
      if (entry.kind === 'fields') model.restoreFields(entry.fields)
      if (entry.kind !== 'table') return undefined
      model.restoreTable(table)
      table.name = (await api.tables.getTable({ baseId: table.baseId, tableId: table.id })).name
      return undefined
    },
  }
}

function idsOf(entry: ModelEntry): readonly string[] {
  if (entry.kind === 'table') return [entry.table.id]
  return (entry.kind === 'records' ? entry.records : entry.fields).map(({ id }) => id)
}

/** What is to become of it: links need the other table, and those that take one record take no second one. */
function expectRestored(model: WorkspaceModel, entry: ModelEntry): Expectation {
  if (entry.kind === 'table') return 'done'
  if (entry.kind === 'fields') {
    const ends = entry.fields.flatMap(({ content }) =>
      content.kind === 'link' && content.symmetric ? content.symmetric : [],
    )
    return ends.some(({ table }) => table.isDeleted) ? 'validation_error' : 'done'
  }
  const crowded = crowdedLinks(model, entry.records)
  if (crowded.length === 0) return 'done'
  // Of links that are gone for good, or one of whose tables is, pairs may be left until the background has taken them away.
  const isKnown = (field: ModelField) =>
    ![field.table, linkOf(field).foreign].some((table) => isGone(model, table)) &&
    (!field.isDeleted || liesInTrash(model, field))
  return crowded.some(isKnown) ? 'validation_error' : 'either'
}

/** Links whose cells would have a second record, though they take one, if the records were back. */
function crowdedLinks(
  model: WorkspaceModel,
  records: readonly ModelRecord[],
): readonly ModelField[] {
  const back = new Set(records)
  const tables = new Set([...model.tables, ...model.trash.map(({ table }) => table)])
  const all = [...tables].flatMap((table) => [...table.records, ...table.trashed])
  const isThere = (record: ModelRecord) => !record.isDeleted || back.has(record)
  const crowded = new Set<ModelField>()
  for (const record of all.filter(isThere)) {
    for (const [field, linked] of record.links) {
      if (hasManyLinks(linkOf(field).relationship)) continue
      const living = linked.filter(isThere)
      if (living.length > 1 && (back.has(record) || living.some((one) => back.has(one)))) {
        crowded.add(field)
      }
    }
  }
  for (const field of fieldsWithLinks(all)) {
    const { relationship } = linkOf(field)
    if (hasManyLinks(fromOtherSide(relationship))) continue
    const holders = all
      .filter(isThere)
      .flatMap((record) =>
        (record.links.get(field) ?? []).filter(isThere).map((linked) => [linked, record] as const),
      )
    for (const [linked, pairs] of Map.groupBy(holders, ([one]) => one)) {
      const concerned = back.has(linked) || pairs.some(([, record]) => back.has(record))
      if (pairs.length > 1 && concerned) crowded.add(field)
    }
  }
  return [...crowded]
}

function fieldsWithLinks(records: readonly ModelRecord[]): ReadonlySet<ModelField> {
  return new Set(records.flatMap(({ links }) => [...links.keys()]))
}

/** Whether the table was deleted for good, or purged. */
function isGone({ trash }: WorkspaceModel, table: ModelTable): boolean {
  return table.isDeleted && !trash.some((entry) => entry.kind === 'table' && entry.table === table)
}

function liesInTrash({ trash }: WorkspaceModel, field: ModelField): boolean {
  const { content } = field
  const ends = [field, content.kind === 'link' ? content.symmetric : undefined]
  return trash.some(
    (entry) =>
      (entry.kind === 'table' && entry.table.fields.includes(field)) ||
      (entry.kind === 'fields' && entry.fields.some((one) => ends.includes(one))),
  )
}

/** Whether fields would follow from themselves once these are back: which of them has an error then is nobody's promise. */
function wouldTurnInCircleWith({ tables }: WorkspaceModel, entry: ModelEntry): boolean {
  if (entry.kind === 'records') return false
  const back = (entry.kind === 'table' ? entry.table.fields : entry.fields).flatMap((field) => {
    const { content } = field
    return content.kind === 'link' && content.symmetric?.isDeleted
      ? [field, content.symmetric]
      : [field]
  })
  const { table } = entry
  const were = back.map(({ isDeleted }) => isDeleted)
  const wasDeleted = table.isDeleted
  table.isDeleted = false
  for (const field of back) field.isDeleted = false
  const all = new Set([...tables.flatMap(({ fields }) => fields), ...back])
  const isCircular = [...all].some((field) => followsFrom(field.content, field, true))
  table.isDeleted = wasDeleted
  for (const [index, field] of back.entries()) field.isDeleted = were[index] ?? true
  return isCircular
}

/** Plans to purge all that lies in the trash of a table or its base: nothing that lives changes. */
export function planPurgeTrash(
  context: PlanContext,
  step: StepOf<'purge trash'>,
): StepPlan | undefined {
  const table = tableAt(context, step.table)
  if (!table) return undefined
  const input: TrashPlace = step.isOfBase
    ? { resourceType: 'base', resourceId: table.baseId }
    : { resourceType: 'table', resourceId: table.id }
  return {
    expected: 'done',
    input,
    run: async () => {
      await context.api.trash.resetTrash(input)
      const { model } = context
      const isPurged = (entry: ModelEntry) =>
        step.isOfBase
          ? entry.kind === 'table' && entry.table.baseId === table.baseId
          : entry.kind !== 'table' && entry.table === table
      const purged = model.trash.filter(isPurged)
      model.trash = model.trash.filter((entry) => !purged.includes(entry))
      const records = purged.flatMap((entry) => (entry.kind === 'records' ? entry.records : []))
      table.trashed = table.trashed.filter((record) => !records.includes(record))
      return undefined
    },
  }
}

/** Restores the entry that names the thing, on whatever page of the trash it stands. */
async function restore({ trash }: Api, place: TrashPlace, id: string | undefined): Promise<void> {
  let cursor: string | null | undefined
  do {
    const page = await trash.listTrashItems({ ...place, ...(cursor && { cursor }) })
    const entry = page.trashItems.find((item) =>
      [item.resourceId, ...(item.resourceIds ?? [])].includes(id),
    )
    if (entry) {
      await trash.restoreTrash({ trashId: entry.id })
      return
    }
    cursor = page.nextCursor
  } while (cursor)
  throw new Error(`what was deleted, ${id}, has no entry in the trash`)
}
