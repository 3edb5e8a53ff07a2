import { filterOperatorNames } from '@gateleg/domain/fields/filter-operators'
import fc from 'fast-check'
import { oddValue, ref, some } from './arguments.ts'
import type { Ref } from './script.ts'
import type { KnownTable } from './script-state.ts'

/** One item of a filter, with its field named by Ref. */
interface FilterItemArgs {
  readonly field: Ref
  readonly operator: string
  readonly value: unknown
}

/** What a script says of a filter. */
export interface FilterArgs {
  readonly conjunction: string
  readonly items: readonly FilterItemArgs[]
  readonly group?: FilterArgs | undefined
}

const filterItem = fc.record<FilterItemArgs>({
  field: ref,
  operator: fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom('is', 'isNot', 'isEmpty', 'contains', 'isGreater', 'hasAnyOf'),
    },
    { weight: 1, arbitrary: fc.constantFrom(...filterOperatorNames, '>', 'unknown') },
  ),
  value: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(null, 'Plan', 7, 'light', true, ['light'], 'Me') },
    { weight: 1, arbitrary: oddValue },
  ),
})

const plainFilter = fc.record<FilterArgs>({
  conjunction: fc.constantFrom('and', 'or'),
  items: fc.array(filterItem, { maxLength: 3 }),
})

/** A filter, seldom with a group in it; null for none. */
export const filterArgs = fc.option(
  fc
    .tuple(plainFilter, fc.option(plainFilter, { nil: undefined, freq: 4 }))
    .map(([filter, group]): FilterArgs => ({ ...filter, ...(group && { group }) })),
)

/** What a script says of a sort, or of groups. */
export const sortArgs = fc.option(
  fc.array(fc.record({ field: ref, order: fc.constantFrom('asc', 'desc') }), { maxLength: 3 }),
)

/** What a script says of groups; null, as a rule, for none. */
export const groupArgs: fc.Arbitrary<SortArgs> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: sortArgs },
)

export type SortArgs = readonly { readonly field: Ref; readonly order: string }[] | null

/** Options, as a rule those of one kind of view, with fields named by Ref. */
export const optionArgs = fc.oneof(
  some({
    rowHeight: fc.constantFrom('short', 'tall', 'low', null),
    frozenColumnCount: fc.constantFrom(0, 1, 501, null),
  }),
  some({ isCoverFit: fc.constantFrom(true, false, null), stackFieldId: ref, coverFieldId: ref }),
  some({ submitLabel: fc.constantFrom('Send', 'x'.repeat(101), 'a\0b', null) }),
  some({ startDateFieldId: ref, rowHeight: fc.constant('short') }),
)
export type OptionArgs = Readonly<Record<string, unknown>>

/** What is set of a field, some of which another kind of view has. */
export const columnArgs = fc.array(
  fc.record({
    field: ref,
    settings: some({
      order: fc.constantFrom(-1, 0.5, 2, null),
      width: fc.constantFrom(120, 0, null),
      hidden: fc.constantFrom(true, false, null),
      visible: fc.constantFrom(true, false, null),
      statisticFunc: fc.constantFrom('sum', 'percentEmpty', 'all', null),
    }),
  }),
  { maxLength: 3 },
)
export type ColumnArgs = readonly { readonly field: Ref; readonly settings: object }[]

/** The filter that the arguments stand for. */
export function toFilter(args: FilterArgs | null, table: KnownTable | undefined): object | null {
  if (args === null) return null
  const items = args.items.map(({ field, operator, value }) => ({
    fieldId: idOf(table, field),
    operator,
    value,
  }))
  const group = args.group ? [toFilter(args.group, table)] : []
  return { conjunction: args.conjunction, filterSet: [...items, ...group] }
}

/** The sort that the arguments stand for. */
export function toSort(args: SortArgs, table: KnownTable | undefined): readonly object[] | null {
  return args?.map(({ field, order }) => ({ fieldId: idOf(table, field), order })) ?? null
}

/** The options that the arguments stand for. */
export function toOptions(args: OptionArgs, table: KnownTable | undefined): object {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      name.endsWith('FieldId') ? idOf(table, value as Ref) : value,
    ]),
  )
}

/** What is set of fields, each with the id of its field. */
export function toColumns(args: ColumnArgs, table: KnownTable | undefined) {
  return args.map(({ field, settings }) => ({ fieldId: idOf(table, field), settings }))
}

function idOf(table: KnownTable | undefined, field: Ref): string {
  return table?.fields.idOf(field) ?? 'unknown'
}
