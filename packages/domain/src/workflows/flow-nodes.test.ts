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

const hidden = { code: 'not_found' }

describeOnEveryStorage('actions and logic', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let workflows: TableWorld['api']['workflows']
  let baseId: string
  let table: TestTable
  let workflowId: string
  let triggerId: string

  beforeAll(async () => {
    baseId = world.baseId
    workflows = world.api.workflows
    table = await world.makeNames('Books')
  })
  beforeEach(async () => {
    workflowId = (await workflows.createWorkflow({ baseId })).id
    triggerId = (await workflows.setTrigger({ ...one(), type: 'webhook' })).id
  })

  const one = () => ({ baseId, workflowId })
  const get = () => workflows.getWorkflow(one())
  const types = async () => (await get()).nodes.map(({ type }) => type)
  const act = async (parentNodeId: string, more: object = {}) =>
    workflows.addAction({ ...one(), type: 'script', parentNodeId, ...more })
  const decide = async (parentNodeId: string, config?: object) =>
    workflows.addLogic({ ...one(), type: 'condition', parentNodeId, config } as Parameters<
      typeof workflows.addLogic
    >[0])
  const repeat = (parentNodeId: string) =>
    workflows.addLogic({ ...one(), type: 'Repeat', parentNodeId })
  const activate = () => workflows.setWorkflowActive({ ...one(), method: 'activate' })

  test('[FLOW-20] adds what follows a node right behind it, and nothing behind a condition itself', async () => {
    const { logic, controls } = await decide(triggerId)
    const unknown = { code: 'not_found', data: { issues: [{ path: ['parentNodeId'] }] } }
    await world.expectNoTrace(() => act('wacX'), unknown)
    const refusal = invalidAt('parentNodeId')
    await world.expectNoTrace(() => act(logic.id), refusal)
    await world.expectNoTrace(() => decide(logic.id), refusal)
    const other = await workflows.createWorkflow({ baseId, trigger: { type: 'webhook' } })
    await world.expectNoTrace(() => act(other.nodes[0]?.id ?? ''), unknown)
    const branch = controls[0]?.id ?? ''
    const last = await act(branch, { name: 'Last' })
    const first = await act(branch, { name: 'First' })
    const { nodes, edges } = await get()
    expect(nodes.map(({ id }) => id)).toEqual([
      ...[triggerId, logic.id, branch, first.id, last.id, controls[1]?.id],
    ])
    expect(edges).toContainEqual({ source: last.id, target: controls[1]?.id })
  })

  test('[FLOW-21] [FLOW-22] shows branches and ends as nodes, and leads all branches to the end', async () => {
    const branches = [{ name: 'Yes', conditions: [{ left: 'a', operator: 'is', right: 1 }] }, {}]
    const { logic, controls } = await decide(triggerId, { branches })
    expect(controls.map(({ type }) => type)).toEqual([
      ...['conditionBranch', 'conditionBranch', 'conditionEnd'],
    ])
    const [yes = '', no = '', end = ''] = controls.map(({ id }) => id)
    expect(logic).toMatchObject({
      ...{ category: 'logic', type: 'condition', id: expect.stringMatching(/^wlo/) },
      config: { branches: [{ ...branches[0], id: yes }, { id: no }] },
    })
    const { logic: each } = await repeat(no)
    const inside = await act(each.id)
    expect((await get()).edges.filter(({ target }) => target === end)).toEqual([
      { source: yes, target: end },
      { source: expect.any(String), target: end },
    ])
    expect(await types()).toEqual([
      ...['webhook', 'condition', 'conditionBranch', 'conditionBranch', 'Repeat', 'script'],
      ...['repeatEnd', 'conditionEnd'],
    ])
    expect(inside.category).toBe('action')
    const change = (sent: readonly object[]) =>
      workflows.updateLogic({ ...one(), logicId: logic.id, config: { branches: sent } })
    await world.expectNoTrace(() => change([{ id: yes }]), invalidAt('config', 'branches'))
    const twice = [{ id: no }, { id: no }]
    await world.expectNoTrace(() => change(twice), invalidAt('config', 'branches', 1, 'id'))
    const foreign = [{ id: no }, { id: triggerId }]
    await world.expectNoTrace(() => change(foreign), invalidAt('config', 'branches', 1, 'id'))
    const changed = await change([{ id: no, name: 'Only' }, { name: 'New' }])
    const ids = (changed.config.branches as { id: string }[]).map(({ id }) => id)
    expect(ids).toEqual([no, expect.stringMatching(/^wco/)])
    expect((await get()).nodes.map(({ id }) => id)).not.toContain(yes)
    // Without any word of branches, those that are there stay.
    const named = await workflows.updateLogic({ ...one(), logicId: logic.id, name: 'Long?' })
    expect(named).toMatchObject({ name: 'Long?', config: changed.config })
  })

  test('[FLOW-23] takes nodes out with all that is in them, and copies actions', async () => {
    const { logic, controls } = await decide(triggerId)
    const [branch = '', end = ''] = controls.map(({ id }) => id)
    const { logic: inner } = await repeat(branch)
    await act(inner.id)
    const after = await act(end, { name: 'After', config: { code: 'go()' } })
    const copy = await workflows.duplicateAction({ ...one(), actionId: after.id })
    expect(copy).toMatchObject({ name: 'After', config: { code: 'go()' } })
    expect((await get()).edges).toContainEqual({ source: after.id, target: copy.id })
    await workflows.deleteLogic({ ...one(), logicId: logic.id })
    const { nodes, edges } = await get()
    expect(nodes.map(({ id }) => id)).toEqual([triggerId, after.id, copy.id])
    expect(edges[0]).toEqual({ source: triggerId, target: after.id })
    await workflows.deleteAction({ ...one(), actionId: after.id })
    expect((await get()).edges).toEqual([{ source: triggerId, target: copy.id }])
    const next = await workflows.setTrigger({ ...one(), type: 'recordCreated' })
    expect((await get()).edges).toEqual([{ source: next.id, target: copy.id }])
  })

  test('[FLOW-24] has so many nodes, and a condition so many branches', async () => {
    await withLimits({ nodesPerWorkflow: 4 }, async () => {
      await act(triggerId)
      await world.expectNoTrace(() => decide(triggerId), { code: 'validation_error' })
      await repeat(triggerId)
      await world.expectNoTrace(() => act(triggerId), { code: 'validation_error' })
    })
    const many = { branches: Array(11).fill({}) }
    await world.expectNoTrace(() => decide(triggerId, many), invalidAt('config', 'branches'))
  })

  test('[FLOW-25] is read and changed by the routes of its category, in the draft alone', async () => {
    const { id: actionId } = await act(triggerId, { name: 'Run', config: { code: 'go()' } })
    const { logic } = await repeat(triggerId)
    await workflows.updateLogic({ ...one(), logicId: logic.id, config: { items: 'all' } })
    const { nodes } = await get()
    expect(await workflows.getTrigger({ ...one(), triggerId })).toMatchObject(nodes[0] ?? {})
    expect(await workflows.getAction({ ...one(), actionId })).toMatchObject({ name: 'Run' })
    expect(await workflows.getLogic({ ...one(), logicId: logic.id })).toMatchObject(nodes[1] ?? {})
    for (const wrong of [triggerId, logic.id, 'wacX']) {
      const named = { ...one(), actionId: wrong }
      await expect(workflows.getAction(named)).rejects.toMatchObject(hidden)
      await expect(workflows.deleteAction(named)).rejects.toMatchObject(hidden)
    }
    await expect(workflows.getTrigger({ ...one(), triggerId: actionId })).rejects.toMatchObject(
      hidden,
    )
    await expect(workflows.getLogic({ ...one(), logicId: actionId })).rejects.toMatchObject(hidden)
    const other = await workflows.createWorkflow({ baseId })
    const elsewhere = { baseId, workflowId: other.id, actionId }
    await expect(workflows.getAction(elsewhere)).rejects.toMatchObject(hidden)
    await activate()
    const update = (change: object) => workflows.updateAction({ ...one(), actionId, ...change })
    expect(await update({ description: 'Long' })).toMatchObject({
      ...{ name: 'Run', description: 'Long', config: { code: 'go()' } },
    })
    const inputs = [{ name: 'a', value: '' }]
    const replaced = await update({ config: { inputs }, description: null })
    expect(replaced.config).toEqual({ inputs })
    expect(replaced).not.toHaveProperty('description')
    await world.expectNoTrace(() => update({ config: { codes: 1 } }), invalidAt('config'))
    expect(await world.heard(() => update({}))).toEqual([])
    const renamed = workflows.updateTrigger({ ...one(), triggerId, name: 'Call' })
    expect(await renamed).toMatchObject({ name: 'Call' })
    const snapshot = await workflows.getActiveSnapshot(one())
    expect(snapshot.nodes).toEqual(nodes)
    expect(snapshot.hasDraft).toBe(true)
  })

  test('[FLOW-15] refuses what no type of action or logic takes', async () => {
    const refused = (type: string, config: unknown, ...path: readonly (string | number)[]) =>
      world.expectNoTrace(() => act(triggerId, { type, config }), invalidAt(...path))
    await refused('sing', {}, 'type')
    await refused('sendEmail', { to: [] }, 'config', 'to')
    await refused('sendEmail', { to: Array(51).fill('a@b.c') }, 'config', 'to')
    await refused('sendEmail', { subject: '' }, 'config', 'subject')
    await refused('sendEmail', { subject: 'x'.repeat(10_001) }, 'config', 'subject')
    await refused('sendEmail', { attachments: [] }, 'config')
    await refused('createRecord', { fields: { fldX: { a: 1 } } }, 'config', 'fields', 'fldX')
    await refused(
      'createRecord',
      { fields: { fldX: Array(101).fill(1) } },
      'config',
      'fields',
      'fldX',
    )
    const many = Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`fld${n}`, 1]))
    await refused('createRecord', { fields: many }, 'config', 'fields')
    await refused('getRecords', { take: 1_001 }, 'config', 'take')
    await refused('httpRequest', { method: 'TRACE' }, 'config', 'method')
    await refused('httpRequest', { timeoutSeconds: 61 }, 'config', 'timeoutSeconds')
    await refused('script', { code: 'x'.repeat(50_001) }, 'config', 'code')
    const circle: Record<string, unknown> = { conjunction: 'and' }
    circle.filterSet = [{ fieldId: 'a', operator: 'is', value: circle }]
    await refused('getRecords', { filter: circle }, 'config')
    const wrong = { branches: [{ conditions: [{ left: 'a', operator: 'like' }] }] }
    const path = ['config', 'branches', 0, 'conditions', 0, 'operator'] as const
    await world.expectNoTrace(() => decide(triggerId, wrong), invalidAt(...path))
    const long = { branches: [{ conditions: Array(21).fill({ left: 'a', operator: 'isEmpty' }) }] }
    await world.expectNoTrace(() => decide(triggerId, long), invalidAt(...path.slice(0, 4)))
  })

  test('[FLOW-16] activates every type of action and logic that has all that it takes', async () => {
    const { id: tableId, primaryId } = table
    const fields = { [primaryId]: 'Emma' }
    const item = { fieldId: primaryId, operator: 'is', value: 'Emma' }
    const whole: readonly (readonly [string, Record<string, unknown>, readonly string[]])[] = [
      ['sendEmail', { to: ['a@b.c'], subject: 'Hi', body: '' }, ['to']],
      ['createRecord', { tableId, fields }, ['tableId']],
      ['updateRecord', { tableId, recordId: '{{x}}', fields }, ['tableId']],
      ['getRecords', { tableId, filter: { conjunction: 'or', filterSet: [item] } }, ['tableId']],
      ['httpRequest', { method: 'POST', url: 'https://a.example' }, ['method']],
      ['aiGenerate', { prompt: 'Why?' }, ['prompt']],
      ['script', { code: 'go()' }, ['code']],
    ]
    for (const [type, config, path] of whole) {
      const { id: actionId } = await act(triggerId, { type })
      const refusal = {
        data: {
          issues: expect.arrayContaining([
            { path: ['nodes', 1, 'config', ...path], message: expect.any(String) },
          ]),
        },
      }
      await expect(activate()).rejects.toMatchObject(refusal)
      await workflows.updateAction({ ...one(), actionId, config })
      await activate()
    }
    const { logic } = await repeat(triggerId)
    await expect(activate()).rejects.toMatchObject(invalidAt('nodes', 1, 'config', 'items'))
    await workflows.updateLogic({ ...one(), logicId: logic.id, config: { items: 'all' } })
    await decide(triggerId)
    await activate()
    const unknown = { tableId, fields: { fldX: 1 } }
    await act(triggerId, { type: 'createRecord', config: unknown })
    await expect(activate()).rejects.toMatchObject(invalidAt('nodes', 1, 'config', 'fields'))
    const sort = [{ fieldId: 'fldX', order: 'asc' }]
    await act(triggerId, { type: 'getRecords', config: { tableId, sort } })
    await expect(activate()).rejects.toMatchObject({
      data: {
        issues: [
          { path: ['nodes', 1, 'config', 'sort'] },
          { path: ['nodes', 2, 'config', 'fields'] },
        ],
      },
    })
  })

  test('[FLOW-26] makes a token and a secret of a webhook, shown once and in force with the draft', async () => {
    const generate = (id = triggerId) => workflows.generateWebhookToken({ ...one(), triggerId: id })
    const has = async () => (await workflows.getTrigger({ ...one(), triggerId })).hasToken
    await activate()
    expect(await has()).toBe(false)
    const first = await generate()
    const second = await generate()
    expect(new Set([...Object.values(first), ...Object.values(second)]).size).toBe(4)
    expect(await has()).toBe(true)
    const snapshot = () => workflows.getActiveSnapshot(one())
    expect((await snapshot()).nodes[0]?.hasToken).toBe(false)
    await activate()
    expect((await snapshot()).nodes[0]?.hasToken).toBe(true)
    await workflows.setTrigger({ ...one(), type: 'webhook', name: 'Again' })
    expect(await has()).toBe(true)
    const stored = JSON.stringify(
      await world.engine.store.read((tx) => tx.workflows.find(workflowId)),
    )
    for (const text of Object.values(second)) expect(stored).not.toContain(text)
    const copy = await workflows.duplicateWorkflow(one())
    expect(copy.nodes[0]?.hasToken).toBe(false)
    const { id: other } = await workflows.setTrigger({ ...one(), type: 'recordCreated' })
    await world.expectNoTrace(() => generate(other), invalidAt('triggerId'))
    await expect(generate('wtrX')).rejects.toMatchObject(hidden)
  })

  test('[FLOW-5] [FLOW-7] names the nodes of a copy by their new ids, in templates too', async () => {
    const code = `use("${triggerId}", "${table.id}")`
    const { id: actionId } = await act(triggerId, { config: { code } })
    await decide(actionId)
    const copy = await workflows.duplicateWorkflow(one())
    const [trigger, action, condition, branch] = copy.nodes
    expect(action?.config).toEqual({ code: `use("${trigger?.id}", "${table.id}")` })
    expect(condition?.config).toMatchObject({ branches: [{ id: branch?.id }] })
    const ids = new Set((await get()).nodes.map(({ id }) => id))
    expect(copy.nodes.filter(({ id }) => ids.has(id))).toEqual([])
    const spaceId = world.ada.spaceId
    const twin = await world.api.bases.duplicateBase({ fromBaseId: baseId, spaceId })
    const listed = await workflows.listWorkflows({ baseId: twin.id })
    const last = listed.at(-1)?.id ?? ''
    const [copied] = await world.api.tables.listTables({ baseId: twin.id })
    const shown = await workflows.getWorkflow({ baseId: twin.id, workflowId: last })
    const [first, second] = shown.nodes
    expect(second?.config).toEqual({ code: `use("${first?.id}", "${copied?.id}")` })
  })

  test('[FLOW-7] names the copies of records where these come along, else no record to change', async () => {
    const [recordId = ''] = await world.add(table, {})
    const { id: fieldId } = await world.addField(table, { type: 'singleLineText', name: 'Note' })
    const config = { tableId: table.id, recordId, fields: { [fieldId]: `of\n${recordId}` } }
    await act(triggerId, { type: 'updateRecord', config })
    const copyOf = async (withRecords: boolean) => {
      const { id } = await world.api.bases.duplicateBase({
        ...{ fromBaseId: baseId, spaceId: world.ada.spaceId, withRecords },
      })
      const listed = await workflows.listWorkflows({ baseId: id })
      const workflowId = listed.at(-1)?.id ?? ''
      const { nodes } = await workflows.getWorkflow({ baseId: id, workflowId })
      const tables = await world.api.tables.listTables({ baseId: id })
      const tableId = tables.find(({ name }) => name === 'Books')?.id ?? ''
      const { records } = await world.api.records.listRecords({ tableId, take: 2_000 })
      return { config: nodes[1]?.config ?? {}, tableId, records: records.map((one) => one.id) }
    }
    const whole = await copyOf(true)
    const copied = String(whole.config.recordId)
    expect(copied).not.toBe(recordId)
    expect(whole.records).toContain(copied)
    expect(Object.values(whole.config.fields as object)).toEqual([`of\n${copied}`])
    const empty = await copyOf(false)
    expect(empty.config).toMatchObject({ tableId: empty.tableId })
    expect(empty.config).not.toHaveProperty('recordId')
  })
})
