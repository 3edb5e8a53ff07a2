import { rangeTypes } from '@gateleg/domain/selections/selection-shape'
import fc from 'fast-check'
import { ref } from '../scripts/arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import { type QueryArgs, queryArgs, toQuery } from './aggregations.ts'
import type { Sample, SamplesIn } from './operation-sample.ts'

/** What a script says of a selection: mostly of cells that are shown. */
interface SelectionArgs {
  readonly table: Ref
  readonly view?: Ref
  readonly query?: QueryArgs | undefined
  readonly type?: string
  readonly ranges: readonly (readonly number[])[]
  /** Fields that count as columns. */
  readonly projection?: readonly Ref[] | undefined
  readonly [member: string]: unknown
}

const place = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(0, 0, 0, 1, 1, 2) },
  { weight: 1, arbitrary: fc.constantFrom(-1, 0.5, 7) },
)
const more = fc.constantFrom(0, 0, 1)
const pair = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(place, more).map(([a, add]) => [a, a + add]) },
  { weight: 1, arbitrary: fc.tuple(place, place) },
)
const cells = fc.tuple(place, place, more, more).map(([column, row, right, down]) => [
  [column, row],
  [column + right, row + down],
])

const ranges = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ranges: cells }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constantFrom(...rangeTypes),
      ranges: fc.array(pair, { minLength: 1, maxLength: 2 }),
    }),
  },
)

const content = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    '1\t2',
    'x\ny\n',
    '"a\tb"\t7',
    'light\tPlan\n2026-01-01\t',
    'new choice',
  ),
  fc.array(
    fc.array(fc.constantFrom<unknown>(null, 1, 'a', true, ['light'], { id: 'x' }), {
      maxLength: 3,
    }),
    {
      maxLength: 3,
    },
  ),
)

/** Of what is asked besides much doesn't fit, or leaves nothing to select. */
function seldom<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
}

/** Arguments of an operation on a selection, with more members. */
function onSelection(more: Readonly<Record<string, fc.Arbitrary<unknown>>>) {
  const others = fc.record(
    {
      table: ref,
      view: ref,
      projection: seldom(fc.array(ref, { minLength: 1, maxLength: 3 })),
      query: seldom(fc.record(queryArgs, { requiredKeys: [] })),
    },
    { requiredKeys: ['table'] },
  )
  return fc
    .tuple(others, ranges, fc.record(more))
    .map(([args, where, rest]): SelectionArgs => ({ ...args, ...where, ...rest }))
}

function toSelection(args: SelectionArgs, known: ScriptState): Record<string, unknown> {
  const { table, view, projection, query, ...rest } = args
  const found = known.tables.find(table)
  return {
    tableId: found?.id ?? 'unknown',
    ...rest,
    ...(view !== undefined && { viewId: found?.views.idOf(view) ?? 'unknown' }),
    ...(projection && {
      projection: projection.map((ref) => found?.fields.idOf(ref) ?? 'unknown'),
    }),
    ...(query && toQuery(table, query, known)),
  }
}

export const selectionOperations: ScriptedFeature<'selections'> = {
  findSelectedIds: scripted({
    weight: 1.5,
    args: onSelection({ returnType: fc.constantFrom('recordId', 'fieldId', 'all') }),
    toInput: toSelection,
  }),
  copyCells: scripted({ weight: 2, args: onSelection({}), toInput: toSelection }),
  pasteCells: scripted({ weight: 3, args: onSelection({ content }), toInput: toSelection }),
  previewPaste: scripted({ weight: 1.5, args: onSelection({ content }), toInput: toSelection }),
  clearCells: scripted({ weight: 1.5, args: onSelection({}), toInput: toSelection }),
  deleteSelectedRecords: scripted({
    weight: 1,
    args: onSelection({}),
    toInput: toSelection,
    learn: (known, { ids }: { readonly ids: readonly string[] }, { tableId }) => {
      for (const id of ids) known.tableOf(tableId)?.records.drop(id)
    },
  }),
}

export const selectionSamples: SamplesIn<'selections'> = ({ tableId, viewId }) => {
  const ofCells = (more: object = {}): Sample => ({
    input: {
      tableId,
      viewId,
      ranges: [
        [0, 0],
        [0, 0],
      ],
      ...more,
    },
  })
  const toTheRight = {
    ranges: [
      [7, 0],
      [7, 0],
    ],
    content: 'More',
  }
  return {
    findSelectedIds: ofCells({ returnType: 'all' }),
    copyCells: ofCells(),
    pasteCells: [
      ofCells({ content: 'Pasted' }),
      {
        about: 'with new columns',
        ...ofCells(toTheRight),
        actions: ['record|update', 'record|read', 'field|create'],
      },
      {
        about: 'with new rows',
        ...ofCells({ content: 'a\nb\nc\nd' }),
        actions: ['record|update', 'record|read', 'record|create'],
      },
    ],
    previewPaste: ofCells({ content: 'Pasted' }),
    clearCells: ofCells(),
    deleteSelectedRecords: ofCells(),
  }
}
