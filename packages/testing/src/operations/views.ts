import fc from 'fast-check'
import { ref } from '../differential/arguments.ts'
import { type ScriptedFeature, scripted } from '../differential/scripted-operation.ts'
import type { Sample, SamplesIn } from '../operation-sample.ts'

export const viewOperations: ScriptedFeature<'views'> = {
  listViews: scripted({
    weight: 1.5,
    args: fc.record({ table: ref }),
    toInput: ({ table }, { tables }) => ({ tableId: tables.idOf(table) }),
    learn: (known, views: readonly { readonly id: string }[], { tableId }) => {
      for (const view of views) known.tableOf(tableId)?.views.add(view)
    },
  }),
  getView: scripted({
    weight: 1,
    args: fc.record({ table: ref, view: ref }),
    toInput: ({ table, view }, { tables }) => ({
      tableId: tables.idOf(table),
      viewId: tables.find(table)?.views.idOf(view) ?? 'unknown',
    }),
  }),
}

export const viewSamples: SamplesIn<'views'> = ({ tableId, viewId }) => {
  const inTable = (more: object = {}): Sample => ({ input: { tableId, ...more } })
  return {
    listViews: inTable(),
    getView: inTable({ viewId }),
  }
}
