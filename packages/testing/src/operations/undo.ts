import fc from 'fast-check'
import { ref } from '../scripts/arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import type { SamplesIn } from './operation-sample.ts'

const inTable = {
  args: fc.record({ table: ref }),
  toInput: ({ table }: { readonly table: Ref }, { tables }: ScriptState) => ({
    tableId: tables.idOf(table),
  }),
}

export const undoOperations: ScriptedFeature<'undo'> = {
  undoChange: scripted({ weight: 5, ...inTable }),
  redoChange: scripted({ weight: 3, ...inTable }),
}

export const undoSamples: SamplesIn<'undo'> = ({ tableId }) => ({
  undoChange: { input: { tableId } },
  redoChange: { input: { tableId } },
})
