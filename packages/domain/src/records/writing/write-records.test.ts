import { CountingIds } from '@gateleg/testing/doubles/counting-ids'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, expect, test } from 'vitest'
import { StepBudget } from '../../calculations/evaluation/step-budget.ts'
import { SchemaGraph } from '../../schemas/schema-graph.ts'
import type { RecordInput } from '../input/record-input.ts'
import { lockRecords } from '../reading/lock-records.ts'
import type { RecordsContext } from '../reading/records-context.ts'
import { Change } from './change.ts'
import { creation } from './creation.ts'
import type { RecordWrite, RowOptions, WriteStrategy } from './record-write.ts'
import { checkRows } from './stages/check-rows.ts'
import { computeRecords } from './stages/compute-records.ts'
import { followWrite } from './stages/follow-write.ts'
import { readRows } from './stages/read-rows.ts'
import { resolveRows } from './stages/resolve-rows.ts'
import { storeRecords } from './stages/store-records.ts'
import { writeRecords } from './write-records.ts'

/** Whatever lists, objects and cells a stage returned, but for tables and plans, which stages share. */
function frozen<T extends object>(returned: T): T {
  for (const [member, value] of Object.entries(returned)) {
    if (member !== 'loaded' && member !== 'plan') deepFreeze(value)
  }
  return Object.freeze(returned)
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  Object.freeze(value)
  for (const member of Object.values(value)) deepFreeze(member)
}

describeOnEveryStorage('the stages of a write', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let tableId: string
  let recordIds: readonly string[]

  beforeAll(async () => {
    const fields = [
      { name: 'Name', type: 'singleLineText' },
      { name: 'Kind', type: 'singleSelect', options: { choices: [] } },
      { name: 'Files', type: 'attachment' },
      { name: 'Done', type: 'checkbox', options: { defaultValue: true } },
    ]
    const table = await world.makeTable('Tasks', fields, [{ Name: 'a' }, { Name: 'b' }])
    tableId = table.id
    recordIds = table.recordIds
    await world.addField(table, {
      name: 'Parts',
      type: 'link',
      options: { foreignTableId: tableId, relationship: 'manyMany' },
    })
    await world.addField(table, {
      name: 'Label',
      type: 'formula',
      options: { expression: '{Name} & {Kind}' },
    })
    const { spaceId } = world.ada
    const file = {
      token: 'token1',
      path: 'a/b',
      size: 1,
      mimetype: 'text/plain',
      width: null,
      height: null,
    }
    const by = { createdBy: world.ada.userId, createdTime: now(), attachedTime: null }
    await world.engine.store.write((tx) => tx.attachments.insert({ ...file, spaceId, ...by }))
    const { id } = await world.fieldOf(table, 'Name')
    await world.addField(table, {
      name: 'Renamed',
      type: 'lastModifiedTime',
      options: { trackedFieldIds: [id] },
    })
  })

  const now = () => new Date(world.clock.now()).toISOString()

  const options: RowOptions = {
    ...{ fieldKeyType: 'name', typecast: true, pathOf: (row) => ['records', row] },
  }

  /** Runs the work in a transaction that writes to the table. */
  function writing<T>(work: (context: RecordsContext) => Promise<T>): Promise<T> {
    const { userId } = world.ada
    return world.engine.store.write(async (tx) => {
      const access = await tx.access.findTable(tableId, userId, 'update')
      if (!access) throw new Error('the table is there')
      const actor = { kind: 'user', userId } as never
      const of = { tx, userId, now: now(), publicUrl: undefined, actor, ids: new CountingIds() }
      return work({ ...access, ...of })
    })
  }

  /** Runs the stages one by one: none can change what another one has returned. */
  function runStages(
    strategyOf: (context: RecordsContext) => Promise<WriteStrategy>,
    ...sent: RecordInput['fields'][]
  ) {
    return writing(async (context) => {
      const write: RecordWrite = {
        context,
        graph: new SchemaGraph(context.tx, 'share'),
        options,
        strategy: await strategyOf(context),
        budget: new StepBudget(1_000_000),
      }
      const read = frozen(
        await readRows(
          write,
          sent.map((fields) => ({ fields })),
        ),
      )
      const resolved = frozen(await resolveRows(write, read))
      const checked = frozen(await checkRows(write, resolved))
      const computed = frozen(await computeRecords(write, checked))
      const stored = frozen(await storeRecords(write, computed))
      const { schema, records } = await followWrite(write, stored)
      return records.map(({ cells }) =>
        Object.fromEntries(
          schema.columns.map(({ field, column }) => [field.name, cells[column.index]]),
        ),
      )
    })
  }
  const sent = () => ({
    Kind: 'new',
    Files: [{ id: 'act1', name: 'a.txt', token: 'token1' }],
    Parts: recordIds.map((id) => ({ id })),
  })

  test('no stage of a creation changes what the stages before have returned', async () => {
    const [made, empty] = await runStages(async () => creation, { Name: 'c', ...sent() }, {})
    expect(made).toMatchObject({
      Name: 'c',
      Kind: 'new',
      Files: [{ path: 'a/b', size: 1 }],
      Parts: recordIds.map((id, index) => ({ id, title: 'ab'[index] })),
      Done: true,
      Label: 'cnew',
      Renamed: null,
    })
    expect(empty).toMatchObject({ Name: null, Files: null, Parts: null, Done: true, Label: null })
  })

  test('no stage of a change changes what the stages before have returned', async () => {
    const change = async (context: RecordsContext) =>
      new Change(await lockRecords(context, recordIds))
    const [changed, renamed] = await runStages(change, { Name: 'a', ...sent() }, { Name: 'B' })
    expect(changed).toMatchObject({
      Name: 'a',
      Kind: 'new',
      Files: [{ path: 'a/b' }],
      Parts: recordIds.map((id) => ({ id })),
      Label: 'anew',
      Renamed: null,
    })
    expect(renamed).toMatchObject({ Name: 'B', Kind: null, Label: 'B', Renamed: now() })
  })

  test('records are told with all that is computed of them, before any is stored', async () => {
    const told: unknown[] = []
    const written = await writing((context) =>
      writeRecords(context, creation, [{ fields: { Name: 'c', Kind: 'new' } }], {
        ...options,
        onComputed: async (schema, records) => {
          const ids = records.map(({ id }) => id)
          const { records: found } = await context.tx.records.findAll(schema, ids, 'none')
          told.push(found, ids, records[0]?.cells)
        },
      }),
    )
    expect(told).toEqual([[], written.records.map(({ id }) => id), written.records[0]?.cells])
  })

  test('records that bring their own ids and times are written by a strategy of their own', async () => {
    const kept = { id: 'recKept', createdTime: '2020-01-02T03:04:05.006Z' }
    const keeping: WriteStrategy = {
      ...creation,
      prepare: async (write, checked) => {
        const { records, ...prepared } = await creation.prepare(write, checked)
        return { ...prepared, records: records.map((record) => ({ ...record, ...kept })) }
      },
      store: (write, computed, isLast) => {
        const context = { ...write.context, now: kept.createdTime }
        return creation.store({ ...write, context }, computed, isLast)
      },
    }
    await runStages(async () => keeping, { Name: 'd', Parts: [{ id: recordIds[0] }] })
    const { api } = world
    expect(await api.records.getRecord({ tableId, recordId: kept.id })).toMatchObject({
      ...kept,
      fields: { Name: 'd', Label: 'd', Parts: [{ id: recordIds[0] }] },
    })
  })
})
