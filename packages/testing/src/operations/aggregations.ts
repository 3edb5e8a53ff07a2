import { statisticNames } from '@gateleg/domain/queries/statistics'
import fc from 'fast-check'
import { ref } from '../scripts/arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { KnownTable, ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import {
  type FilterArgs,
  filterArgs,
  groupArgs,
  type SortArgs,
  sortArgs,
  toFilter,
  toSort,
} from '../scripts/view-arguments.ts'
import type { Sample, SamplesIn } from './operation-sample.ts'

/** What a script asks of the records of a table: with operators and values that may not fit its fields. */
export interface QueryArgs {
  readonly filter?: FilterArgs | null
  readonly orderBy?: SortArgs
  readonly groupBy?: SortArgs
  readonly search?: SearchArgs | null
}

/** What a script searches: a text, the fields it is looked for in if not in all, whether others are left out. */
interface SearchArgs {
  readonly text: string
  readonly fields: readonly Ref[]
  readonly hidesOthers: boolean
}

export const searchArgs = fc.record<SearchArgs>({
  text: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('a', 'PLAN', '1', '7', '.', ', ', '-0', 'true', '20') },
    { weight: 1, arbitrary: fc.constantFrom('', '%', '\u{1f600}', 'x'.repeat(2_001), 'a\0') },
  ),
  fields: fc.array(ref, { maxLength: 2 }),
  hidesOthers: fc.boolean(),
})

export const queryArgs = {
  filter: filterArgs,
  orderBy: sortArgs,
  groupBy: groupArgs,
  search: fc.option(searchArgs, { freq: 1 }),
}

/** The members of an input that ask for it, with fields named by their ids. */
export function toQuery(table: Ref, query: QueryArgs, { tables }: ScriptState): object {
  return toQueryOf(tables.find(table), query)
}

/** The statistics of a table that is at hand. */
export function toQueryOf(
  table: KnownTable | undefined,
  { filter = null, orderBy = null, groupBy = null, search = null }: QueryArgs,
): object {
  return {
    ...(filter && { filter: toFilter(filter, table) }),
    ...(orderBy && { orderBy: toSort(orderBy, table) }),
    ...(groupBy && { groupBy: toSort(groupBy, table) }),
    ...(search && { search: toSearch(search, table) }),
  }
}

function toSearch({ text, fields, hidesOthers }: SearchArgs, found: KnownTable | undefined) {
  const names = fields.map((field) => found?.fields.idOf(field) ?? 'unknown')
  return [text, names.join(','), hidesOthers]
}

/** The calendar that a script asks for. */
interface CalendarArgs {
  readonly start: Ref
  readonly end: Ref
  readonly day: number
  readonly filter?: FilterArgs | null
}

export const calendarArgs = {
  ...{ start: ref, end: ref, day: fc.nat({ max: 28 }) },
  filter: queryArgs.filter,
}

/** The members of an input that ask for the calendar of a table. */
export function toCalendarOf(
  { start, end, day, ...query }: CalendarArgs,
  table: KnownTable | undefined,
): object {
  const fields = table?.fields
  // Both have to be of dates, which few fields are.
  const dates = fields?.there.filter(({ type }) => dateTypes.has(type)) ?? []
  return {
    ...toQueryOf(table, query),
    fieldKeyType: 'id',
    startDate: '2026-01-01',
    endDate: `2026-02-${String(day).padStart(2, '0')}`,
    startDateFieldId: dates[day % dates.length]?.id ?? fields?.idOf(start) ?? 'unknown',
    endDateFieldId: dates[(day + 1) % dates.length]?.id ?? fields?.idOf(end) ?? 'unknown',
  }
}

const dateTypes: ReadonlySet<string> = new Set(['date', 'createdTime', 'lastModifiedTime'])

export const aggregationOperations: ScriptedFeature<'aggregations'> = {
  getRowCount: scripted({
    weight: 1,
    args: fc.record({ table: ref, filter: queryArgs.filter, search: queryArgs.search }),
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
  getGroupPoints: scripted({
    weight: 1.5,
    args: fc.record({ table: ref, filter: queryArgs.filter, groupBy: queryArgs.groupBy }),
    toInput: ({ table, ...query }, known) => ({
      tableId: known.tables.idOf(table),
      ...toQuery(table, query, known),
    }),
  }),
  getCalendarDays: scripted({
    weight: 5,
    args: fc.record({ table: ref, ...calendarArgs }),
    toInput: ({ table, ...rest }, { tables }) => ({
      tableId: tables.idOf(table),
      ...toCalendarOf(rest, tables.find(table)),
    }),
  }),
  getTaskStatus: scripted({
    weight: 0.2,
    args: fc.record({ table: ref }),
    toInput: ({ table }, { tables }) => ({ tableId: tables.idOf(table) }),
  }),
  aggregateRecords: scripted({
    weight: 1.5,
    args: fc.record({
      table: ref,
      field: ref,
      statistic: fc.constantFrom(...statisticNames),
      groupBy: queryArgs.groupBy,
      view: fc.option(ref, { nil: undefined, freq: 2 }),
    }),
    // With a view, the statistics that it notes.
    toInput: ({ table, field, statistic, groupBy, view }, known) => {
      const found = known.tables.find(table)
      const named = { [statistic]: [found?.fields.idOf(field) ?? 'unknown'] }
      return {
        tableId: known.tables.idOf(table),
        ...toQuery(table, { groupBy }, known),
        fieldKeyType: 'id',
        ...(view === undefined
          ? { field: named }
          : { viewId: found?.views.idOf(view) ?? 'unknown' }),
      }
    },
  }),
  getSearchCount: scripted({
    weight: 1.5,
    args: fc.record({ table: ref, filter: queryArgs.filter, search: searchArgs }),
    toInput: ({ table, ...query }, known) => ({
      tableId: known.tables.idOf(table),
      ...toQuery(table, query, known),
    }),
  }),
  getSearchIndex: scripted({
    weight: 1.5,
    args: fc.record({
      table: ref,
      ...queryArgs,
      search: searchArgs,
      skip: fc.nat({ max: 3 }),
      take: fc.integer({ min: 1, max: 4 }),
    }),
    toInput: ({ table, skip, take, ...query }, known) => ({
      tableId: known.tables.idOf(table),
      skip,
      take,
      ...toQuery(table, query, known),
    }),
  }),
}

export const aggregationSamples: SamplesIn<'aggregations'> = ({
  tableId,
  recordId,
  otherTableId,
  dateFieldId,
}) => {
  const inTable = (more: object = {}): Sample => ({ input: { tableId, ...more } })
  return {
    getRowCount: inTable(),
    getRecordIndex: inTable({ recordId }),
    getGroupPoints: inTable({ groupBy: [{ fieldId: 'Name', order: 'asc' }] }),
    getCalendarDays: {
      input: {
        tableId: otherTableId,
        startDate: '2026-01-01',
        endDate: '2026-01-31',
        startDateFieldId: dateFieldId,
        endDateFieldId: dateFieldId,
      },
    },
    getTaskStatus: inTable(),
    aggregateRecords: inTable({ field: { filled: ['Name'] } }),
    getSearchCount: inTable({ search: ['a'] }),
    getSearchIndex: inTable({ search: ['a'] }),
  }
}
