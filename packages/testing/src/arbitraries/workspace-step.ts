import fc from 'fast-check'
import { type RollupFunction, rollupFunctions } from '../models/values/model-rollup.ts'
import { modelRelationships } from '../models/workspace/model-relationship.ts'
import type {
  CellShape,
  ConversionShape,
  FieldShape,
  RowShape,
  WorkspaceStep,
} from '../models/workspace/workspace-step.ts'
import { modelFormula } from './model-formula.ts'

const place = fc.nat(11)
const table = fc.nat(2)

/** Few names, so that they meet; one of them is that of a table. */
const name = fc.constantFrom('A', 'B', 'a', 'Sum', 'New table', 'Number', '"; drop', 'constructor')

const text = fc.record({ kind: fc.constant('text' as const) })
const number = fc.record({
  kind: fc.constant('number' as const),
  precision: fc.constantFrom(0, 2),
})
const summaries = Object.keys(rollupFunctions) as RollupFunction[]

const filter = fc.record({
  conjunction: fc.constantFrom('and', 'or'),
  items: fc.array(fc.record({ field: place, question: fc.nat(3) }), { minLength: 1, maxLength: 2 }),
})
const reading = {
  link: place,
  source: place,
  filter: fc.option(filter, { nil: undefined, freq: 2 }),
}

const lookup = fc.record({ kind: fc.constant('lookup' as const), ...reading })
const rollup = fc.record({
  kind: fc.constant('rollup' as const),
  ...reading,
  summary: fc.constantFrom(...summaries),
})
const formula = fc.record({ kind: fc.constant('formula' as const), formula: modelFormula })

const link = fc.record({
  kind: fc.constant('link' as const),
  relationship: fc.constantFrom(...modelRelationships),
  foreign: table,
  isOneWay: fc.boolean(),
  titles: fc.option(place, { nil: undefined, freq: 2 }),
})

const field: fc.Arbitrary<FieldShape> = fc.oneof(
  { weight: 1, arbitrary: text },
  { weight: 1, arbitrary: number },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('checkbox', 'select') }) },
  { weight: 6, arbitrary: link },
  { weight: 5, arbitrary: lookup },
  { weight: 4, arbitrary: rollup },
  { weight: 5, arbitrary: formula },
)

const conversion: fc.Arbitrary<ConversionShape> = fc.oneof(
  { weight: 2, arbitrary: text },
  { weight: 2, arbitrary: number },
  { weight: 4, arbitrary: formula },
  { weight: 1, arbitrary: lookup },
  { weight: 1, arbitrary: rollup },
)

const cell: fc.Arbitrary<CellShape> = fc.record({
  field: place,
  value: fc.nat(7),
  records: fc.array(fc.nat(5), { maxLength: 3 }),
  flaw: fc.oneof(
    { weight: 40, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('twice', 'unknown') },
  ),
})

const row: fc.Arbitrary<RowShape> = fc.array(cell, { minLength: 1, maxLength: 5 })

const change = fc.record({ record: fc.nat(5), row })

function createField(field: fc.Arbitrary<FieldShape>): fc.Arbitrary<WorkspaceStep> {
  return fc.record({ kind: fc.constant('create field'), table, name, field })
}

/** Any change of the tables, fields and records of a workspace. Most succeed, some are refused. */
const workspaceStep: fc.Arbitrary<WorkspaceStep> = fc.oneof(
  { weight: 20, arbitrary: createField(field) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('create records'),
      table,
      rows: fc.array(row, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 20,
    arbitrary: fc.record({
      kind: fc.constant('update records'),
      table,
      changes: fc.array(change, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('delete records'),
      table,
      records: fc.array(fc.nat(5), { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('convert field'),
      table,
      field: place,
      to: conversion,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('delete fields'),
      table,
      fields: fc.array(place, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('rename field'), table, field: place, name }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('duplicate field'), table, field: place }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('retitle link'),
      table,
      link: place,
      titles: fc.option(place, { nil: undefined, freq: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('create table'), base: fc.nat(1) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('duplicate table'),
      table,
      includeRecords: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('delete table'),
      table,
      isPermanent: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('restore records'),
      table,
      records: fc.array(fc.nat(5), { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('restore fields'),
      table,
      fields: fc.array(place, { minLength: 1, maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore table'), table }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('restore entry'), entry: place }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('purge trash'), table, isOfBase: fc.boolean() }),
  },
)

/** Changes one after the other, the first of which makes a link: without one little can be made. */
export const workspaceScript: fc.Arbitrary<readonly WorkspaceStep[]> = fc
  .tuple(createField(link), fc.array(workspaceStep, { maxLength: 40, size: 'max' }))
  .map(([first, others]) => [first, ...others])
