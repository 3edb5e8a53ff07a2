import type { FieldOutput } from '@gateleg/domain/fields/field-output'
import { type IdKind, idPrefixes } from '@gateleg/domain/ids/id-prefixes'
import { jobKinds } from '@gateleg/domain/job-kinds'
import { runJobs, runNextJob } from '@gateleg/domain/jobs/run-next-job'
import { listAllRecords } from '../observations/list-all-records.ts'
import type { TestPorts, TestStorage } from '../test-engine.ts'
import { type BaseWorld, openBaseWorld } from './base-world.ts'

/** A table of a test: its id, and those of its records in their order. */
export interface TestTable {
  readonly id: string
  readonly recordIds: readonly string[]
  /** The id of the primary field. */
  readonly primaryId: string
}

/** A field of a test, which knows what options it has. */
export type TestField = Omit<FieldOutput, 'options'> & {
  readonly options: Readonly<Record<string, unknown>>
}

/** A world with short ways to make tables and fields and to look at cells, all as Ada. */
export interface TableWorld extends BaseWorld {
  /** Makes a table of the fields with the records, in the world's base unless another one is named. */
  makeTable(
    name: string,
    fields: readonly object[],
    records: readonly object[],
    baseId?: string,
  ): Promise<TestTable>
  /** Makes a table with a Name and a Count: a record for each name, counted from 1. */
  makeNames(name: string, ...names: readonly string[]): Promise<TestTable>
  addField(
    table: Pick<TestTable, 'id'>,
    definition: object,
  ): Promise<TestField & { readonly version: number }>
  fieldOf(table: Pick<TestTable, 'id'>, name: string): Promise<TestField>
  /** Converts the field of that name. */
  convert(
    table: Pick<TestTable, 'id'>,
    name: string,
    definition: object,
  ): Promise<TestField & { readonly version: number }>
  /** The cells of all records in the field, null for those that have none. */
  cellsOf(table: Pick<TestTable, 'id'>, fieldName: string): Promise<readonly unknown[]>
  /** The cells of all records in the field as people read them. */
  textsOf(table: Pick<TestTable, 'id'>, fieldName: string): Promise<readonly unknown[]>
  /** The cells of one record by field name. */
  recordOf(
    table: Pick<TestTable, 'id'>,
    recordId: string | undefined,
  ): Promise<Record<string, unknown>>
  /** Changes cells of one record; answers its cells by field name. */
  change(
    table: Pick<TestTable, 'id'>,
    recordId: string | undefined,
    fields: object,
    typecast?: boolean,
  ): Promise<Record<string, unknown>>
  /** Presses the button of a record so many times. */
  press(
    table: Pick<TestTable, 'id'>,
    recordId: string | undefined,
    fieldName: string,
    times: number,
  ): Promise<void>
  /** Adds records; answers their ids. */
  add(table: Pick<TestTable, 'id'>, ...rows: readonly object[]): Promise<readonly string[]>
  remove(table: Pick<TestTable, 'id'>, ...recordIds: readonly (string | undefined)[]): Promise<void>
  /** Deletes all tables of the base, or of another one, for good: their names are free again. */
  clear(baseId?: string): Promise<void>
  /** Does the next job that is due now; false when there is none. */
  runJob(): Promise<boolean>
  /** Does all jobs that are due now, and those that these make due at once, with as few transactions as servers need. */
  runJobs(): Promise<void>
  /** Does the background's work until nothing of it is left. */
  finishJobs(): Promise<void>
}

/** Rounds of work, each half a second later than the one before, after which it should be done. */
const roundsMax = 50

/** Opens a world with a base. Close it at the end of the tests. */
export async function openTableWorld(
  storage: TestStorage,
  ports: TestPorts = {},
): Promise<TableWorld> {
  const world = await openBaseWorld(storage, ports)
  const { api, engine, clock } = world
  const listCells = async (tableId: string, cellFormat: 'json' | 'text') =>
    (await listAllRecords(api, { tableId, take: 2_000, cellFormat })).map(({ fields }) => fields)
  const makeTable: TableWorld['makeTable'] = async (
    name,
    fields,
    records,
    baseId = world.baseId,
  ) => {
    const rows = records.map((row) => ({ fields: row }))
    const definition = { baseId, name, fields, records: rows }
    const table = await api.tables.createTable(definition as never)
    const recordIds = table.records.map(({ id }) => id)
    return { id: table.id, recordIds, primaryId: table.fields[0]?.id ?? '' }
  }
  const fieldOf: TableWorld['fieldOf'] = async ({ id: tableId }, name) => {
    const field = (await api.fields.listFields({ tableId })).find((one) => one.name === name)
    if (!field) throw new Error(`the table has no field called ${name}`)
    return field
  }
  const jobPorts = () => ({ ...ports, store: engine.store, clock, ids: jobIds() })
  const onFailure = (error: unknown) => {
    throw error
  }
  const runJob = () => runNextJob(jobPorts(), jobKinds, onFailure)
  const runAll = async () => {
    await runJobs(jobPorts(), { kinds: jobKinds, onFailure }, () => true)
  }
  return {
    ...world,
    makeTable,
    makeNames: (name, ...names) =>
      makeTable(
        name,
        [
          { type: 'singleLineText', name: 'Name' },
          { type: 'number', name: 'Count' },
        ],
        names.map((Name, index) => ({ Name, Count: index + 1 })),
      ),
    addField: ({ id: tableId }, definition) =>
      api.fields.createField({ tableId, ...definition } as never),
    fieldOf,
    convert: async (table, name, definition) => {
      const { id: fieldId } = await fieldOf(table, name)
      return api.fields.convertField({ tableId: table.id, fieldId, ...definition } as never)
    },
    cellsOf: async ({ id }, name) =>
      (await listCells(id, 'json')).map((cells) => cells[name] ?? null),
    textsOf: async ({ id }, name) =>
      (await listCells(id, 'text')).map((cells) => cells[name] ?? null),
    recordOf: async ({ id: tableId }, recordId = '') =>
      (await api.records.getRecord({ tableId, recordId })).fields,
    change: async ({ id: tableId }, recordId = '', fields, typecast = false) => {
      const input = { tableId, recordId, record: { fields }, typecast }
      return (await api.records.updateRecord(input as never)).fields
    },
    press: async (table, recordId = '', fieldName, times) => {
      const cell = { tableId: table.id, recordId, fieldId: (await fieldOf(table, fieldName)).id }
      for (let time = 0; time < times; time++) await api.records.pressButton(cell)
    },
    add: async ({ id: tableId }, ...rows) => {
      const records = rows.map((fields) => ({ fields }))
      const made = await api.records.createRecords({ tableId, records } as never)
      return made.records.map(({ id }) => id)
    },
    remove: async ({ id: tableId }, ...ids) => {
      const recordIds = ids.map((id = '') => id)
      await api.records.deleteRecords({ tableId, recordIds })
    },
    clear: async (baseId = world.baseId) => {
      for (const { id: tableId } of await api.tables.listTables({ baseId })) {
        await api.tables.deleteTablePermanently({ baseId, tableId })
      }
    },
    runJob,
    runJobs: runAll,
    finishJobs: async () => {
      for (let round = 0; round < roundsMax; round++) {
        await runAll()
        clock.advance(1_000)
      }
    },
  }
}

let revisions = 0

/** The work of the background makes ids of its own, that no other thing of the world has. */
function jobIds() {
  const revision = () => `job ${revisions++}`
  const choice = () => `choJob${String(revisions++).padStart(5, '0')}`
  const next = (kind: IdKind) => `${idPrefixes[kind]}Job${String(revisions++).padStart(13, '0')}`
  const many = (kind: IdKind, count: number) => Array.from({ length: count }, () => next(kind))
  return { next, many, choice, revision }
}
