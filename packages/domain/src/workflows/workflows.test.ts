import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Action } from '../access/roles.ts'
import { Plans } from '../billing/plans.ts'

const hidden = { code: 'not_found' }

describeOnEveryStorage('workflows', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage, { plans }))
  let api: TableWorld['api']
  let baseId: string
  let table: TestTable

  const plans = new Plans()

  beforeAll(async () => {
    api = world.api
  })
  beforeEach(async () => {
    baseId = (await api.bases.createBase({ spaceId: world.ada.spaceId })).id
    table = await world.makeTable('Books', [{ type: 'singleLineText', name: 'Name' }], [], baseId)
  })

  const onCreation = () => ({ type: 'recordCreated', config: { tableId: table.id } }) as const
  const create = (more: object = {}) => api.workflows.createWorkflow({ baseId, ...more })
  const get = (workflowId: string) => api.workflows.getWorkflow({ baseId, workflowId })
  const set = (workflowId: string, method: 'activate' | 'deactivate' | 'discard') =>
    api.workflows.setWorkflowActive({ baseId, workflowId, method })
  const snapshot = (workflowId: string) => api.workflows.getActiveSnapshot({ baseId, workflowId })
  const update = (workflowId: string, change: object) =>
    api.workflows.updateWorkflow({ baseId, workflowId, ...change })
  const names = async () =>
    (await api.workflows.listWorkflows({ baseId })).map(({ name }) => name ?? '')
  const inTree = async () =>
    (await api.tree.listNodes({ baseId })).map(({ resourceMeta }) => resourceMeta)

  test('[FLOW-1] [FLOW-3] names workflows, and lists them in the order of their nodes', async () => {
    expect(await create()).toMatchObject({ name: 'Workflow', nodes: [], edges: [], version: 1 })
    expect(await create()).toMatchObject({ name: 'Workflow 2' })
    const sent = { name: 'Greet', description: 'Says hello', trigger: onCreation() }
    const made = await create(sent)
    expect(made).toMatchObject({
      ...{ name: 'Greet', description: 'Says hello', baseId, hasDraft: true, isActive: false },
      ...{ createdBy: world.ada.userId, edges: [] },
      nodes: [{ ...onCreation(), category: 'trigger', id: expect.stringMatching(/^wtr/) }],
    })
    expect(await get(made.id)).toEqual(made)
    await create({ name: 'Greet' })
    expect(await names()).toEqual(['Workflow', 'Workflow 2', 'Greet', 'Greet'])
    const listed = (await api.workflows.listWorkflows({ baseId }))[2]
    expect(listed?.nodes[0]).not.toHaveProperty('config')
    expect(listed).toMatchObject({ id: made.id, nodes: [{ type: 'recordCreated' }] })
    const [first, ...more] = await api.workflows.listWorkflows({ baseId, onlyFirst: true })
    expect([first?.name, more]).toEqual(['Workflow', []])
    const empty = (await api.bases.createBase({ spaceId: world.ada.spaceId })).id
    expect(await api.workflows.listWorkflows({ baseId: empty, onlyFirst: true })).toEqual([])
  })

  test('[FLOW-4] moves a workflow beside another one, and beside nothing else', async () => {
    const [a, b] = [await create({ name: 'A' }), await create({ name: 'B' })]
    const folder = await api.tree.createNode({ baseId, resourceType: 'folder', name: 'In' })
    const c = await api.tree.createNode({
      ...{ baseId, resourceType: 'workflow', name: 'C', parentId: folder.id },
    })
    const move = (workflowId: string, anchorId: string, position: 'before' | 'after') =>
      api.workflows.moveWorkflow({ baseId, workflowId, anchorId, position })
    for (const anchor of [table.id, folder.id, 'wfl0', a.id.slice(1)]) {
      await expect(move(a.id, anchor, 'after')).rejects.toMatchObject(hidden)
    }
    await expect(move(a.id, a.id, 'after')).rejects.toMatchObject(invalidAt('anchorId'))
    await move(b.id, a.id, 'before')
    expect(await names()).toEqual(['B', 'A', 'C'])
    await move(b.id, c.id, 'after')
    const node = await api.tree.getNode({ baseId, nodeId: b.id })
    expect(node.parentId).toBe(folder.id)
  })

  test('[FLOW-5] copies the draft under other ids, right after the original', async () => {
    const made = await create({ name: 'Greet', description: 'Hi', trigger: onCreation() })
    await set(made.id, 'activate')
    await create({ name: 'Last' })
    const copy = await api.workflows.duplicateWorkflow({ baseId, workflowId: made.id })
    expect(copy).toMatchObject({ name: 'Greet 2', description: 'Hi', isActive: false })
    expect(copy).toMatchObject({ hasDraft: true, nodes: [onCreation()] })
    expect(copy.nodes[0]?.id).not.toBe(made.nodes[0]?.id)
    expect(copy).not.toHaveProperty('activeUser')
    await expect(snapshot(copy.id)).rejects.toMatchObject(hidden)
    expect(await names()).toEqual(['Greet', 'Greet 2', 'Last'])
  })

  test('[FLOW-6] brings back draft and snapshot, until it is purged or deleted for good', async () => {
    const made = await create({ name: 'Greet', trigger: onCreation() })
    const workflowId = made.id
    await set(workflowId, 'activate')
    await update(workflowId, { trigger: { type: 'webhook' } })
    const before = [await get(workflowId), await snapshot(workflowId)]
    const remove = async () => {
      await api.workflows.deleteWorkflow({ baseId, workflowId })
      const ofBase = { resourceId: baseId, resourceType: 'base' } as const
      return (await api.trash.listTrashItems(ofBase)).trashItems[0]?.id ?? ''
    }
    const trashId = await remove()
    await expect(get(workflowId)).rejects.toMatchObject(hidden)
    await expect(snapshot(workflowId)).rejects.toMatchObject(hidden)
    await expect(update(workflowId, { name: 'X' })).rejects.toMatchObject(hidden)
    expect(await names()).toEqual([])
    await api.trash.restoreTrash({ trashId })
    expect([await get(workflowId), await snapshot(workflowId)]).toEqual(before)
    await api.trash.purgeTrashEntry({ trashId: await remove() })
    await world.finishJobs()
    expect(await names()).toEqual([])
    const { problems } = await api.bases.verifyBase({ baseId })
    expect(problems).toEqual([])
    const forGood = (id: string) =>
      api.workflows.deleteWorkflowPermanently({ baseId, workflowId: id })
    await expect(forGood(workflowId)).rejects.toMatchObject(hidden)
    const living = await create()
    await forGood(living.id)
    const trashed = await create()
    await api.workflows.deleteWorkflow({ baseId, workflowId: trashed.id })
    const other = (await api.bases.createBase({ spaceId: world.ada.spaceId })).id
    const elsewhere = { baseId: other, workflowId: trashed.id }
    const wrong = api.workflows.deleteWorkflowPermanently(elsewhere)
    await expect(wrong).rejects.toMatchObject(hidden)
    await forGood(trashed.id)
    const trash = { resourceId: baseId, resourceType: 'base' } as const
    expect((await api.trash.listTrashItems(trash)).trashItems).toEqual([])
    expect((await inTree()).map(({ name }) => name)).toEqual(['Books'])
  })

  test('[FLOW-7] is copied with its base, names the copies there, and is not active', async () => {
    const button = await world.addField(table, { type: 'button', name: 'Go' })
    const config = { tableId: table.id, fieldId: button.id }
    const made = await create({ name: 'Greet', trigger: { type: 'buttonClick', config } })
    await set(made.id, 'activate')
    const options = { workflow: { id: made.id, name: 'Greet' } }
    await world.addField(table, { type: 'button', name: 'Start', options })
    const copy = await api.bases.duplicateBase({ fromBaseId: baseId, spaceId: world.ada.spaceId })
    const [listed] = await api.workflows.listWorkflows({ baseId: copy.id })
    const workflowId = listed?.id ?? ''
    const copied = await api.workflows.getWorkflow({ baseId: copy.id, workflowId })
    const [twin] = await api.tables.listTables({ baseId: copy.id })
    const field = await world.fieldOf({ id: twin?.id ?? '' }, 'Go')
    const starting = await world.fieldOf({ id: twin?.id ?? '' }, 'Start')
    expect(starting.options).toMatchObject({ workflow: { id: workflowId } })
    expect(JSON.stringify(starting.options)).not.toContain('Greet')
    expect(copied).toMatchObject({ name: 'Greet', isActive: false, hasDraft: true })
    expect(copied.nodes).toMatchObject([{ config: { tableId: twin?.id, fieldId: field.id } }])
    expect(copied.nodes[0]?.id).not.toBe(made.nodes[0]?.id)
    await api.workflows.setWorkflowActive({ baseId: copy.id, workflowId, method: 'activate' })
    const none = { fromBaseId: baseId, spaceId: world.ada.spaceId, nodes: [table.id] }
    const part = await api.bases.duplicateBase(none)
    expect(await api.workflows.listWorkflows({ baseId: part.id })).toEqual([])
  })

  test('[FLOW-8] [FLOW-9] [FLOW-12] keeps a snapshot as it was, whatever is changed after it', async () => {
    const { id } = await create({ name: 'Greet', description: 'Hi', trigger: onCreation() })
    world.clock.advance(1_000)
    await set(id, 'activate')
    const first = await snapshot(id)
    const { userId, email } = world.ada
    expect(first).toMatchObject({
      ...{ id, baseId, name: 'Greet', description: 'Hi', hasDraft: false, isActive: true },
      ...{ lastModifiedBy: userId, nodes: [onCreation()] },
      activeUser: { id: userId, name: 'ada', email },
    })
    expect(first.activeUser?.avatar).toMatch(/^data:image/)
    expect(await get(id)).toMatchObject({ isActive: true, activeUser: { id: userId } })
    world.clock.advance(1_000)
    await update(id, { name: 'Renamed', description: null, trigger: { type: 'webhook' } })
    const then = await snapshot(id)
    expect(then).toEqual({ ...first, hasDraft: true, version: first.version + 1 })
    const now = await get(id)
    expect(now).toMatchObject({ name: 'Renamed', hasDraft: true, nodes: [{ type: 'webhook' }] })
    expect(now).not.toHaveProperty('description')
    await set(id, 'discard')
    expect(await get(id)).toMatchObject({ name: 'Renamed', hasDraft: false, nodes: first.nodes })
    expect(await snapshot(id)).toMatchObject({ name: 'Greet', hasDraft: false })
    await set(id, 'activate')
    const second = await snapshot(id)
    expect(second).toMatchObject({ name: 'Renamed', nodes: first.nodes })
    expect(second).not.toHaveProperty('description')
  })

  test('[FLOW-10] [FLOW-11] answers a snapshot while it is active, and discards to the last one', async () => {
    const { id } = await create({ trigger: onCreation() })
    const absent = { code: 'not_found', message: expect.stringContaining('activated') }
    await expect(snapshot(id)).rejects.toMatchObject(absent)
    await expect(set(id, 'discard')).rejects.toMatchObject(invalidAt('method'))
    await set(id, 'activate')
    await set(id, 'deactivate')
    await expect(snapshot(id)).rejects.toMatchObject(absent)
    expect(await get(id)).toMatchObject({ isActive: false, hasDraft: false })
    await update(id, { trigger: { type: 'webhook' } })
    await set(id, 'discard')
    expect(await get(id)).toMatchObject({ hasDraft: false, nodes: [onCreation()] })
    await set(id, 'activate')
    expect(await snapshot(id)).toMatchObject({ nodes: [onCreation()] })
  })

  test('[FLOW-13] counts and tells of what changed, and of nothing else', async () => {
    const { id: workflowId } = await create({ name: 'Greet', trigger: onCreation() })
    const quiet = async (call: () => Promise<unknown>) => {
      const before = await get(workflowId)
      expect(await world.heard(call)).toEqual([])
      expect(await get(workflowId)).toEqual(before)
    }
    await quiet(() => update(workflowId, {}))
    await quiet(() => update(workflowId, { name: ' Greet ', description: null }))
    await quiet(() => set(workflowId, 'deactivate'))
    const { userId } = world.ada
    const told = { name: 'workflow.updated', userId, baseId, workflowId }
    const ofNode = expect.objectContaining({ name: 'node.updated', resourceId: workflowId })
    expect(await world.heard(() => set(workflowId, 'activate'))).toEqual([ofNode, told])
    await quiet(() => set(workflowId, 'activate'))
    await quiet(() => set(workflowId, 'discard'))
    expect(await world.heard(() => update(workflowId, { description: 'Hi' }))).toEqual([told])
    const again = { trigger: { type: 'webhook' } }
    expect(await world.heard(() => update(workflowId, again))).toEqual([told])
    expect((await get(workflowId)).version).toBe(4)
  })

  test('[FLOW-19] activates none where the level of the space has no workflows', async () => {
    const { id } = await create({ trigger: onCreation() })
    await set(id, 'activate')
    await update(id, { trigger: { type: 'webhook' } })
    const { catalogue } = plans
    const baseProducts = catalogue.baseProducts.map((product) => ({
      ...product,
      limit: { ...product.limit, automationEnable: false },
    }))
    plans.replace({ ...catalogue, baseProducts })
    try {
      await expect(set(id, 'activate')).rejects.toMatchObject({ code: 'payment_required' })
      expect(await snapshot(id)).toMatchObject({ nodes: [onCreation()] })
    } finally {
      plans.replace(catalogue)
    }
  })

  test('[FLOW-18] tells no address to a token that may not read it, and is there for readers alone', async () => {
    const { id: workflowId } = await create({ name: 'Greet', trigger: onCreation() })
    await set(workflowId, 'activate')
    const as = (...scopes: readonly Action[]) => {
      const actor = { kind: 'token', userId: world.ada.userId, tokenId: 'acc1' } as const
      return world.engine.as({ ...actor, scopes: new Set(scopes) }).workflows
    }
    const one = { baseId, workflowId }
    const seen = await as('automation|read').getActiveSnapshot(one)
    expect(seen.activeUser).not.toHaveProperty('email')
    expect((await as('automation|read', 'user|email_read').getWorkflow(one)).activeUser).toEqual(
      expect.objectContaining({ email: world.ada.email }),
    )
    const restricted = { code: 'restricted_resource' }
    await expect(as('base|read').getWorkflow(one)).rejects.toMatchObject(restricted)
    await expect(as('automation|create').duplicateWorkflow(one)).rejects.toMatchObject(restricted)
    const [eve, bob] = [await world.newPerson('Eve'), await world.newPerson('Bob')]
    const collaborators = [{ principalId: bob.userId, principalType: 'user' as const }]
    await api.collaborators.addBaseCollaborators({ baseId, collaborators, role: 'editor' })
    await expect(eve.api.workflows.getActiveSnapshot(one)).rejects.toMatchObject(hidden)
    await bob.api.workflows.getActiveSnapshot(one)
    const change = { ...one, method: 'deactivate' } as const
    await expect(bob.api.workflows.setWorkflowActive(change)).rejects.toMatchObject(restricted)
    await api.workflows.deleteWorkflow(one)
    const forGood = bob.api.workflows.deleteWorkflowPermanently(one)
    await expect(forGood).rejects.toMatchObject(hidden)
  })
})
