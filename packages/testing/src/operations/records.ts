import fc from 'fast-check'
import { position, ref } from '../scripts/arguments.ts'
import {
  type CellArgs,
  cells,
  type FieldKeyType,
  fieldKeyType,
  toValues,
} from '../scripts/cell-arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { KnownRecord, KnownTable, ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import { type QueryArgs, queryArgs, toQuery } from './aggregations.ts'
import type { Sample, SamplesIn } from './operation-sample.ts'

interface WritingArgs {
  readonly table: Ref
  readonly fieldKeyType?: FieldKeyType
  readonly typecast?: boolean
  /** Only where records are created, or one is changed. */
  readonly at?: AnchorArgs | undefined
}

interface ReadingArgs {
  readonly table: Ref
  readonly fieldKeyType?: FieldKeyType
  readonly cellFormat?: string
  /** Fields to show. */
  readonly projection?: readonly Ref[]
  /** A cursor among those that lists of the table have answered. */
  readonly cursor?: number
  readonly [member: string]: unknown
}

interface ButtonArgs {
  readonly table: Ref
  readonly record: Ref
  /** One of the table's buttons, counted round. */
  readonly nth: number
}

const buttonArgs = fc.record({ table: ref, record: ref, nth: fc.nat({ max: 2 }) })

type Records = readonly KnownRecord[]

/** A place in the row order of a view. */
interface AnchorArgs {
  readonly view: Ref
  readonly anchor: Ref
  readonly position: string
}

const someAnchor = fc.record<AnchorArgs>({ view: ref, anchor: ref, position })

/** Most requests name none: one that names what isn't there writes nothing. */
const rowAnchor = fc.oneof(
  { weight: 9, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: someAnchor },
)

function toRowAnchor({ view, anchor, position }: AnchorArgs, table: KnownTable | undefined) {
  return {
    viewId: table?.views.idOf(view) ?? 'unknown',
    anchorId: table?.records.idOf(anchor) ?? 'unknown',
    position,
  }
}

const writing = { fieldKeyType, typecast: fc.boolean() }
const reading = {
  fieldKeyType,
  cellFormat: fc.constantFrom('json', 'text'),
  projection: fc.array(ref, { maxLength: 3 }),
}

function toReading(args: ReadingArgs, { tables }: ScriptState) {
  const { table, fieldKeyType, projection, cursor, ...rest } = args
  const found = tables.find(table)
  const keyOf = (field: Ref) => found?.fields.find(field)?.[fieldKeyType ?? 'name'] ?? 'unknown'
  const cursors = found?.cursors ?? []
  const chosen = cursor === undefined ? undefined : cursors[cursor % cursors.length]
  return {
    tableId: found?.id ?? 'unknown',
    ...rest,
    ...(fieldKeyType && { fieldKeyType }),
    ...(projection && { projection: projection.map(keyOf) }),
    ...(chosen !== undefined && { cursor: chosen }),
  }
}

function learnRecords(known: ScriptState, records: Records, tableId: unknown): void {
  for (const { id, name } of records) known.tableOf(tableId)?.records.add({ id, name })
}

export const recordOperations: ScriptedFeature<'records'> = {
  createRecords: scripted({
    weight: 12,
    args: fc.record(
      {
        table: ref,
        records: fc.array(cells, { minLength: 1, maxLength: 5 }),
        at: rowAnchor,
        ...writing,
      },
      { requiredKeys: ['table', 'records'] },
    ),
    toInput: (args: WritingArgs & { records: readonly (readonly CellArgs[])[] }, known) => {
      const { table, records, at, ...rest } = args
      const found = known.tables.find(table)
      return {
        tableId: found?.id ?? 'unknown',
        records: records.map((cells) => ({
          fields: toValues(cells, found, rest.fieldKeyType, known),
        })),
        ...(at && { order: toRowAnchor(at, found) }),
        ...rest,
      }
    },
    learn: (known, { records }: { readonly records: Records }, { tableId }) =>
      learnRecords(known, records, tableId),
  }),
  listRecords: scripted({
    weight: 10,
    args: fc.record(
      {
        table: ref,
        ...reading,
        take: fc.integer({ min: 1, max: 4 }),
        skip: fc.nat({ max: 3 }),
        cursor: fc.nat({ max: 5 }),
        ...queryArgs,
      },
      { requiredKeys: ['table'] },
    ),
    toInput: ({ filter, orderBy, groupBy, search, ...rest }: ReadingArgs & QueryArgs, known) => ({
      ...toReading(rest, known),
      ...toQuery(
        rest.table,
        {
          ...(filter && { filter }),
          ...(orderBy && { orderBy }),
          ...(groupBy && { groupBy }),
          ...(search && { search }),
        },
        known,
      ),
    }),
    learn: (
      known,
      { records, nextCursor }: { readonly records: Records; readonly nextCursor: string | null },
      { tableId },
    ) => {
      learnRecords(known, records, tableId)
      if (nextCursor !== null) known.tableOf(tableId)?.cursors.push(nextCursor)
    },
  }),
  getRecord: scripted({
    weight: 3,
    args: fc.record({ table: ref, record: ref, ...reading }, { requiredKeys: ['table', 'record'] }),
    toInput: ({ record, ...rest }: ReadingArgs & { record: Ref }, known) => ({
      ...toReading(rest, known),
      recordId: known.tables.find(rest.table)?.records.idOf(record) ?? 'unknown',
    }),
  }),
  updateRecord: scripted({
    weight: 8,
    args: fc.record(
      { table: ref, record: ref, cells, at: rowAnchor, ...writing },
      { requiredKeys: ['table', 'record', 'cells'] },
    ),
    toInput: (args: WritingArgs & { record: Ref; cells: readonly CellArgs[] }, known) => {
      const { table, record, cells, at, ...rest } = args
      const found = known.tables.find(table)
      return {
        tableId: found?.id ?? 'unknown',
        recordId: found?.records.idOf(record) ?? 'unknown',
        record: { fields: toValues(cells, found, rest.fieldKeyType, known) },
        ...(at && { order: toRowAnchor(at, found) }),
        ...rest,
      }
    },
  }),
  updateRecords: scripted({
    weight: 6,
    args: fc.record(
      {
        table: ref,
        records: fc.array(fc.record({ record: ref, cells }), { minLength: 1, maxLength: 4 }),
        ...writing,
      },
      { requiredKeys: ['table', 'records'] },
    ),
    toInput: (
      args: WritingArgs & {
        records: readonly { readonly record: Ref; readonly cells: readonly CellArgs[] }[]
      },
      known,
    ) => {
      const { table, records, ...rest } = args
      const found = known.tables.find(table)
      const sent = records.map(({ record, cells }) => ({
        id: found?.records.idOf(record) ?? 'unknown',
        fields: toValues(cells, found, rest.fieldKeyType, known),
      }))
      const byId = new Map(sent.map((one) => [one.id, one]))
      return { tableId: found?.id ?? 'unknown', records: [...byId.values()], ...rest }
    },
  }),
  deleteRecord: scripted({
    weight: 2,
    args: fc.record({ table: ref, record: ref }),
    toInput: ({ table, record }, { tables }) => ({
      tableId: tables.idOf(table),
      recordId: tables.find(table)?.records.idOf(record) ?? 'unknown',
    }),
    learn: (known, _answer, { tableId, recordId }) =>
      known.tableOf(tableId)?.records.drop(String(recordId)),
  }),
  deleteRecords: scripted({
    weight: 1.5,
    args: fc.record({ table: ref, records: fc.array(ref, { maxLength: 3 }) }),
    toInput: ({ table, records }, { tables }) => {
      const found = tables.find(table)
      return {
        tableId: found?.id ?? 'unknown',
        recordIds: records.map((record) => found?.records.idOf(record) ?? 'unknown'),
      }
    },
    learn: (known, _answer, { tableId, recordIds }) => {
      for (const id of recordIds as readonly string[]) known.tableOf(tableId)?.records.drop(id)
    },
  }),
  duplicateRecord: scripted({
    weight: 1.5,
    args: fc.record(
      { table: ref, record: ref, at: rowAnchor },
      { requiredKeys: ['table', 'record'] },
    ),
    toInput: ({ table, record, at }, { tables }) => {
      const found = tables.find(table)
      return {
        tableId: found?.id ?? 'unknown',
        recordId: found?.records.idOf(record) ?? 'unknown',
        ...(at && toRowAnchor(at, found)),
      }
    },
    learn: (known, { records }: { readonly records: Records }, { tableId }) =>
      learnRecords(known, records, tableId),
  }),
  listNamedPeople: scripted({
    weight: 1,
    args: fc.record({ table: ref, nth: fc.nat({ max: 9 }) }),
    toInput: ({ table, nth }: { table: Ref; nth: number }, { tables }) => {
      const found = tables.find(table)
      const fields = found?.fields.there.filter(({ type }) => /^user$|By$/.test(type)) ?? []
      return {
        tableId: found?.id ?? 'unknown',
        fieldId: fields[nth % fields.length]?.id ?? found?.fields.idOf(nth) ?? 'unknown',
      }
    },
  }),
  getRecordStatus: scripted({
    weight: 1,
    args: fc.record(
      { table: ref, record: ref, skip: fc.nat({ max: 3 }), ...queryArgs },
      { requiredKeys: ['table', 'record'] },
    ),
    toInput: ({ table, record, skip, filter, orderBy }, known) => ({
      tableId: known.tables.idOf(table),
      recordId: known.tables.find(table)?.records.idOf(record) ?? 'unknown',
      ...(skip !== undefined && { skip }),
      ...toQuery(table, { ...(filter && { filter }), ...(orderBy && { orderBy }) }, known),
    }),
  }),
  submitForm: scripted({
    weight: 2,
    args: fc.record({ table: ref, view: ref, cells, ...writing }),
    toInput: ({ table, view, cells, ...rest }, known) => {
      const found = known.tables.find(table)
      return {
        tableId: found?.id ?? 'unknown',
        viewId: found?.views.idOf(view) ?? 'unknown',
        fields: toValues(cells, found, rest.fieldKeyType, known),
        ...rest,
      }
    },
    learn: (known, record: KnownRecord, { tableId }) => learnRecords(known, [record], tableId),
  }),
  pressButton: scripted({ weight: 1, args: buttonArgs, toInput: toButton }),
  resetButton: scripted({ weight: 0.5, args: buttonArgs, toInput: toButton }),
}

function toButton({ table, record, nth }: ButtonArgs, { tables }: ScriptState) {
  const found = tables.find(table)
  const fields = found?.fields.there.filter(({ type }) => type === 'button') ?? []
  return {
    tableId: found?.id ?? 'unknown',
    recordId: found?.records.idOf(record) ?? 'unknown',
    fieldId: fields[nth % fields.length]?.id ?? found?.fields.idOf(nth) ?? 'unknown',
  }
}

export const recordSamples: SamplesIn<'records'> = (place) => {
  const { tableId, recordId, sharedViewId, primaryFieldId, buttonFieldId: fieldId } = place
  const inTable = (more: object = {}): Sample => ({ input: { tableId, ...more } })
  return {
    createRecords: inTable({ records: [{ fields: { Name: 'New' } }] }),
    listRecords: inTable(),
    getRecord: inTable({ recordId }),
    updateRecord: inTable({ recordId, record: { fields: { Name: 'Changed' } } }),
    updateRecords: inTable({ records: [{ id: recordId, fields: { Name: 'Changed' } }] }),
    deleteRecord: inTable({ recordId }),
    deleteRecords: inTable({ recordIds: [recordId] }),
    duplicateRecord: inTable({ recordId }),
    listNamedPeople: inTable({ fieldId: place.makerFieldId }),
    getRecordStatus: inTable({ recordId }),
    submitForm: inTable({ viewId: sharedViewId, fields: { [primaryFieldId]: 'Sent' } }),
    pressButton: inTable({ recordId, fieldId }),
    resetButton: inTable({ recordId, fieldId }),
  }
}
