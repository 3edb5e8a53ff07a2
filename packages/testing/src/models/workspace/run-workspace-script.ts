import type { Api } from '@gateleg/domain/api'
import { expect } from 'vitest'
import { listAllRecords } from '../../observations/list-all-records.ts'
import { typeName } from './field-definition.ts'
import { type Expectation, linkedTo } from './model-links.ts'
import { ModelSnapshot } from './model-snapshot.ts'
import { planConvertField, planRetitleLink } from './plans/conversion-plan.ts'
import { planDuplicateField, planDuplicateTable } from './plans/duplicate-plans.ts'
import { planCreateField, planDeleteFields, planRenameField } from './plans/field-plans.ts'
import { planCreateRecords, planDeleteRecords, planUpdateRecords } from './plans/record-plans.ts'
import type { AnsweredRecord, PlanContext, StepPlan } from './plans/step-plan.ts'
import { planCreateTable, planDeleteTable } from './plans/table-plans.ts'
import {
  planPurgeTrash,
  planRestoreEntry,
  planRestoreFields,
  planRestoreRecords,
  planRestoreTable,
} from './plans/trash-plans.ts'
import {
  type ModelField,
  type ModelRecord,
  type ModelTable,
  primaryOf,
  WorkspaceModel,
} from './workspace-model.ts'
import type { WorkspaceStep } from './workspace-step.ts'

/** Where scripts run: bases of the caller's, in which tables come and go. */
interface WorkspaceWorld {
  readonly api: Api
  readonly baseIds: readonly string[]
  /** Where calculations go on in the background: waits until there is none left in the tables. */
  readonly settle?: (tableIds: readonly string[]) => Promise<void>
  /** Steps that are taken before it is waited for that; 1 when this is left out. */
  readonly stepsBetween?: number
  /** Lets time pass before each step. */
  readonly tick?: () => void
  /** Is done at the end, while the tables are there. */
  readonly atEnd?: () => Promise<void>
}

type ScriptContext = PlanContext & Pick<WorkspaceWorld, 'settle'>

/**
 * Makes two tables, changes them step by step, and compares all that can be read of them with the model
 * after each step. Throws the first difference, with the steps up to it; leaves no living table behind.
 */
export async function runWorkspaceScript(
  world: WorkspaceWorld,
  steps: readonly WorkspaceStep[],
): Promise<void> {
  const context: ScriptContext = { ...world, model: new WorkspaceModel() }
  const { stepsBetween = 1 } = world
  const start: WorkspaceStep = { kind: 'create table', base: 0 }
  const done: string[] = []
  try {
    for (const step of [start, start, ...steps]) {
      world.tick?.()
      const plan = planStep(context, step)
      if (!plan) continue
      done.push(`${step.kind} (${plan.expected}): ${JSON.stringify(plan.input)}`)
      await takeStep(context, plan)
      if (done.length % stepsBetween > 0) continue
      await settle(context)
      await compareWorkspace(context, stepsBetween === 1 && step.kind.endsWith('records'))
    }
    await settle(context)
    await compareWorkspace(context, false)
    for (const table of context.model.tables) await compareTexts(context, table)
    await world.atEnd?.()
  } catch (error) {
    const { message } = error as Error
    throw new Error(`${done.map((line, index) => `${index + 1}. ${line}`).join('\n')}\n${message}`)
  } finally {
    for (const { baseId, id: tableId } of context.model.tables) {
      await world.api.tables.deleteTablePermanently({ baseId, tableId })
    }
  }
}

function planStep(context: PlanContext, step: WorkspaceStep): StepPlan | undefined {
  switch (step.kind) {
    case 'create table':
      return planCreateTable(context, step)
    case 'delete table':
      return planDeleteTable(context, step)
    case 'duplicate table':
      return planDuplicateTable(context, step)
    case 'duplicate field':
      return planDuplicateField(context, step)
    case 'create field':
      return planCreateField(context, step)
    case 'rename field':
      return planRenameField(context, step)
    case 'delete fields':
      return planDeleteFields(context, step)
    case 'convert field':
      return planConvertField(context, step)
    case 'retitle link':
      return planRetitleLink(context, step)
    case 'create records':
      return planCreateRecords(context, step)
    case 'update records':
      return planUpdateRecords(context, step)
    case 'delete records':
      return planDeleteRecords(context, step)
    case 'restore records':
      return planRestoreRecords(context, step)
    case 'restore fields':
      return planRestoreFields(context, step)
    case 'restore table':
      return planRestoreTable(context, step)
    case 'restore entry':
      return planRestoreEntry(context, step)
    case 'purge trash':
      return planPurgeTrash(context, step)
  }
}

async function settle({ model, settle: wait }: ScriptContext): Promise<void> {
  await wait?.(model.tables.map(({ id }) => id))
}

/** Does what the step plans; what has to wait for the background is done then. */
async function runOnceSettled(context: ScriptContext, plan: StepPlan) {
  try {
    return await plan.run()
  } catch (error) {
    if (!context.settle || (error as { code?: unknown }).code !== 'conflict') throw error
    await settle(context)
    return plan.run()
  }
}

/** Takes the step, and compares how it ends and what it answers. */
async function takeStep(context: ScriptContext, plan: StepPlan): Promise<void> {
  const { model } = context
  let outcome: Expectation = 'done'
  let answered: readonly AnsweredRecord[] = []
  try {
    answered = (await runOnceSettled(context, plan)) ?? []
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code !== 'validation_error') throw error
    outcome = code
  }
  if (plan.expected !== 'either') requireSame('how the request ends', [outcome], [plan.expected])
  const snapshot = new ModelSnapshot()
  for (const field of model.tables.flatMap(({ fields }) => fields)) {
    if (snapshot.hasError(field)) continue
    field.lastType = snapshot.type(field)
    field.lastShown = snapshot.shown(field)
  }
  // Before the background is done an answer may show cells that are behind.
  if (context.settle) return
  const shown = new Map(
    model.tables.flatMap((table) => shownRecords(table, snapshot).map((one) => [one.id, one])),
  )
  requireSame(
    'the records that were answered',
    answered.map(toAnswered),
    answered.map(({ id }) => shown.get(id)),
  )
}

/** Compares what can be read of all tables. Fields are as they were where only records were written. */
async function compareWorkspace(context: ScriptContext, onlyRecords: boolean): Promise<void> {
  for (const table of context.model.tables) await placeLinks(context, table)
  const snapshot = new ModelSnapshot()
  for (const table of context.model.tables) {
    if (!onlyRecords) await compareFields(context, table, snapshot)
    await compareRecords(context, table, snapshot)
  }
}

/** Puts links that are back where the product has them, in cells that were written while they were away; the others stay as they stand. */
async function placeLinks({ api }: ScriptContext, table: ModelTable): Promise<void> {
  const open = table.records.flatMap((record) =>
    [...record.unplaced].flatMap(([field, unplaced]) => {
      const isBack = linkedTo(field, record).some((one) => unplaced.has(one))
      return isBack && table.fields.includes(field) ? [{ record, field, unplaced }] : []
    }),
  )
  if (open.length === 0) return
  const found = await listAllRecords(api, { tableId: table.id, fieldKeyType: 'id' })
  const cells = new Map(found.map(({ id, fields }) => [id, fields]))
  for (const { record, field, unplaced } of open) {
    const cell = cells.get(record.id)?.[field.id] as { id: string } | { id: string }[] | undefined
    const ids = [cell ?? []].flat().map(({ id }) => id)
    const before = linkedTo(field, record)
    const idsOf = (records: readonly ModelRecord[]) =>
      records.filter((one) => !unplaced.has(one)).map(({ id }) => id)
    const placed = before.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
    requireSame(`the links of ${record.id} that stayed`, idsOf(placed), idsOf(before))
    const all = record.links.get(field) ?? []
    record.links.set(field, [...placed, ...all.filter(({ isDeleted }) => isDeleted)])
    record.unplaced.set(field, new Set(all.filter(({ isDeleted }) => isDeleted)))
  }
}

async function compareFields(
  { api }: ScriptContext,
  { id: tableId, fields }: ModelTable,
  snapshot: ModelSnapshot,
): Promise<void> {
  const found = await api.fields.listFields({ tableId })
  requireSame(
    `the fields of table ${tableId}`,
    found.map((field) => ({
      id: field.id,
      name: field.name,
      hasError: field.hasError ?? false,
      isPending: field.isPending ?? false,
      // What the values of a field with an error were is kept, but nobody says how.
      ...(!field.hasError && {
        type: field.type,
        cellValueType: field.cellValueType,
        isList: field.isMultipleCellValue ?? false,
      }),
    })),
    fields.map((field) => shownField(field, snapshot)),
  )
}

async function compareRecords(
  { api }: ScriptContext,
  table: ModelTable,
  snapshot: ModelSnapshot,
): Promise<void> {
  const found = await listAllRecords(api, {
    tableId: table.id,
    fieldKeyType: 'id',
    cellFormat: 'json',
  })
  requireSame(
    `the records of table ${table.id}`,
    found.map(toAnswered),
    shownRecords(table, snapshot),
  )
  requireSame(
    `the names of table ${table.id}`,
    found.map(({ name = '' }) => name),
    table.records.map((record) => snapshot.text(primaryOf(table), record)),
  )
}

function shownRecords(
  { fields, records }: ModelTable,
  snapshot: ModelSnapshot,
): readonly AnsweredRecord[] {
  return records.map((record) => ({
    id: record.id,
    fields: Object.fromEntries(
      fields.flatMap((field) => {
        const cell = snapshot.cell(field, record)
        return cell === null ? [] : [[field.id, cell]]
      }),
    ),
  }))
}

function shownField(field: ModelField, snapshot: ModelSnapshot): object {
  const { id, name } = field
  const { scalar, isList } = snapshot.type(field)
  const hasError = snapshot.hasError(field)
  return {
    id,
    name,
    hasError,
    isPending: false,
    ...(!hasError && { type: typeName(snapshot.shown(field)), cellValueType: scalar, isList }),
  }
}

function toAnswered({ id, fields }: AnsweredRecord): AnsweredRecord {
  return { id, fields }
}

/** Compares the text form of every cell. */
async function compareTexts({ api }: ScriptContext, table: ModelTable): Promise<void> {
  const snapshot = new ModelSnapshot()
  const expected = table.records.map((record) => ({
    id: record.id,
    fields: Object.fromEntries(
      table.fields.flatMap((field) =>
        snapshot.cell(field, record) === null ? [] : [[field.id, snapshot.text(field, record)]],
      ),
    ),
  }))
  const found = await listAllRecords(api, {
    tableId: table.id,
    fieldKeyType: 'id',
    cellFormat: 'text',
  })
  requireSame(`the texts of table ${table.id}`, found.map(toAnswered), expected)
}

/** Throws what differs, in full. */
function requireSame(what: string, found: readonly unknown[], expected: readonly unknown[]): void {
  try {
    expect(found).toEqual(expected)
  } catch {
    const places = Array.from({ length: Math.max(found.length, expected.length) }, (_, at) => at)
    const lines = places
      .map((at) => [found[at], expected[at]].map((item) => JSON.stringify(item)))
      .filter(([one, other]) => one !== other)
      .map(([one, other]) => `found    ${one}\nexpected ${other}`)
    throw new Error(`A difference in ${what}:\n${lines.join('\n')}`)
  }
}
