import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { toTimestamp } from '../clock.ts'
import { renameInWorkflows } from './rename-in-workflows.ts'

describeOnEveryStorage('nodes of workflows', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let workflows: TableWorld['api']['workflows']
  let baseId: string
  let table: TestTable

  beforeAll(async () => {
    workflows = world.api.workflows
    table = await world.makeNames('Books')
  })

  let workflowId: string
  beforeEach(async () => {
    baseId = world.baseId
    workflowId = (await workflows.createWorkflow({ baseId })).id
  })

  const one = () => ({ baseId, workflowId })
  const get = () => workflows.getWorkflow(one())
  const set = (trigger: object) =>
    workflows.updateWorkflow({ ...one(), trigger } as Parameters<
      typeof workflows.updateWorkflow
    >[0])
  const activate = () => workflows.setWorkflowActive({ ...one(), method: 'activate' })

  test('[FLOW-14] has one trigger, which keeps its id as long as its type', async () => {
    await set({ type: 'webhook', name: 'Call', config: { method: 'GET' } })
    const [first] = (await get()).nodes
    expect(first).toMatchObject({ name: 'Call', config: { method: 'GET' } })
    expect(first).not.toHaveProperty('lastModifiedTime')
    await set({ type: 'webhook', description: 'Any' })
    const [second, ...none] = (await get()).nodes
    expect(none).toEqual([])
    expect(second).toMatchObject({ id: first?.id, description: 'Any', config: {} })
    expect(second).toHaveProperty('lastModifiedTime')
    expect(second).not.toHaveProperty('name')
    await set({ type: 'recordCreated' })
    const [third] = (await get()).nodes
    expect(third).toMatchObject({ type: 'recordCreated' })
    expect(third?.id).not.toBe(first?.id)
  })

  test.each([
    ['a type that there isn’t', { type: 'sunrise' }, ['type']],
    [
      'a member that the type doesn’t have',
      { type: 'recordCreated', config: { viewId: 'v' } },
      ['config'],
    ],
    [
      'a value of another kind',
      { type: 'recordCreated', config: { tableId: 7 } },
      ['config', 'tableId'],
    ],
    [
      'a filter of another form',
      {
        type: 'recordMatchesConditions',
        config: { filter: { conjunction: 'xor', filterSet: [] } },
      },
      ['config', 'filter', 'conjunction'],
    ],
    [
      'a time that is none',
      { type: 'scheduledTime', config: { startTime: 'soon' } },
      ['config', 'startTime'],
    ],
    [
      'a zone that there isn’t',
      { type: 'scheduledTime', config: { timeZone: 'Moon' } },
      ['config', 'timeZone'],
    ],
    [
      'more fields than a trigger watches',
      { type: 'recordUpdated', config: { watchFieldIds: Array(101).fill('f') } },
      ['config', 'watchFieldIds'],
    ],
    [
      'an interval without end',
      { type: 'scheduledTime', config: { interval: 1_001 } },
      ['config', 'interval'],
    ],
    [
      'more members than any type has',
      {
        type: 'webhook',
        config: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [n, n])),
      },
      ['config'],
    ],
    [
      'an interval of nothing',
      { type: 'scheduledTime', config: { interval: 0 } },
      ['config', 'interval'],
    ],
    ['no object', { type: 'webhook', config: [] }, ['config']],
  ])('[FLOW-15] refuses %s', async (_what, trigger, path) => {
    const refusal = invalidAt('trigger', ...path)
    await world.expectNoTrace(() => set(trigger), refusal)
    const made = { baseId, trigger } as Parameters<typeof workflows.createWorkflow>[0]
    await world.expectNoTrace(() => workflows.createWorkflow(made), refusal)
  })

  test('[FLOW-15] [FLOW-16] takes half a configuration, and refuses to activate it', async () => {
    const path = (...more: readonly (string | number)[]) => invalidAt('nodes', 0, 'config', ...more)
    const refused = (refusal: object) => world.expectNoTrace(activate, refusal)
    await refused(invalidAt('method'))
    await set({ type: 'recordCreated' })
    await refused(path('tableId'))
    await set({ type: 'recordCreated', config: { tableId: 'tblX' } })
    await refused(path('tableId'))
    const { id: tableId } = table
    const views = await world.api.views.listViews({ tableId })
    await set({ type: 'formSubmitted', config: { tableId, viewId: views[0]?.id } })
    await refused(path('viewId'))
    await set({ type: 'recordUpdated', config: { tableId, viewId: 'viwX' } })
    await refused(path('viewId'))
    await set({ type: 'recordUpdated', config: { tableId, watchFieldIds: [table.primaryId, 'x'] } })
    await refused(path('watchFieldIds', 1))
    await set({ type: 'buttonClick', config: { tableId, fieldId: table.primaryId } })
    await refused(path('fieldId'))
    const item = { fieldId: 'fldX', operator: 'isEmpty', value: null }
    const filter = { conjunction: 'and', filterSet: [item] }
    await set({ type: 'recordMatchesConditions', config: { tableId, filter } })
    await refused(path('filter'))
    await set({ type: 'scheduledTime', config: { interval: 2 } })
    await refused(path('unit'))
  })

  test('[FLOW-16] activates every type of trigger that has all that it takes', async () => {
    const { id: tableId, primaryId } = table
    const form = await world.api.views.createView({ tableId, type: 'form' })
    const button = await world.addField(table, { type: 'button', name: `Go ${workflowId}` })
    const item = { fieldId: primaryId, operator: 'is', value: 'Emma' }
    const whole: Readonly<Record<string, object>> = {
      recordCreated: { tableId },
      recordUpdated: { tableId, viewId: form.id, watchFieldIds: [primaryId] },
      recordCreatedOrUpdated: { tableId },
      recordMatchesConditions: { tableId, filter: { conjunction: 'and', filterSet: [item] } },
      buttonClick: { tableId, fieldId: button.id },
      formSubmitted: { tableId, viewId: form.id },
      scheduledTime: {
        ...{ unit: 'weeks', interval: 2, startTime: '2026-01-05T08:00:00Z' },
        timeZone: 'Europe/Berlin',
      },
      webhook: {},
    }
    for (const [type, config] of Object.entries(whole)) {
      await set({ type, config })
      await activate()
      const { nodes } = await workflows.getActiveSnapshot(one())
      expect(nodes).toMatchObject([{ type, config }])
    }
  })

  test('[FLOW-90] makes no workflow that is too long to be changed into', async () => {
    const item = { fieldId: 'x'.repeat(100), operator: 'isEmpty', value: null }
    const filter = { conjunction: 'and', filterSet: Array(20).fill(item) }
    const trigger = { type: 'recordMatchesConditions', config: { filter } } as const
    const create = () => workflows.createWorkflow({ baseId, trigger })
    const made = await create()
    await withLimits({ flowLength: 2_000 }, async () => {
      const refusal = { code: 'validation_error' }
      await world.expectNoTrace(create, refusal)
      const copy = () => workflows.duplicateWorkflow({ baseId, workflowId: made.id })
      await world.expectNoTrace(copy, refusal)
    })
  })

  test('[FLOW-91] names the first things that are wrong, however many there are', async () => {
    const ids = Array.from({ length: 60 }, (_, index) => `fldNone${index}`)
    const filterSet = ids.map((fieldId) => ({ fieldId, operator: 'isEmpty', value: null }))
    const filter = { conjunction: 'and', filterSet }
    await set({ type: 'recordMatchesConditions', config: { tableId: table.id, filter } })
    const refusal = await activate().catch((error) => error)
    expect(refusal).toMatchObject({ code: 'validation_error' })
    expect(refusal.data.issues).toHaveLength(20)
    expect(refusal.data.issues[0].message).toContain('"fldNone0"')
  })

  test('[FLOW-17] keeps so much of workflows, alone and together', async () => {
    const item = { fieldId: 'x'.repeat(100), operator: 'isEmpty', value: null }
    const long = (length: number) => ({
      type: 'recordMatchesConditions',
      config: { filter: { conjunction: 'and', filterSet: Array(length).fill(item) } },
    })
    const invalid = { code: 'validation_error' }
    await withLimits({ flowLength: 2_000 }, async () => {
      await set(long(5))
      await world.expectNoTrace(() => set(long(20)), invalid)
    })
    const spaceId = world.ada.spaceId
    baseId = (await world.api.bases.createBase({ spaceId })).id
    const first = (await workflows.createWorkflow({ baseId })).id
    workflowId = first
    await withLimits({ flowsLengthPerBase: 3_000 }, async () => {
      await expect(set(long(25))).rejects.toMatchObject(invalid)
      await set(long(15))
      await expect(workflows.duplicateWorkflow(one())).rejects.toMatchObject(invalid)
      await workflows.deleteWorkflow(one())
      workflowId = (await workflows.createWorkflow({ baseId })).id
      await set(long(15))
      const ofBase = { resourceId: baseId, resourceType: 'base' } as const
      const [entry] = (await world.api.trash.listTrashItems(ofBase)).trashItems
      const restored = world.api.trash.restoreTrash({ trashId: entry?.id ?? '' })
      await expect(restored).rejects.toMatchObject(invalid)
    })
    // What makes it shorter is taken, however long all are together.
    await withLimits({ flowsLengthPerBase: 1_000 }, () => set(long(10)))
    expect(await workflows.listWorkflows({ baseId })).toMatchObject([{ id: workflowId }])
  })

  test('[FLOW-110] filters of drafts follow choices that get other names, and snapshots stay', async () => {
    const choices = (open: string) => ({
      choices: [
        { id: 'one', name: open },
        { id: 'two', name: 'done' },
      ],
    })
    const name = `State ${workflowId}`
    const state = await world.addField(table, {
      ...{ type: 'singleSelect', name, options: choices('open') },
    })
    const rename = (open: string) =>
      world.convert(table, name, { type: 'singleSelect', options: choices(open) })
    const about = (value: string) => ({
      conjunction: 'and' as const,
      filterSet: [
        { fieldId: state.id, operator: 'is' as const, value },
        { fieldId: table.primaryId, operator: 'is' as const, value: 'open' },
      ],
    })
    const filtersOf = ({ nodes }: Pick<Awaited<ReturnType<typeof get>>, 'nodes'>) =>
      nodes.map(({ config }) => config.filter)
    const config = { tableId: table.id, filter: about('open') }
    await set({ type: 'recordMatchesConditions', config })
    const [{ id: parentNodeId } = { id: '' }] = (await get()).nodes
    await workflows.addAction({ ...one(), parentNodeId, type: 'getRecords', config })
    await activate()
    const { id: inTrash } = await workflows.duplicateWorkflow(one())
    await workflows.deleteWorkflow({ baseId, workflowId: inTrash })
    await rename('to do')
    expect(filtersOf(await get())).toEqual([about('to do'), about('to do')])
    expect(await get()).toMatchObject({ hasDraft: true })
    const snapshot = await workflows.getActiveSnapshot(one())
    expect(filtersOf(snapshot)).toEqual([about('open'), about('open')])
    const { trashItems } = await world.api.trash.listTrashItems({
      ...{ resourceId: baseId, resourceType: 'base' },
    })
    await world.api.trash.restoreTrash({ trashId: trashItems[0]?.id ?? '' })
    const copy = await workflows.getWorkflow({ baseId, workflowId: inTrash })
    expect(filtersOf(copy)).toEqual([about('to do'), about('to do')])
    // With the old name the draft is what was activated.
    await rename('open')
    expect(await get()).toMatchObject({ hasDraft: false })
    const { version } = await get()
    await rename('open')
    expect((await get()).version).toBe(version)
    await withLimits({ flowLength: 500 }, () =>
      expect(rename('o'.repeat(100))).rejects.toMatchObject({
        ...invalidAt('options'),
        message: expect.stringMatching(/The workflow ".*" has no room for the names/),
      }),
    )
  })

  test('[FLOW-125] values that drafts write follow choices that get other names, and snapshots stay', async () => {
    const choices = (open: string, done: string) => ({
      choices: [
        { id: 'one', name: open },
        { id: 'two', name: done },
      ],
    })
    const name = `States ${workflowId}`
    const type = 'multipleSelect' as const
    const states = await world.addField(table, { type, name, options: choices('open', 'done') })
    const written = (value: unknown) => ({ [table.primaryId]: 'open', [states.id]: value })
    await set({ type: 'recordCreated', config: { tableId: table.id } })
    let [{ id: parentNodeId } = { id: '' }] = (await get()).nodes
    for (const value of [['open', 'done'], 'open', 'open, done', null]) {
      const config = { tableId: table.id, fields: written(value) }
      const node = { ...one(), parentNodeId, type: 'createRecord' as const, config }
      parentNodeId = (await workflows.addAction(node)).id
    }
    await activate()
    const fieldsOf = ({ nodes }: Pick<Awaited<ReturnType<typeof get>>, 'nodes'>) =>
      nodes.slice(1).map(({ config }) => config.fields)
    const before = fieldsOf(await get())
    await world.convert(table, name, { type, options: choices('done', 'open') })
    expect(fieldsOf(await get())).toEqual(
      [['done', 'open'], 'done', 'open, done', null].map(written),
    )
    expect(fieldsOf(await workflows.getActiveSnapshot(one()))).toEqual(before)
    expect(await get()).toMatchObject({ hasDraft: true })
    await world.convert(table, name, { type, options: choices('open', 'done') })
    expect(await get()).toMatchObject({ hasDraft: false })
  })

  test('[FLOW-126] a workflow that comes back just then keeps what was changed in it since', async () => {
    const script = (code: string) => ({ type: 'script' as const, config: { code } })
    const about = (value: string) => ({
      conjunction: 'and' as const,
      filterSet: [{ fieldId: table.primaryId, operator: 'is' as const, value }],
    })
    const config = { tableId: table.id, filter: about('open') }
    await set({ type: 'recordMatchesConditions', config })
    await workflows.deleteWorkflow(one())
    const page = { after: '', most: 50 }
    const stale = await world.engine.store.read((tx) => tx.workflows.allIn(baseId, page))
    const { trashItems } = await world.api.trash.listTrashItems({
      ...{ resourceId: baseId, resourceType: 'base' },
    })
    await world.api.trash.restoreTrash({ trashId: trashItems[0]?.id ?? '' })
    const [{ id: parentNodeId } = { id: '' }] = (await get()).nodes
    await workflows.addAction({ ...one(), parentNodeId, ...script('later') })
    const rename = { inFilter: () => about('to do'), inValue: <T>(_: string, value: T) => value }
    await world.engine.store.write(async (tx) => {
      // As where it is brought back and changed once it was read.
      const repository = new Proxy(tx.workflows, {
        get: (target, name) => {
          if (name === 'allIn') return async () => stale
          return Reflect.get(target, name, target).bind(target)
        },
      })
      const between = new Proxy(tx, {
        get: (target, name) => {
          if (name === 'workflows') return repository
          const member = Reflect.get(target, name, target)
          return typeof member === 'function' ? member.bind(target) : member
        },
      })
      const now = toTimestamp(world.clock.now())
      const context = { tx: between, now, userId: world.ada.userId } as never
      await renameInWorkflows(context, baseId, rename)
    })
    expect((await get()).nodes).toMatchObject([
      { config: { filter: about('to do') } },
      script('later'),
    ])
  })
})
