import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openWorld, type Person, type World } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { defaultSettings } from '../settings.ts'

const hidden = { code: 'not_found' }
const invalidIn = (...path: string[]) => ({
  code: 'validation_error',
  data: { issues: [{ path }] },
})

describeOnEveryStorage('moves of nodes', (storage) => {
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

  const create = (
    resourceType: 'folder' | 'dashboard' | 'workflow',
    name: string,
    parentId: string | null = null,
  ) => tree.createNode({ baseId, resourceType, name, parentId })

  const move = (nodeId: string, to: object) => tree.moveNode({ baseId, nodeId, ...to })

  const names = async () =>
    (await tree.listNodes({ baseId })).map(({ resourceMeta }) => resourceMeta.name)

  test('[TREE-16] moves into a folder, to the root, after and before', async () => {
    const folder = await create('folder', 'Plans')
    const a = await create('dashboard', 'A')
    const b = await create('dashboard', 'B')
    const c = await create('dashboard', 'C', folder.id)
    expect(await move(a.id, { parentId: folder.id })).toMatchObject({
      parentId: folder.id,
      parent: { id: folder.id },
      order: 5,
      version: 2,
    })
    expect(await move(b.id, { anchorId: c.id })).toMatchObject({ parentId: folder.id, order: 4.5 })
    expect(await names()).toEqual(['Plans', 'C', 'B', 'A'])
    await move(a.id, { anchorId: folder.id, position: 'before' })
    expect(await names()).toEqual(['A', 'Plans', 'C', 'B'])
    expect(await move(c.id, { parentId: null })).toMatchObject({ parentId: null, parent: null })
    await move(c.id, { anchorId: a.id, parentId: null })
    expect(await names()).toEqual(['A', 'C', 'Plans', 'B'])
    const { children } = await tree.getNode({ baseId, nodeId: folder.id })
    expect(children.map(({ id }) => id)).toEqual([b.id])
  })

  test('[TREE-16] passes over a parent of null beside an anchor, and a position without one', async () => {
    const folder = await create('folder', 'Plans')
    const a = await create('dashboard', 'A', folder.id)
    const b = await create('dashboard', 'B')
    const beside = { parentId: null, anchorId: a.id, position: 'before' }
    expect(await move(b.id, beside)).toMatchObject({ parentId: folder.id })
    expect(await move(a.id, { parentId: null, position: 'before' })).toMatchObject({
      parentId: null,
    })
    expect((await names()).at(-1)).toBe('A')
    expect(await move(a.id, { parentId: folder.id, position: 'before' })).toMatchObject({
      parentId: folder.id,
    })
  })

  test('[TREE-16] [TREE-3] refuses both, neither, and what is not there', async () => {
    const folder = await create('folder', 'Plans')
    const { id } = await create('dashboard', 'A')
    const b = await create('dashboard', 'B')
    await expect(move(id, {})).rejects.toMatchObject({ code: 'validation_error' })
    await expect(move(id, { parentId: folder.id, anchorId: b.id })).rejects.toMatchObject(
      invalidIn('anchorId'),
    )
    await expect(move(id, { parentId: b.id })).rejects.toMatchObject(invalidIn('parentId'))
    await expect(move(id, { anchorId: b.id, position: 'in' })).rejects.toMatchObject(
      invalidIn('position'),
    )
    await expect(move(id, { parentId: 'bnoNone' })).rejects.toMatchObject(hidden)
    await expect(move(id, { anchorId: 'bnoNone' })).rejects.toMatchObject(hidden)
    await expect(move('bnoNone', { parentId: null })).rejects.toMatchObject(hidden)
  })

  test('[TREE-17] refuses to move a node under or beside itself, or below it', async () => {
    const outer = await create('folder', 'Outer')
    const inner = await create('folder', 'Inner', outer.id)
    const deep = await create('dashboard', 'Deep', inner.id)
    const before = await tree.listNodes({ baseId })
    await expect(move(outer.id, { parentId: outer.id })).rejects.toMatchObject(
      invalidIn('parentId'),
    )
    await expect(move(outer.id, { parentId: inner.id })).rejects.toMatchObject({
      ...invalidIn('parentId'),
      message: expect.stringContaining('circular'),
    })
    for (const anchorId of [outer.id, inner.id, deep.id]) {
      await expect(move(outer.id, { anchorId })).rejects.toMatchObject(invalidIn('anchorId'))
    }
    expect(await tree.listNodes({ baseId })).toEqual(before)
  })

  test('[TREE-18] keeps the order when no number is left between two nodes', async () => {
    const a = await create('dashboard', 'A')
    const b = await create('dashboard', 'B')
    const c = await create('dashboard', 'C')
    for (let round = 0; round < 40; round++) {
      await move(c.id, { anchorId: a.id })
      expect(await names()).toEqual(['A', 'C', 'B'])
      await move(b.id, { anchorId: a.id })
      expect(await names()).toEqual(['A', 'B', 'C'])
    }
    const orders = (await tree.listNodes({ baseId })).map(({ order }) => order)
    expect(new Set(orders).size).toBe(3)
  })

  test('[TREE-20] counts no change when a node stands there already', async () => {
    const a = await create('dashboard', 'A')
    const b = await create('dashboard', 'B')
    for (const to of [
      { parentId: null },
      { anchorId: a.id },
      { anchorId: a.id, position: 'after' },
    ]) {
      expect(await move(b.id, to)).toEqual(b)
    }
    expect(await move(a.id, { anchorId: b.id, position: 'before' })).toEqual(a)
  })

  test('[TREE-21] makes no circle of two moves at one time', async () => {
    const deep = await openWorld(storage, { settings: { ...defaultSettings, maxFolderDepth: 10 } })
    const { api, spaceId } = await deep.newPerson('Ada')
    const { id: baseId } = await api.bases.createBase({ spaceId })
    const folder = (name: string) => api.tree.createNode({ baseId, resourceType: 'folder', name })
    for (let round = 0; round < 10; round++) {
      const [a, b] = [await folder('A'), await folder('B')]
      const outcomes = await Promise.allSettled([
        api.tree.moveNode({ baseId, nodeId: a.id, parentId: b.id }),
        api.tree.moveNode({ baseId, nodeId: b.id, parentId: a.id }),
      ])
      const statuses = outcomes.map(({ status }) => status)
      expect(statuses.toSorted()).toEqual(['fulfilled', 'rejected'])
    }
    await deep.close()
  })

  test('[TREE-22] copies right behind the original', async () => {
    const folder = await create('folder', 'Plans')
    const original = await create('dashboard', 'Charts', folder.id)
    await create('dashboard', 'Charts 2')
    await create('workflow', 'Mails', folder.id)
    const copy = await tree.duplicateNode({ baseId, nodeId: original.id })
    expect(copy).toMatchObject({
      parentId: folder.id,
      resourceType: 'dashboard',
      resourceMeta: { name: 'Charts 3' },
      version: 1,
    })
    expect(copy.resourceId).not.toBe(original.resourceId)
    const named = { baseId, nodeId: original.id, name: 'Charts' }
    expect(await tree.duplicateNode(named)).toMatchObject({ resourceMeta: { name: 'Charts' } })
    const { children } = await tree.getNode({ baseId, nodeId: folder.id })
    expect(children.map(({ id }) => id).indexOf(copy.id)).toBe(2)
    await expect(tree.duplicateNode({ baseId, nodeId: folder.id })).rejects.toMatchObject(
      invalidIn('nodeId'),
    )
  })

  test('[TREE-18] [TREE-22] finds room for copies when no number is left', async () => {
    const original = await create('dashboard', 'A')
    const last = await create('dashboard', 'Z')
    const expected = [original.id, last.id]
    for (let copies = 0; copies < 60; copies++) {
      const copy = await tree.duplicateNode({ baseId, nodeId: original.id, name: 'B' })
      expected.splice(1, 0, copy.id)
    }
    expect((await tree.listNodes({ baseId })).map(({ id }) => id)).toEqual(expected)
  })

  test('[TREE-22] copies a table with or without its records', async () => {
    const table = await tree.createNode({
      baseId,
      resourceType: 'table',
      name: 'Tasks',
      records: [{ fields: { Name: 'Write' } }],
    })
    const recordsOf = async (tableId: string) =>
      (await ada.api.records.listRecords({ tableId })).records.map(({ fields }) => fields)
    for (const includeRecords of [true, false]) {
      const copy = await tree.duplicateNode({ baseId, nodeId: table.id, includeRecords })
      const expected = includeRecords ? [{ Name: 'Write' }] : []
      expect(await recordsOf(copy.resourceId)).toEqual(expected)
    }
    expect(await names()).toEqual(['Tasks', 'Tasks 3', 'Tasks 2'])
  })

  test('[TREE-26] tells what happened, and nothing of what did not', async () => {
    const events: [string, string][] = []
    world.engine.subscribe(({ name, payload }) => {
      if ('nodeId' in payload) events.push([name, payload.nodeId])
    })
    const folder = await create('folder', 'Plans')
    const { id } = await create('dashboard', 'A', folder.id)
    await tree.updateNode({ baseId, nodeId: id, name: 'A' })
    await tree.updateNode({ baseId, nodeId: id, name: 'B' })
    await move(id, { parentId: folder.id })
    await move(id, { parentId: null })
    await move(id, { parentId: folder.id })
    await tree.deleteFolder({ baseId, folderId: folder.resourceId })
    await tree.deleteNode({ baseId, nodeId: id })
    expect(events).toEqual([
      ['node.created', folder.id],
      ['node.created', id],
      ['node.updated', id],
      ['node.moved', id],
      ['node.moved', id],
      ['node.deleted', folder.id],
      ['node.moved', id],
      ['node.deleted', id],
    ])
  })
})
