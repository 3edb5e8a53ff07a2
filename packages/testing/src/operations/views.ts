import fc from 'fast-check'
import { description, name, position, ref } from '../scripts/arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { KnownTable, ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import {
  type ColumnArgs,
  columnArgs,
  type FilterArgs,
  filterArgs,
  type OptionArgs,
  optionArgs,
  type SortArgs,
  sortArgs,
  toColumns,
  toFilter,
  toOptions,
  toSort,
} from '../scripts/view-arguments.ts'
import type { Sample, SamplesIn } from './operation-sample.ts'

interface ViewRef {
  readonly table: Ref
  readonly view: Ref
}

interface MadeView {
  readonly id: string
}

interface NewViewArgs {
  readonly table: Ref
  readonly filter?: FilterArgs | null
  readonly sort?: SortArgs
  readonly group?: SortArgs
  readonly options?: OptionArgs
  readonly columns?: ColumnArgs
  readonly [member: string]: unknown
}

/** Arguments of an operation on one view. */
function onView<T extends object>(more: { [K in keyof T]: fc.Arbitrary<T[K]> }) {
  return fc
    .tuple(fc.record<ViewRef>({ table: ref, view: ref }), fc.record<T>(more))
    .map(([view, rest]) => ({ ...view, ...rest }))
}

/** The view that the arguments name; what else they say is translated with its table at hand. */
function toView<T extends object>(
  { table, view, ...rest }: ViewRef & T,
  { tables }: ScriptState,
  translate: (rest: Omit<T, keyof ViewRef>, table: KnownTable | undefined) => object = (same) =>
    same,
) {
  const found = tables.find(table)
  return {
    tableId: found?.id ?? 'unknown',
    viewId: found?.views.idOf(view) ?? 'unknown',
    ...translate(rest as Omit<T, keyof ViewRef>, found),
  }
}

const someFlag = fc.option(fc.boolean(), { nil: undefined })

/** The password of every share of a script that has one. */
export const sharePassword = 'open sesame'

const learnShare = (
  known: ScriptState,
  { shareId: id }: { readonly shareId: string },
  { tableId }: { tableId?: unknown },
) => known.shares.add({ id, tableId: String(tableId) })

const onOneView = { args: onView({}), toInput: toView }

const learnView = (known: ScriptState, view: MadeView, { tableId }: { tableId?: unknown }) =>
  known.tableOf(tableId)?.views.add(view)

function toNewView(args: NewViewArgs, { tables }: ScriptState) {
  const { table, filter, sort, group, options, columns, ...rest } = args
  const found = tables.find(table)
  const sortObjs = sort && toSort(sort, found)
  const settings = columns && toColumns(columns, found)
  return {
    tableId: found?.id ?? 'unknown',
    ...rest,
    ...(filter !== undefined && { filter: toFilter(filter, found) }),
    ...(sortObjs && { sort: { sortObjs } }),
    ...(group !== undefined && { group: toSort(group, found) }),
    ...(options && { options: toOptions(options, found) }),
    ...(settings && {
      columnMeta: Object.fromEntries(settings.map((one) => [one.fieldId, one.settings])),
    }),
  }
}

export const viewOperations: ScriptedFeature<'views'> = {
  createView: scripted({
    weight: 1.5,
    args: fc.record<NewViewArgs, 'table' | 'type'>(
      {
        table: ref,
        type: fc.constantFrom('grid', 'kanban', 'gallery', 'calendar', 'form', 'plugin'),
        name,
        description,
        order: fc.constantFrom(-1, 0.5, 3),
        isLocked: fc.boolean(),
        filter: filterArgs,
        sort: sortArgs,
        group: sortArgs,
        options: optionArgs,
        columns: columnArgs,
      },
      { requiredKeys: ['table', 'type'] },
    ),
    toInput: toNewView,
    learn: learnView,
  }),
  listViews: scripted({
    weight: 1.5,
    args: fc.record({ table: ref }),
    toInput: ({ table }, { tables }) => ({ tableId: tables.idOf(table) }),
    learn: (known, views: readonly MadeView[], { tableId }) => {
      for (const view of views) known.tableOf(tableId)?.views.add(view)
    },
  }),
  getView: scripted({ weight: 1, ...onOneView }),
  renameView: scripted({ weight: 0.5, args: onView({ name }), toInput: toView }),
  describeView: scripted({ weight: 0.5, args: onView({ description }), toInput: toView }),
  setViewFilter: scripted({
    weight: 1.5,
    args: onView({ filter: filterArgs }),
    toInput: (args, known) =>
      toView(args, known, ({ filter }, table) => ({ filter: toFilter(filter, table) })),
  }),
  setViewSort: scripted({
    weight: 1,
    args: onView({ sort: sortArgs, isManual: fc.option(fc.boolean()) }),
    toInput: (args, known) =>
      toView(args, known, ({ sort, isManual }, table) => {
        const sortObjs = toSort(sort, table)
        return { sort: sortObjs && { sortObjs, ...(isManual && { manualSort: true }) } }
      }),
  }),
  sortViewManually: scripted({
    weight: 1,
    args: onView({ sort: sortArgs }),
    toInput: (args, known) =>
      toView(args, known, ({ sort }, table) => ({ sortObjs: toSort(sort, table) ?? [] })),
  }),
  moveRows: scripted({
    // The records have to be of the one table, and others than the anchor.
    weight: 3,
    args: onView({ anchor: ref, position, records: fc.array(ref, { minLength: 1, maxLength: 3 }) }),
    toInput: (args, known) =>
      toView(args, known, ({ anchor, records, ...rest }, table) => ({
        ...rest,
        anchorId: table?.records.idOf(anchor) ?? 'unknown',
        recordIds: records.map((record) => table?.records.idOf(record) ?? 'unknown'),
      })),
  }),
  setViewGroup: scripted({
    weight: 0.7,
    args: onView({ group: sortArgs }),
    toInput: (args, known) =>
      toView(args, known, ({ group }, table) => ({ group: toSort(group, table) })),
  }),
  setViewOptions: scripted({
    weight: 1,
    args: onView({ options: optionArgs }),
    toInput: (args, known) =>
      toView(args, known, ({ options }, table) => ({ options: toOptions(options, table) })),
  }),
  setColumnMeta: scripted({
    weight: 8,
    args: onView({ columns: columnArgs }),
    toInput: (args, known) =>
      toView(args, known, ({ columns }, table) => ({
        columnMeta: toColumns(columns, table).map(({ fieldId, settings }) => ({
          fieldId,
          columnMeta: settings,
        })),
      })),
  }),
  moveView: scripted({
    // Both views have to be of the one table.
    weight: 4,
    args: onView({ anchor: ref, position }),
    toInput: (args, known) =>
      toView(args, known, ({ anchor, ...rest }, table) => ({
        ...rest,
        anchorId: table?.views.idOf(anchor) ?? 'unknown',
      })),
  }),
  lockView: scripted({
    weight: 0.5,
    args: onView({ isLocked: fc.boolean() }),
    toInput: toView,
  }),
  duplicateView: scripted({ weight: 0.7, ...onOneView, learn: learnView }),
  deleteView: scripted({
    weight: 0.5,
    ...onOneView,
    learn: (known, _answer, { tableId, viewId }) =>
      known.tableOf(tableId)?.views.drop(String(viewId)),
  }),
  listFilterLinkRecords: scripted({ weight: 0.5, ...onOneView }),
  setShareMeta: scripted({
    weight: 0.7,
    args: onView({
      ...{ allowCopy: someFlag, includeHiddenField: someFlag, includeRecords: someFlag },
      password: fc.constantFrom(undefined, undefined, null, '********', sharePassword),
      submit: fc.option(fc.record({ allow: fc.boolean(), requireLogin: fc.boolean() }), {
        nil: undefined,
      }),
    }),
    toInput: toView,
  }),
  enableShare: scripted({ weight: 0.7, ...onOneView, learn: learnShare }),
  disableShare: scripted({ weight: 0.2, ...onOneView }),
  refreshShareId: scripted({ weight: 0.5, ...onOneView, learn: learnShare }),
}

export const viewSamples: SamplesIn<'views'> = (place) => {
  const { tableId, viewId, otherViewId, sharedViewId, fieldId, recordId, otherRecordId } = place
  const inTable = (more: object = {}): Sample => ({ input: { tableId, ...more } })
  const ofView = (more: object = {}): Sample => inTable({ viewId, ...more })
  const filterSet = [{ fieldId, operator: 'isNotEmpty', value: null }]
  return {
    createView: inTable({ type: 'gallery', name: 'Cards' }),
    listViews: inTable(),
    getView: ofView(),
    renameView: ofView({ name: 'Renamed' }),
    describeView: ofView({ description: 'What it is for' }),
    setViewFilter: ofView({ filter: { conjunction: 'and', filterSet } }),
    setViewSort: ofView({ sort: { sortObjs: [{ fieldId, order: 'asc' }] } }),
    sortViewManually: ofView({ sortObjs: [{ fieldId, order: 'asc' }] }),
    moveRows: ofView({ anchorId: otherRecordId, position: 'after', recordIds: [recordId] }),
    setViewGroup: ofView({ group: [{ fieldId, order: 'desc' }] }),
    setViewOptions: ofView({ options: { rowHeight: 'tall' } }),
    setColumnMeta: ofView({ columnMeta: [{ fieldId, columnMeta: { width: 200 } }] }),
    moveView: ofView({ anchorId: otherViewId, position: 'after' }),
    lockView: ofView({ isLocked: true }),
    duplicateView: ofView(),
    deleteView: ofView(),
    listFilterLinkRecords: ofView(),
    setShareMeta: ofView({ allowCopy: true, password: 'open sesame' }),
    enableShare: ofView(),
    disableShare: ofView(),
    refreshShareId: inTable({ viewId: sharedViewId }),
  }
}
