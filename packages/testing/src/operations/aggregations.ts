import { statisticNames } from '@gateleg/domain/queries/statistics'
import fc from 'fast-check'
import { ref } from '../differential/arguments.ts'
import type { KnownThings } from '../differential/known-things.ts'
import type { Ref } from '../differential/script.ts'
import { type ScriptedFeature, scripted } from '../differential/scripted-operation.ts'
import {
  type FilterArgs,
  filterArgs,
  type SortArgs,
  sortArgs,
  toFilter,
  toSort,
} from '../differential/view-arguments.ts'
import type { Sample, SamplesIn } from '../operation-sample.ts'

/** What a script asks of the records of a table: with operators and values that may not fit its fields. */
export interface QueryArgs {
  readonly filter?: FilterArgs | null
  readonly orderBy?: SortArgs
}

export const queryArgs = { filter: filterArgs, orderBy: sortArgs }

/** The members of an input that ask for it, with fields named by their ids. */
export function toQuery(
  table: Ref,
  { filter = null, orderBy = null }: QueryArgs,
  { tables }: KnownThings,
): object {
  const found = tables.find(table)
  return {
    ...(filter && { filter: toFilter(filter, found) }),
    ...(orderBy && { orderBy: toSort(orderBy, found) }),
  }
}

export const aggregationOperations: ScriptedFeature<'aggregations'> = {
  getRowCount: scripted({
    weight: 1,
    args: fc.record({ table: ref, filter: queryArgs.filter }),
    toInput: ({ table, ...query }, known) => ({
      tableId: known.tables.idOf(table),
      ...toQuery(table, query, known),
    }),
  }),
  getRecordIndex: scripted({
    weight: 1,
    args: fc.record({ table: ref, record: ref, ...queryArgs }),
    toInput: ({ table, record, ...query }, known) => ({
      tableId: known.tables.idOf(table),
      recordId: known.tables.find(table)?.records.idOf(record) ?? 'unknown',
      ...toQuery(table, query, known),
    }),
  }),
  aggregateRecords: scripted({
    weight: 1.5,
    args: fc.record({ table: ref, field: ref, statistic: fc.constantFrom(...statisticNames) }),
    toInput: ({ table, field, statistic }, { tables }) => ({
      tableId: tables.idOf(table),
      fieldKeyType: 'id',
      field: { [statistic]: [tables.find(table)?.fields.idOf(field) ?? 'unknown'] },
    }),
  }),
}

export const aggregationSamples: SamplesIn<'aggregations'> = ({ tableId, recordId }) => {
  const inTable = (more: object = {}): Sample => ({ input: { tableId, ...more } })
  return {
    getRowCount: inTable(),
    getRecordIndex: inTable({ recordId }),
    aggregateRecords: inTable({ field: { filled: ['Name'] } }),
  }
}
