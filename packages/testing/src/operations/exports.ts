import fc from 'fast-check'
import { ref } from '../scripts/arguments.ts'
import type { Ref } from '../scripts/script.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import { type QueryArgs, queryArgs, toQuery } from './aggregations.ts'
import type { SamplesIn } from './operation-sample.ts'

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
    toInput: ({ table, guardFormulas, bom, ...query }: ExportArgs, known) => ({
      tableId: known.tables.idOf(table),
      ...(guardFormulas !== undefined && { guardFormulas }),
      ...(bom !== undefined && { bom }),
      ...toQuery(table, query, known),
    }),
  }),
}

export const exportSamples: SamplesIn<'exports'> = ({ tableId }) => ({
  exportTable: { input: { tableId } },
})
