import type { Api } from '@gateleg/domain/api'
import { planDeleteFields } from './field-plans.ts'
import { at, type PlanContext, type StepPlan, tableAt } from './step-plan.ts'
import type { ModelRecord } from './workspace-model.ts'
import type { StepOf } from './workspace-step.ts'

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
