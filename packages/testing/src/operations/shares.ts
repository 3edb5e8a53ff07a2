import type { FieldTypeName } from '@gateleg/domain/fields/field-type-name'
import { statisticNames } from '@gateleg/domain/queries/statistics'
import fc from 'fast-check'
import { ref } from '../scripts/arguments.ts'
import { cells, fieldKeyType, toValues } from '../scripts/cell-arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { KnownTable, ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import {
  calendarArgs,
  type QueryArgs,
  queryArgs,
  searchArgs,
  toCalendarOf,
  toQueryOf,
} from './aggregations.ts'
import { sharePassword } from './views.ts'

/** The share that the arguments name; what else they say is translated with its table at hand. */
function toShare<T extends object>(
  share: Ref,
  known: ScriptState,
  rest: T,
  translate: (rest: T, table: KnownTable | undefined) => object = (same) => same,
) {
  const found = known.shares.find(share)
  return { shareId: found?.id ?? 'unknown', ...translate(rest, known.tableOf(found?.tableId)) }
}

const ofTable = (query: QueryArgs, table: KnownTable | undefined) => toQueryOf(table, query)

const onShare = {
  args: fc.record({ share: ref }),
  toInput: ({ share }: { readonly share: Ref }, known: ScriptState) => toShare(share, known, {}),
}

/** One of the fields of the type, counted round. */
function onFieldOf(type: FieldTypeName) {
  return {
    args: fc.record({ share: ref, nth: fc.nat({ max: 2 }) }),
    toInput: ({ share, nth }: { readonly share: Ref; readonly nth: number }, known: ScriptState) =>
      toShare(share, known, {}, (_, table) => {
        const fields = table?.fields.there.filter((field) => field.type === type) ?? []
        return { fieldId: fields[nth % fields.length]?.id ?? 'unknown' }
      }),
  }
}

export const shareOperations: ScriptedFeature<'shares'> = {
  getSharedView: scripted({ weight: 1, ...onShare }),
  proveSharePassword: scripted({
    weight: 1,
    args: fc.record({ share: ref, password: fc.constantFrom(sharePassword, 'wrong') }),
    toInput: ({ share, ...rest }, known) => toShare(share, known, rest),
  }),
  listSharedRecords: scripted({
    weight: 2,
    args: fc.record({ share: ref, take: fc.constantFrom(1, 3, 100), ...queryArgs }),
    toInput: ({ share, take, ...query }, known) =>
      toShare(share, known, query, (query, table) => ({ take, ...toQueryOf(table, query) })),
  }),
  countSharedRecords: scripted({
    weight: 1,
    args: fc.record({ share: ref, filter: queryArgs.filter }),
    toInput: ({ share, ...query }, known) => toShare(share, known, query, ofTable),
  }),
  aggregateSharedRecords: scripted({
    weight: 1.5,
    args: fc.record({
      ...{ share: ref, field: ref, statistic: fc.constantFrom(...statisticNames) },
      groupBy: queryArgs.groupBy,
    }),
    toInput: ({ share, ...rest }, known) =>
      toShare(share, known, rest, ({ field, statistic, groupBy }, table) => ({
        ...toQueryOf(table, { groupBy }),
        fieldKeyType: 'id',
        field: { [statistic]: [table?.fields.idOf(field) ?? 'unknown'] },
      })),
  }),
  copySharedCells: scripted({
    weight: 6,
    args: fc.record({ share: ref, row: fc.constantFrom(0, 0, 1), ...queryArgs }),
    toInput: ({ share, row, ...query }, known) =>
      toShare(share, known, query, (query, table) => ({
        type: 'rows',
        ranges: [[0, row]],
        ...toQueryOf(table, query),
      })),
  }),
  getSharedGroupPoints: scripted({
    weight: 1.5,
    args: fc.record({ share: ref, filter: queryArgs.filter, groupBy: queryArgs.groupBy }),
    toInput: ({ share, ...query }, known) => toShare(share, known, query, ofTable),
  }),
  countSharedHits: scripted({
    weight: 1.5,
    args: fc.record({ share: ref, filter: queryArgs.filter, search: searchArgs }),
    toInput: ({ share, ...query }, known) => toShare(share, known, query, ofTable),
  }),
  findSharedHits: scripted({
    weight: 1.5,
    args: fc.record({ share: ref, take: fc.constantFrom(1, 3), ...queryArgs, search: searchArgs }),
    toInput: ({ share, take, ...query }, known) =>
      toShare(share, known, query, (query, table) => ({ take, ...toQueryOf(table, query) })),
  }),
  getSharedCalendarDays: scripted({
    weight: 5,
    args: fc.record({ share: ref, ...calendarArgs }),
    toInput: ({ share, ...rest }, known) => toShare(share, known, rest, toCalendarOf),
  }),
  submitSharedForm: scripted({
    weight: 2.5,
    args: fc.record({ share: ref, cells, fieldKeyType }),
    toInput: ({ share, ...rest }, known) =>
      toShare(share, known, rest, ({ cells, fieldKeyType }, table) => ({
        fields: toValues(cells, table, fieldKeyType, known),
        fieldKeyType,
      })),
  }),
  listSharedLinkRecords: scripted({ weight: 2, ...onFieldOf('link') }),
  listSharedCollaborators: scripted({ weight: 2, ...onFieldOf('user') }),
}
