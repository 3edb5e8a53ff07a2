import type { Filter, FilterItem } from '@gateleg/domain/fields/filter'
import {
  type FilterOperator,
  operatorsOf,
  takesList,
} from '@gateleg/domain/fields/filter-operators'
import { always } from '@gateleg/domain/queries/condition'
import type { SortItem } from '@gateleg/domain/queries/sort'
import { toStoredCondition } from '@gateleg/domain/queries/to-condition'
import type { SchemaField, TableSchema } from '@gateleg/domain/schemas/table-schema'
import fc from 'fast-check'
import { timeZoneName } from './field-options.ts'

/** What the cells of a test hold, by kind: filters that ask for nothing that is there say little. */
export interface QueryValues {
  readonly texts: readonly string[]
  readonly numbers: readonly number[]
  /** Dates and moments in ISO 8601. */
  readonly moments: readonly string[]
  readonly userIds: readonly string[]
  readonly recordIds: readonly string[]
}

/** A filter that a caller may send about the table, with fields named by their ids. */
export function filterOf(schema: TableSchema, values: QueryValues): fc.Arbitrary<Filter> {
  const item = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom(...schema.fields).chain((field) => itemOf(field, values)),
    },
    { weight: 1, arbitrary: comparisonOf(schema) },
  )
  const { filter } = fc.letrec<{ filter: Filter; part: FilterItem | Filter }>((tie) => ({
    filter: fc.record({
      conjunction: fc.constantFrom('and', 'or'),
      filterSet: fc.array(tie('part'), { maxLength: 4 }),
    }),
    part: fc.oneof({ depthSize: 'small', maxDepth: 3, withCrossShrink: true }, item, tie('filter')),
  }))
  return filter
}

/** A sort that a caller may send about the table, with fields named by their ids. */
export function sortOf(schema: TableSchema): fc.Arbitrary<SortItem[]> {
  return fc.array(sortItemOf(schema), { maxLength: 3 })
}

/** The groups that a caller may ask for of the table, with fields named by their ids; by one field at least. */
export function groupOf(schema: TableSchema): fc.Arbitrary<SortItem[]> {
  return fc.array(sortItemOf(schema), { minLength: 1, maxLength: 3 })
}

function sortItemOf(schema: TableSchema): fc.Arbitrary<SortItem> {
  return fc.record({
    fieldId: fc.constantFrom(...schema.fields.map(({ field }) => field.id)),
    order: fc.constantFrom<SortItem['order'][]>('asc', 'desc'),
  })
}

/**
 * A search that a caller may send about the table, with fields named by their ids, mostly of what some cell shows;
 * `shown` are texts that do.
 */
export function searchOf(
  schema: TableSchema,
  shown: readonly string[],
): fc.Arbitrary<[text: string, fieldIds: string, hidesOthers: boolean]> {
  const part = fc.constantFrom(...shown).chain((text) => {
    const letters = [...text]
    const places = fc.tuple(fc.nat({ max: Math.max(0, letters.length - 1) }), fc.nat({ max: 6 }))
    return places.map(([start, more]) => letters.slice(start, start + 1 + more).join(''))
  })
  const text = fc
    .oneof(part, fc.constantFrom(...shown))
    .chain((one) => fc.constantFrom(one, one.toUpperCase()))
  const ids = schema.fields.map(({ field }) => field.id)
  const names = fc.oneof(
    fc.constant(''),
    fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1, maxLength: 4 }),
  )
  return fc.tuple(
    text.filter((one) => one !== ''),
    names.map((one) => [one].flat().join(',')),
    fc.boolean(),
  )
}

function itemOf(schemaField: SchemaField, values: QueryValues): fc.Arbitrary<FilterItem> {
  const fieldId = schemaField.field.id
  return fc
    .constantFrom(...operatorsOf(schemaField.rules.form))
    .chain((operator) =>
      valueFor(schemaField, operator, values).map((value) => ({ fieldId, operator, value })),
    )
}

/** An item that compares two fields of the table. */
function comparisonOf(schema: TableSchema): fc.Arbitrary<FilterItem> {
  const context = {
    schema,
    fieldKeyType: 'id',
    userId: '',
    now: '2026-01-01T00:00:00.000Z',
  } as const
  const items = schema.fields.flatMap(({ field, rules }) =>
    operatorsOf(rules.form).flatMap((operator) =>
      schema.fields.flatMap((other): FilterItem[] => {
        const value = { type: 'field', fieldId: other.field.id }
        const item = { fieldId: field.id, operator, value }
        const condition = toStoredCondition({ conjunction: 'and', filterSet: [item] }, context)
        return condition === always || operator === 'isEmpty' || operator === 'isNotEmpty'
          ? []
          : [item]
      }),
    ),
  )
  return fc.constantFrom(...items)
}

function valueFor(
  { rules: { form } }: SchemaField,
  operator: FilterOperator,
  { texts, numbers, moments, userIds, recordIds }: QueryValues,
): fc.Arbitrary<unknown> {
  if (operator === 'isEmpty' || operator === 'isNotEmpty') return fc.constant(null)
  const someOf = (known: readonly string[]): fc.Arbitrary<unknown> => {
    const value = fc.constantFrom(...known, 'nothing')
    return takesList(operator) ? fc.uniqueArray(value, { maxLength: 3 }) : value
  }
  const part = fc.constantFrom(...texts).chain((text) => {
    const letters = [...text]
    const places = fc.tuple(fc.nat({ max: letters.length }), fc.nat({ max: 4 }))
    return places.map(([start, length]) => letters.slice(start, start + length).join(''))
  })
  const otherCase = part.chain((text) =>
    fc.constantFrom(text, text.toUpperCase(), text.toLowerCase()),
  )
  if (operator === 'contains' || operator === 'doesNotContain') return otherCase
  switch (form.item.kind) {
    case 'number':
      return fc.constantFrom(...numbers)
    case 'boolean':
      return fc.constantFrom(true, false, null)
    case 'choice':
      return someOf(form.item.names())
    case 'user':
      return someOf([...userIds, 'Me'])
    case 'link':
      return someOf(recordIds)
    case 'date':
      return operator === 'isWithIn' ? spanOf(moments) : dayOf(moments)
    default:
      return fc.oneof(fc.constantFrom(...texts), part)
  }
}

const zone = fc.oneof(
  fc.constant({}),
  timeZoneName.map((timeZone) => ({ timeZone })),
)
const numberOfDays = fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 366_000 }))

function dayOf(moments: readonly string[]): fc.Arbitrary<unknown> {
  const exactDate = fc.constantFrom(...moments)
  const mode = fc.oneof(
    fc.record({
      mode: fc.constantFrom(
        ...['today', 'tomorrow', 'yesterday', 'currentWeek', 'lastWeek', 'nextWeekPeriod'],
        ...['currentMonth', 'lastMonth', 'nextMonthPeriod', 'currentYear', 'lastYear'],
        ...['nextYearPeriod', 'oneWeekAgo', 'oneWeekFromNow', 'oneMonthAgo', 'oneMonthFromNow'],
      ),
    }),
    fc.record({ mode: fc.constantFrom('daysAgo', 'daysFromNow'), numberOfDays }),
    fc.record({ mode: fc.constantFrom('exactDate', 'exactFormatDate'), exactDate }),
  )
  return fc.tuple(mode, zone).map(([value, clocks]) => ({ ...value, ...clocks }))
}

function spanOf(moments: readonly string[]): fc.Arbitrary<unknown> {
  const exactDate = fc.constantFrom(...moments)
  const mode = fc.oneof(
    fc.record({
      mode: fc.constantFrom(
        'pastWeek',
        'pastMonth',
        'pastYear',
        'nextWeek',
        'nextMonth',
        'nextYear',
      ),
    }),
    fc.record({ mode: fc.constantFrom('pastNumberOfDays', 'nextNumberOfDays'), numberOfDays }),
    fc.record({ mode: fc.constant('dateRange'), exactDate, exactDateEnd: exactDate }),
  )
  return fc.tuple(mode, zone).map(([value, clocks]) => ({ ...value, ...clocks }))
}
