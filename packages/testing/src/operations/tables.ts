import { valueTypeOf } from '@gateleg/domain/fields/field-values'
import fc from 'fast-check'
import { description, icon, name, position, ref } from '../scripts/arguments.ts'
import {
  type FieldArgs,
  fieldArgs,
  formulaField,
  linkField,
  lookupField,
  rollupField,
  toDefinition,
} from '../scripts/field-arguments.ts'
import type { Ref } from '../scripts/script.ts'
import {
  type KnownField,
  type KnownRecord,
  KnownTable,
  type ScriptState,
} from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import type { Sample, SamplesIn } from './operation-sample.ts'

interface MadeTable {
  readonly id: string
  readonly fields: readonly KnownField[]
  readonly views: readonly { readonly id: string }[]
  readonly records: readonly KnownRecord[]
}

interface TableArgs {
  readonly base: Ref
  readonly fields?: readonly FieldArgs[]
  readonly [member: string]: unknown
}

interface OneTableArgs {
  readonly table: Ref
  /** A base to name instead of the one in which the table lies. */
  readonly base?: Ref
  readonly [member: string]: unknown
}

const view = fc.record(
  { name, type: fc.constantFrom('grid', 'form', 'kanban', 'plugin'), description },
  { requiredKeys: ['type'] },
)

const members = {
  name,
  dbTableName: fc.constantFrom(
    'plan',
    'Plan',
    'PLAN',
    'select',
    '1',
    'x'.repeat(63),
    'x'.repeat(64),
  ),
  description,
  icon,
  views: fc.array(view, { maxLength: 3 }),
  records: fc.array(fc.constant({ fields: {} }), { maxLength: 3 }),
  fieldKeyType: fc.constantFrom('name', 'id', 'dbFieldName'),
}

/** Arguments of an operation on one table; a table named with another base than its own is rare. */
function onTable<T extends object>(more: { [K in keyof T]: fc.Arbitrary<T[K]> }) {
  const base = fc.option(ref, { nil: undefined, freq: 15 })
  return fc
    .tuple(fc.record<{ table: Ref }>({ table: ref }), base, fc.record<T>(more))
    .map(([table, base, rest]) => ({ ...table, ...(base !== undefined && { base }), ...rest }))
}

function toTable({ table, base, ...rest }: OneTableArgs, { tables, bases }: ScriptState) {
  const found = tables.find(table)
  const baseId = base === undefined ? (found?.baseId ?? bases.idOf(0)) : bases.idOf(base)
  return { baseId, tableId: found?.id ?? 'unknown', ...rest }
}

/** Fields of one new table: a link, whose id its maker chose, and fields that read through it. */
const linkedFields = fc
  .tuple(
    fc.integer({ min: 3, max: 8 }),
    linkField,
    fc.array(fc.oneof(lookupField, rollupField, formulaField), { minLength: 1, maxLength: 3 }),
  )
  .map(([clientId, link, others]) => [
    { type: 'singleLineText', name: 'Title' },
    { ...link, clientId },
    ...others,
  ])

/** Fields of one new table can read those before them that have an id already; formulas go by names. */
function toDefinitions(fields: readonly FieldArgs[], known: ScriptState) {
  const table = new KnownTable('unknown', 'unknown')
  return fields.map((args) => {
    const definition = toDefinition(args, known, table)
    const { id, name = 'unknown', type, options = {} } = definition
    const { cellValueType } = valueTypeOf({ type, options: {}, isLookup: false, result: null })
    table.fields.add({ id: id ?? name, name, dbFieldName: '', type, options, cellValueType })
    return definition
  })
}

const onOneTable = { args: onTable({}), toInput: toTable }

const onLaterTable = {
  args: onTable({}),
  toInput: ({ table }: OneTableArgs, { tables }: ScriptState) => {
    const found = tables.findLater(table)
    return { baseId: found?.baseId ?? 'unknown', tableId: found?.id ?? 'unknown' }
  },
}

export const tableOperations: ScriptedFeature<'tables'> = {
  createTable: scripted({
    weight: 2.5,
    args: fc
      .tuple(
        ref,
        fc.oneof(
          { weight: 1, arbitrary: fc.record(members, { requiredKeys: [] }) },
          { weight: 3, arbitrary: fc.record({ name }, { requiredKeys: [] }) },
        ),
        fc.oneof(
          { weight: 1, arbitrary: fc.constant({}) },
          {
            weight: 3,
            arbitrary: fc.record({ fields: fc.array(fieldArgs, { minLength: 1, maxLength: 4 }) }),
          },
          { weight: 1, arbitrary: fc.record({ fields: linkedFields }) },
        ),
      )
      .map(([base, members, fields]) => ({ base, ...members, ...fields })),
    toInput: ({ base, fields, ...rest }: TableArgs, known) => ({
      baseId: known.bases.idOf(base),
      ...(fields && { fields: toDefinitions(fields, known) }),
      ...rest,
    }),
    learn: (known, { id, fields, views, records }: MadeTable, { baseId }) => {
      const table = new KnownTable(id, String(baseId))
      for (const field of fields) table.fields.add(field)
      for (const view of views) table.views.add(view)
      for (const { id, name } of records) table.records.add({ id, name })
      known.tables.add(table)
    },
  }),
  listTables: scripted({
    weight: 1.5,
    args: fc.record({ base: ref }),
    toInput: ({ base }, { bases }) => ({ baseId: bases.idOf(base) }),
  }),
  getTable: scripted({ weight: 1, ...onOneTable }),
  getDefaultView: scripted({ weight: 0.5, ...onOneTable }),
  getTablePermissions: scripted({ weight: 0.3, ...onOneTable }),
  renameTable: scripted({ weight: 1, args: onTable({ name }), toInput: toTable }),
  describeTable: scripted({ weight: 0.5, args: onTable({ description }), toInput: toTable }),
  setTableIcon: scripted({ weight: 0.5, args: onTable({ icon }), toInput: toTable }),
  moveTable: scripted({
    weight: 1,
    args: onTable({ anchor: ref, position }),
    toInput: ({ anchor, ...rest }: OneTableArgs & { anchor: Ref }, known) => ({
      ...toTable(rest, known),
      anchorId: known.tables.idOf(anchor),
    }),
  }),
  duplicateTable: scripted({
    weight: 0.5,
    args: onTable({ name, includeRecords: fc.boolean() }),
    toInput: toTable,
    learn: (known, { id }: { readonly id: string }, { baseId }) =>
      known.tables.add(new KnownTable(id, String(baseId))),
  }),
  toggleIndex: scripted({
    weight: 0.5,
    args: onTable({
      type: fc.oneof({ weight: 9, arbitrary: fc.constant('search') }, fc.constant('sort')),
    }),
    toInput: toTable,
  }),
  listActiveIndexes: scripted({ weight: 0.5, ...onOneTable }),
  deleteTable: scripted({
    weight: 0.6,
    ...onLaterTable,
    learn: (known, _answer, { tableId }) => known.dropResource(String(tableId)),
  }),
  deleteTablePermanently: scripted({
    weight: 0.6,
    ...onLaterTable,
    learn: (known, _answer, { tableId }) => known.dropResource(String(tableId)),
  }),
}

export const tableSamples: SamplesIn<'tables'> = ({ baseId, tableId, otherTableId }) => {
  const inBase = (more: object = {}): Sample => ({ input: { baseId, ...more } })
  const onTable = (more: object = {}): Sample => ({ input: { baseId, tableId, ...more } })
  return {
    createTable: inBase({ name: 'New' }),
    listTables: inBase(),
    getTable: onTable(),
    getDefaultView: onTable(),
    getTablePermissions: onTable(),
    renameTable: onTable({ name: 'Renamed' }),
    describeTable: onTable({ description: 'What it is' }),
    setTableIcon: onTable({ icon: '🪑' }),
    moveTable: onTable({ anchorId: otherTableId, position: 'after' }),
    duplicateTable: onTable({ includeRecords: true }),
    toggleIndex: onTable({ type: 'search' }),
    listActiveIndexes: onTable(),
    deleteTable: onTable(),
    deleteTablePermanently: onTable(),
  }
}
