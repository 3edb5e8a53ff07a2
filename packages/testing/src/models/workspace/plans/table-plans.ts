import { newModelRecord } from '../workspace-model.ts'
import type { StepOf } from '../workspace-step.ts'
import { at, type PlanContext, type StepPlan, tableAt } from './step-plan.ts'

/** Tables that a script has at a time. */
export const tablesMax = 3

/** Plans to create a table with a name and a number field, and two records; unless there are enough. */
export function planCreateTable(
  { api, model, baseIds }: PlanContext,
  step: StepOf<'create table'>,
): StepPlan | undefined {
  const baseId = at(baseIds, step.base)
  if (baseId === undefined || model.tables.length >= tablesMax) return undefined
  const input = {
    baseId,
    fields: [
      { type: 'singleLineText' as const, name: 'Name' },
      { type: 'number' as const, name: 'Number' },
    ],
    records: [{ fields: { Name: 'one', Number: 1 } }, { fields: { Name: 'two' } }],
  }
  return {
    expected: 'done',
    input,
    run: async () => {
      const { id, name, fields, records } = await api.tables.createTable(input)
      const table = model.addTable({ id, baseId, name })
      const [nameId = '', numberId = ''] = fields.map((field) => field.id)
      const text = model.addField(table, { id: nameId, name: 'Name', content: { kind: 'text' } })
      const number = model.addField(table, {
        id: numberId,
        name: 'Number',
        content: { kind: 'number', precision: 2 },
      })
      const [first = '', second = ''] = records.map((record) => record.id)
      table.records.push(
        newModelRecord(table, first, [
          [text, 'one'],
          [number, 1],
        ]),
        newModelRecord(table, second, [[text, 'two']]),
      )
    },
  }
}

/** Plans to delete a table; not the last one. */
export function planDeleteTable(
  context: PlanContext,
  step: StepOf<'delete table'>,
): StepPlan | undefined {
  const table = tableAt(context, step.table)
  if (!table || context.model.tables.length < 2) return undefined
  const input = { baseId: table.baseId, tableId: table.id }
  const { deleteTable, deleteTablePermanently } = context.api.tables
  return {
    expected: 'done',
    input: { ...input, isPermanent: step.isPermanent },
    run: async () => {
      const { model } = context
      await (step.isPermanent ? deleteTablePermanently(input) : deleteTable(input))
      model.removeTable(table)
      if (step.isPermanent) model.trash = model.trash.filter((entry) => entry.table !== table)
      else model.trash.push({ kind: 'table', table })
    },
  }
}
