import fc from 'fast-check'
import { ref } from '../differential/arguments.ts'
import type { Ref } from '../differential/script.ts'
import { type ScriptedFeature, scripted } from '../differential/scripted-operation.ts'
import type { SamplesIn } from '../operation-sample.ts'
import { type QueryArgs, queryArgs, toQuery } from './aggregations.ts'

interface ExportArgs extends QueryArgs {
  readonly table: Ref
  readonly guardFormulas?: boolean
  readonly bom?: boolean
}

export const exportOperations: ScriptedFeature<'exports'> = {
  exportTable: scripted({
    weight: 1,
    args: fc.record<ExportArgs>(
      { table: ref, guardFormulas: fc.boolean(), bom: fc.boolean(), ...queryArgs } as never,
      { requiredKeys: ['table'] as never },
    ),
    toInput: ({ table, filter, orderBy, ...rest }: ExportArgs, known) => ({
      tableId: known.tables.idOf(table),
      ...rest,
      ...toQuery(table, { ...(filter && { filter }), ...(orderBy && { orderBy }) }, known),
    }),
  }),
}

export const exportSamples: SamplesIn<'exports'> = ({ tableId }) => ({
  exportTable: { input: { tableId } },
})
