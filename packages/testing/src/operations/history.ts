import fc from 'fast-check'
import { ref } from '../scripts/arguments.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import type { SamplesIn } from './operation-sample.ts'

export const historyOperations: ScriptedFeature<'history'> = {
  listRecordHistory: scripted({
    weight: 1,
    args: fc.record({ table: ref, record: ref }),
    toInput: ({ table, record }, known) => ({
      tableId: known.tables.idOf(table),
      recordId: known.tables.find(table)?.records.idOf(record) ?? 'unknown',
    }),
  }),
  listTableHistory: scripted({
    weight: 2,
    args: fc.record({
      table: ref,
      startDate: fc.option(fc.constantFrom('2026-01-01', 'never'), { nil: undefined, freq: 4 }),
    }),
    toInput: ({ table, ...part }, known) => ({ tableId: known.tables.idOf(table), ...part }),
  }),
}

export const historySamples: SamplesIn<'history'> = ({ tableId, recordId }) => ({
  listRecordHistory: { input: { tableId, recordId } },
  listTableHistory: { input: { tableId } },
})
