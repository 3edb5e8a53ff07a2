import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openWorld, type Person, type World } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Action, actions } from '../access/roles.ts'
import { defaultSettings } from '../settings.ts'

const hidden = { code: 'not_found' }
const refused = { code: 'restricted_resource' }
const invalidIn = (...path: string[]) => ({
  code: 'validation_error',
  data: { issues: [{ path }] },
})

describeOnEveryStorage('nodes', (storage) => {
  let world: World
  let ada: Person
  let tree: Person['api']['tree']
  let baseId: string

  beforeEach(async () => {
    world = await openWorld(storage)
    ada = await world.newPerson('Ada')
    tree = ada.api.tree
    baseId = (await ada.api.bases.createBase({ spaceId: ada.spaceId })).id
  })
  afterEach(() => world.close())

  type Type = 'folder' | 'dashboard' | 'workflow'
  const create = (resourceType: Type, name: string, parentId: string | null = null) =>
    tree.createNode({ baseId, resourceType, name, parentId })

  const names = async () =>
    (await tree.listNodes({ baseId })).map(({ resourceMeta }) => resourceMeta.name)

  const byToken = (scopes: readonly Action[]) =>
    world.engine.as({
      kind: 'token',
      userId: ada.userId,
      tokenId: 'acc0000000000000000',
      scopes: new Set(scopes),
    }).tree

  test('[TREE-1] refuses types there are not, and names those there are', async () => {
    for (const resourceType of ['app', 'space', '', undefined]) {
      const input = { baseId, resourceType, name: 'x' } as never
      await expect(tree.createNode(input)).rejects.toMatchObject({
        ...invalidIn('resourceType'),
        message: expect.stringContaining('"folder", "table", "dashboard", "workflow"'),
      })
    }
  })

  test('[TREE-2] [TREE-8] creates nodes of every type, each last', async () => {
    const folder = await create('folder', ' Plans ')
    expect(folder).toEqual({
      id: expect.stringMatching(/^bno/),
      parentId: null,
      resourceId: expect.stringMatching(/^bnf/),
      order: 1,
      resourceType: 'folder',
      resourceMeta: { name: 'Plans' },
      defaultUrl: `/base/${baseId}`,
      parent: null,
      children: [],
      version: 1,
    })
    const dashboard = await create('dashboard', 'Charts', folder.id)
    expect(dashboard).toMatchObject({
      parentId: folder.id,
      parent: { id: folder.id },
      order: 2,
      resourceId: expect.stringMatching(/^dsh/),
      defaultUrl: `/base/${baseId}/dashboard/${dashboard.resourceId}`,
    })
    const workflow = await create('workflow', 'Mails')
    expect(workflow).toMatchObject({
      order: 3,
      resourceId: expect.stringMatching(/^wfl/),
      defaultUrl: `/base/${baseId}/automation/${workflow.resourceId}`,
    })
    await create('workflow', 'Notes', folder.id)
    const { children } = await tree.getNode({ baseId, nodeId: folder.id })
    expect(children.map(({ order }) => order)).toEqual([2, 4])
    expect(children[0]).toEqual({ id: dashboard.id, order: 2 })
  })

  test('[TREE-8] creates a table with what its own creation takes', async () => {
    const table = await tree.createNode({
      baseId,
      resourceType: 'table',
      name: 'Tasks',
      icon: '✅',
      fields: [{ type: 'singleLineText', name: 'Task' }],
      records: [{ fields: { Task: 'Write' } }],
    })
    const viewId = table.resourceMeta.defaultViewId
    expect(viewId).toMatch(/^viw/)
    expect(table).toMatchObject({
      resourceId: expect.stringMatching(/^tbl/),
      resourceMeta: { name: 'Tasks', icon: '✅' },
      defaultUrl: `/base/${baseId}/table/${table.resourceId}/${viewId}`,
    })
    const { records } = await ada.api.records.listRecords({ tableId: table.resourceId })
    expect(records.map(({ fields }) => fields)).toEqual([{ Task: 'Write' }])
  })

  test('[TREE-3] [TREE-10] refuses parents, and then makes no resource either', async () => {
    const dashboard = await create('dashboard', 'Charts')
    const other = await ada.api.bases.createBase({ spaceId: ada.spaceId })
    const foreign = await tree.createNode({
      baseId: other.id,
      resourceType: 'folder',
      name: 'Elsewhere',
    })
    for (const resourceType of ['table', 'folder'] as const) {
      const createIn = (parentId: string) =>
        tree.createNode({ baseId, resourceType, name: 'Refused', parentId })
      await expect(createIn(dashboard.id)).rejects.toMatchObject(invalidIn('parentId'))
      await expect(createIn(foreign.id)).rejects.toMatchObject(hidden)
      await expect(createIn('bnoNone')).rejects.toMatchObject(hidden)
    }
    expect(await ada.api.tables.listTables({ baseId })).toEqual([])
    expect(await names()).toEqual(['Charts'])
  })

  test('[TREE-27] takes the id of what a node stands for wherever it takes its own', async () => {
    const folder = await create('folder', 'Plans')
    const charts = await create('dashboard', 'Charts', folder.resourceId)
    const notes = await create('dashboard', 'Notes')
    expect(charts.parentId).toBe(folder.id)
    const byResource = { baseId, nodeId: charts.resourceId }
    expect(await tree.getNode(byResource)).toEqual(charts)
    expect(await tree.updateNode({ ...byResource, name: 'Bars' })).toMatchObject({ id: charts.id })
    await tree.moveNode({ ...byResource, anchorId: notes.resourceId })
    expect(await names()).toEqual(['Plans', 'Notes', 'Bars'])
    await tree.moveNode({ ...byResource, parentId: folder.resourceId })
    const copy = await tree.duplicateNode({ ...byResource, name: 'Copy' })
    expect(copy).toMatchObject({ parentId: folder.id })
    await expect(
      tree.moveNode({ baseId, nodeId: folder.id, parentId: folder.resourceId }),
    ).rejects.toMatchObject(invalidIn('parentId'))
    await expect(
      tree.moveNode({ ...byResource, parentId: notes.resourceId }),
    ).rejects.toMatchObject(invalidIn('parentId'))
    const inFolder = { baseId, folderId: folder.id }
    expect(await tree.renameFolder({ ...inFolder, name: 'Old' })).toMatchObject({
      id: folder.resourceId,
      name: 'Old',
    })
    await tree.renameFolder({ ...inFolder, name: 'Plans' })
    const second = await tree.createNode({ baseId, resourceType: 'folder', name: 'Gone' })
    await tree.deleteFolder({ baseId, folderId: second.id })
    await tree.deleteNode(byResource)
    await tree.deleteNodePermanently({ baseId, nodeId: copy.resourceId })
    expect(await names()).toEqual(['Plans', 'Notes'])
    await expect(tree.getNode(byResource)).rejects.toMatchObject(hidden)
    const other = await ada.api.bases.createBase({ spaceId: ada.spaceId })
    const elsewhere = { baseId: other.id, nodeId: notes.resourceId }
    await expect(tree.getNode(elsewhere)).rejects.toMatchObject(hidden)
  })

  test('[TREE-4] refuses a folder that is too deep, at creation and by a move', async () => {
    const outer = await create('folder', 'Outer')
    const inner = await create('folder', 'Inner', outer.id)
    const loose = await create('folder', 'Loose')
    await create('dashboard', 'Deep', inner.id)
    await expect(create('folder', 'Deeper', inner.id)).rejects.toMatchObject(invalidIn('parentId'))
    const move = (nodeId: string, to: object) => tree.moveNode({ baseId, nodeId, ...to })
    const refusal = invalidIn('parentId')
    await expect(move(loose.id, { parentId: inner.id })).rejects.toMatchObject(refusal)
    await expect(move(outer.id, { parentId: loose.id })).rejects.toMatchObject(refusal)
    const nested = await create('folder', 'Nested', loose.id)
    const beside = { anchorId: inner.id }
    await expect(move(loose.id, beside)).rejects.toMatchObject(invalidIn('anchorId'))
    await move(nested.id, beside)
    await move(nested.id, { anchorId: inner.id, position: 'before' })
  })

  test('[TREE-4] [TREE-12] takes the depth from the settings', async () => {
    for (const maxFolderDepth of [0, 1, 3]) {
      const set = await openWorld(storage, { settings: { ...defaultSettings, maxFolderDepth } })
      const { api, spaceId } = await set.newPerson('Ada')
      const { id: baseId } = await api.bases.createBase({ spaceId })
      let parentId: string | null = null
      for (let depth = 1; depth <= maxFolderDepth; depth++) {
        const name = `Level ${depth}`
        const made: { id: string } = await api.tree.createNode({
          baseId,
          resourceType: 'folder',
          name,
          parentId,
        })
        parentId = made.id
      }
      const tooDeep = { baseId, resourceType: 'folder', name: 'Deep', parentId } as const
      await expect(api.tree.createNode(tooDeep)).rejects.toMatchObject(invalidIn('parentId'))
      const answer = await api.tree.getTree({ baseId })
      expect(answer).toMatchObject({ maxFolderDepth })
      expect(answer.nodes).toHaveLength(maxFolderDepth)
      await set.close()
    }
  })

  test('[TREE-5] numbers the names of folders at creation and refuses them on rename', async () => {
    const outer = await create('folder', 'Plans')
    for (const [name, free] of [
      ['Plans', 'Plans 2'],
      ['Plans 2', 'Plans 3'],
      ['5', '5'],
      ['5', '5 2'],
    ] as const) {
      expect((await create('folder', name, outer.id)).resourceMeta.name).toBe(free)
    }
    const rename = (name: string) => tree.updateNode({ baseId, nodeId: outer.id, name })
    await expect(rename(' 5 2')).rejects.toMatchObject(invalidIn('name'))
    expect(await rename(' plans ')).toMatchObject({ resourceMeta: { name: 'plans' }, version: 2 })
    for (const name of ['', '  ', 'x'.repeat(101)]) {
      await expect(rename(name)).rejects.toMatchObject(invalidIn('name'))
      await expect(create('folder', name)).rejects.toMatchObject(invalidIn('name'))
      await expect(create('dashboard', name)).rejects.toMatchObject(invalidIn('name'))
    }
  })

  test('[TREE-2] [TREE-5] gives every folder its own name and order, made at one time', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => create('folder', 'Plans')))
    const numbers = [1, 2, 3, 4, 5, 6, 7, 8]
    expect(made.map(({ order }) => order).toSorted()).toEqual(numbers)
    const numbered = numbers.map((number) => (number === 1 ? 'Plans' : `Plans ${number}`))
    expect(made.map(({ resourceMeta }) => resourceMeta.name).toSorted()).toEqual(numbered)
  })

  test('[TREE-6] numbers tables at creation, but neither dashboards nor workflows', async () => {
    for (const resourceType of ['dashboard', 'workflow', 'dashboard', 'workflow'] as const) {
      await create(resourceType, 'Same')
    }
    await tree.createNode({ baseId, resourceType: 'table', name: 'Same' })
    await tree.createNode({ baseId, resourceType: 'table', name: 'Same' })
    expect(await names()).toEqual(['Same', 'Same', 'Same', 'Same', 'Same', 'Same 2'])
  })

  test('[TREE-7] [TREE-11] updates what there is, and counts only what changes', async () => {
    const table = await tree.createNode({ baseId, resourceType: 'table', name: 'Tasks' })
    const update = (nodeId: string, change: object) =>
      tree.updateNode({ baseId, nodeId, ...change })
    expect(await update(table.id, { name: 'Jobs', icon: '🧰' })).toMatchObject({
      resourceMeta: { name: 'Jobs', icon: '🧰' },
      version: 2,
    })
    for (const change of [{}, { name: 'Jobs' }, { icon: '🧰' }]) {
      expect(await update(table.id, change)).toMatchObject({ version: 2 })
    }
    expect((await update(table.id, { icon: null })).resourceMeta).not.toHaveProperty('icon')
    for (const resourceType of ['folder', 'dashboard', 'workflow'] as const) {
      const { id } = await create(resourceType, 'Old')
      expect(await update(id, { icon: '🧰' })).toMatchObject({ version: 1 })
      const renamed = await update(id, { name: `New ${resourceType}`, icon: '🧰' })
      const shown = resourceType === 'workflow' ? { isActive: false } : {}
      expect(renamed.resourceMeta).toEqual({ name: `New ${resourceType}`, ...shown })
      expect(renamed.version).toBe(2)
    }
  })

  test('[TREE-10] [TREE-11] follows a table that its own routes make, rename and delete', async () => {
    const made = await ada.api.tables.createTable({ baseId, name: 'Tasks' })
    const [node] = await tree.listNodes({ baseId })
    expect(node).toMatchObject({ resourceId: made.id, parentId: null })
    const named = { baseId, nodeId: node?.id ?? '' }
    await ada.api.tables.renameTable({ baseId, tableId: made.id, name: 'Jobs' })
    expect(await tree.getNode(named)).toMatchObject({ resourceMeta: { name: 'Jobs' }, version: 2 })
    await ada.api.tables.deleteTable({ baseId, tableId: made.id })
    await expect(tree.getNode(named)).rejects.toMatchObject(hidden)
    expect(await tree.listNodes({ baseId })).toEqual([])
  })

  test('[TREE-11] refuses a change of a version that the caller has not seen', async () => {
    const { id: nodeId } = await create('dashboard', 'Charts')
    const last = await create('dashboard', 'Last')
    await tree.moveNode({ baseId, nodeId, anchorId: last.id })
    await expect(
      tree.updateNode({ baseId, nodeId, name: 'Late' }, { ifMatch: [1] }),
    ).rejects.toMatchObject({ code: 'precondition_failed' })
    await tree.updateNode({ baseId, nodeId, name: 'In time' }, { ifMatch: [2] })
    expect(await names()).toEqual(['Last', 'In time'])
  })

  test('[TREE-9] [TREE-14] deletes to the trash, folders and on demand for good', async () => {
    const table = await tree.createNode({ baseId, resourceType: 'table' })
    const dashboard = await create('dashboard', 'Charts')
    const workflow = await create('workflow', 'Mails')
    for (const { id: nodeId, resourceId, resourceType } of [table, dashboard, workflow]) {
      const deletion = { resourceId, resourceType, permanent: false }
      expect(await tree.deleteNode({ baseId, nodeId })).toEqual(deletion)
      await expect(tree.deleteNode({ baseId, nodeId })).rejects.toMatchObject(hidden)
      await expect(tree.getNode({ baseId, nodeId })).rejects.toMatchObject(hidden)
      await expect(tree.updateNode({ baseId, nodeId, name: 'x' })).rejects.toMatchObject(hidden)
    }
    const gone = [
      await tree.createNode({ baseId, resourceType: 'table' }),
      await create('dashboard', 'Charts'),
      await create('workflow', 'Mails'),
      await create('folder', 'Plans'),
    ]
    for (const { id: nodeId, resourceId, resourceType } of gone) {
      const deletion = { resourceId, resourceType, permanent: true }
      expect(await tree.deleteNodePermanently({ baseId, nodeId })).toEqual(deletion)
      await expect(tree.deleteNodePermanently({ baseId, nodeId })).rejects.toMatchObject(hidden)
    }
    const folder = await create('folder', 'Plans')
    expect(folder.resourceMeta.name).toBe('Plans')
    expect(await tree.deleteNode({ baseId, nodeId: folder.id })).toMatchObject({ permanent: true })
    expect(await tree.listNodes({ baseId })).toEqual([])
  })

  test('[TREE-9] hides nodes of other bases and of strangers alike', async () => {
    const { id: nodeId } = await create('dashboard', 'Charts')
    const other = await ada.api.bases.createBase({ spaceId: ada.spaceId })
    const bob = await world.newPerson('Bob')
    for (const refusal of [
      () => tree.getNode({ baseId: other.id, nodeId }),
      () => tree.getNode({ baseId, nodeId: 'bnoNone' }),
      () => bob.api.tree.getNode({ baseId, nodeId }),
      () => bob.api.tree.listNodes({ baseId }),
      () => bob.api.tree.createNode({ baseId, resourceType: 'folder', name: 'x' }),
    ]) {
      await expect(refusal()).rejects.toMatchObject(hidden)
    }
  })

  test('[TREE-15] keeps a folder that holds nodes, unless it is deleted as a folder', async () => {
    const first = await create('dashboard', 'First')
    const folder = await create('folder', 'Plans')
    await create('dashboard', 'Last')
    const a = await create('dashboard', 'A', folder.id)
    const b = await create('dashboard', 'B', folder.id)
    await tree.moveNode({ baseId, nodeId: b.id, anchorId: a.id, position: 'before' })
    const named = { baseId, nodeId: folder.id }
    const refusal = { ...invalidIn('nodeId'), message: expect.stringContaining('not empty') }
    await expect(tree.deleteNode(named)).rejects.toMatchObject(refusal)
    await expect(tree.deleteNodePermanently(named)).rejects.toMatchObject(refusal)
    await tree.deleteFolder({ baseId, folderId: folder.resourceId })
    expect(await names()).toEqual(['First', 'B', 'A', 'Last'])
    expect(await tree.getNode({ baseId, nodeId: a.id })).toMatchObject({ parentId: null })
    await create('folder', 'Plans')
    expect(first.order).toBe(1)
  })

  test('[TREE-25] creates, renames and deletes folders by their own ids', async () => {
    const made = await tree.createFolder({ baseId, name: 'Plans' })
    expect(made).toEqual({ id: expect.stringMatching(/^bnf/), name: 'Plans', version: 1 })
    expect(await tree.createFolder({ baseId, name: 'Plans' })).toMatchObject({ name: 'Plans 2' })
    const folderId = made.id
    const renamed = await tree.renameFolder({ baseId, folderId, name: 'Notes' })
    expect(renamed).toEqual({ id: folderId, name: 'Notes', version: 2 })
    await expect(tree.renameFolder({ baseId, folderId, name: 'Plans 2' })).rejects.toMatchObject(
      invalidIn('name'),
    )
    const dashboard = await create('dashboard', 'Charts')
    const other = await ada.api.bases.createBase({ spaceId: ada.spaceId })
    for (const refusal of [
      () => tree.renameFolder({ baseId, folderId: dashboard.resourceId, name: 'x' }),
      () => tree.deleteFolder({ baseId, folderId: dashboard.resourceId }),
      () => tree.renameFolder({ baseId: other.id, folderId, name: 'x' }),
      () => tree.deleteFolder({ baseId: other.id, folderId }),
    ]) {
      await expect(refusal()).rejects.toMatchObject(hidden)
    }
    await tree.deleteFolder({ baseId, folderId })
    await expect(tree.deleteFolder({ baseId, folderId })).rejects.toMatchObject(hidden)
    expect(await names()).toEqual(['Plans 2', 'Charts'])
  })

  test('[TREE-25] makes a folder by its own route in the folder that is named, by either id', async () => {
    const outer = await create('folder', 'Outer')
    await create('dashboard', 'First', outer.id)
    const dashboard = await create('dashboard', 'Charts')
    const make = (parentId: string | null) =>
      tree.createFolder({ baseId, name: `In ${parentId}`, parentId })
    for (const parentId of [outer.id, outer.resourceId]) {
      const { id: nodeId } = await make(parentId)
      expect(await tree.getNode({ baseId, nodeId })).toMatchObject({ parentId: outer.id })
    }
    const { id } = await make(null)
    const root = await tree.getNode({ baseId, nodeId: id })
    expect(root.parentId).toBeNull()
    const inner = (await tree.getNode({ baseId, nodeId: outer.id })).children[1]?.id ?? ''
    await expect(make('bnoNone')).rejects.toMatchObject(hidden)
    await expect(make(dashboard.id)).rejects.toMatchObject(invalidIn('parentId'))
    await expect(make(inner)).rejects.toMatchObject(invalidIn('parentId'))
  })

  test('[TREE-23] asks for the actions of the type', async () => {
    const nodeOf = {
      folder: await create('folder', 'Plans'),
      table: await tree.createNode({ baseId, resourceType: 'table' }),
      dashboard: await create('dashboard', 'Charts'),
      workflow: await create('workflow', 'Mails'),
    }
    const needed = {
      folder: ['base|read', 'base|update', 'base|update', 'base|update'],
      table: ['table|read', 'table|create', 'table|update', 'table|delete'],
      dashboard: ['base|read', 'base|update', 'base|update', 'base|update'],
      workflow: ['automation|read', 'automation|create', 'automation|update', 'automation|delete'],
    } as const
    for (const resourceType of ['folder', 'table', 'dashboard', 'workflow'] as const) {
      const named = { baseId, nodeId: nodeOf[resourceType].id }
      const [read, make, update, remove] = needed[resourceType]
      const made = { baseId, resourceType, name: 'Made' }
      const steps: [Action[], (by: Person['api']['tree']) => Promise<unknown>][] = [
        [[read], (by) => by.getNode(named)],
        [[make], (by) => by.createNode(made)],
        [[read, update], (by) => by.updateNode({ ...named, name: 'Renamed' })],
        [[read, 'base|update'], (by) => by.moveNode({ ...named, parentId: null })],
        [[remove], (by) => by.deleteNode(named)],
      ]
      if (resourceType !== 'folder') {
        steps.unshift([[read, make], (by) => by.duplicateNode(named)])
      }
      for (const [scopes, step] of steps) {
        for (const missing of scopes) {
          const others = actions.filter((action) => action !== missing)
          await expect(step(byToken(others))).rejects.toMatchObject(refused)
        }
        await step(byToken(scopes))
      }
    }
  })

  test('[TREE-23] lets viewers read, and change nothing', async () => {
    const { id: nodeId } = await create('workflow', 'Mails')
    const bob = await world.newPerson('Bob')
    await ada.api.collaborators.addBaseCollaborators({
      baseId,
      collaborators: [{ principalId: bob.userId, principalType: 'user' }],
      role: 'viewer',
    })
    const by = bob.api.tree
    expect(await by.getTree({ baseId })).toEqual(await tree.getTree({ baseId }))
    for (const refusal of [
      () => by.createNode({ baseId, resourceType: 'table' }),
      () => by.createFolder({ baseId, name: 'x' }),
      () => by.updateNode({ baseId, nodeId, name: 'x' }),
      () => by.moveNode({ baseId, nodeId, parentId: null }),
      () => by.duplicateNode({ baseId, nodeId }),
      () => by.deleteNode({ baseId, nodeId }),
    ]) {
      await expect(refusal()).rejects.toMatchObject(refused)
    }
  })

  test('[TREE-24] shows nothing of what a token may not read', async () => {
    const folder = await create('folder', 'Plans')
    const workflow = await create('workflow', 'Mails', folder.id)
    const dashboard = await create('dashboard', 'Charts', folder.id)
    const by = byToken(actions.filter((action) => action !== 'automation|read'))
    const children = [{ id: dashboard.id, order: dashboard.order }]
    const listed = await by.listNodes({ baseId })
    expect(listed.map(({ id }) => id)).toEqual([folder.id, dashboard.id])
    expect(listed[0]).toMatchObject({ children })
    expect((await by.getTree({ baseId })).nodes).toEqual(listed)
    expect(await by.getNode({ baseId, nodeId: folder.id })).toMatchObject({ children })
    const nodeId = dashboard.id
    for (const refusal of [
      () => by.moveNode({ baseId, nodeId, anchorId: workflow.id }),
      () => by.moveNode({ baseId, nodeId, parentId: workflow.id }),
      () => by.createNode({ baseId, resourceType: 'folder', name: 'x', parentId: workflow.id }),
    ]) {
      await expect(refusal()).rejects.toMatchObject(hidden)
    }
  })
})
