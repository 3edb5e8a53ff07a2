import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openWorld, type Person, testPassword, type World } from '@gateleg/testing/worlds/world'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { NamedResource } from './seen-resource.ts'

const hidden = { code: 'not_found' }
const refused = { code: 'restricted_resource' }

describeOnEveryStorage('pins', (storage) => {
  let world: World
  let ada: Person
  let eve: Person
  let bob: Person
  let people = 0
  let spaceId: string
  let baseId: string
  let tableId: string
  let viewId: string

  beforeAll(async () => {
    world = await openWorld(storage)
    ada = await world.newPerson('Ada')
    eve = await world.newPerson('Eve')
    spaceId = ada.spaceId
  })
  beforeEach(async () => {
    const { api } = ada
    baseId = (await api.bases.createBase({ spaceId, name: 'Base', icon: '📘' })).id
    const table = await api.tables.createTable({ baseId, name: 'Table', records: [] })
    tableId = table.id
    viewId = table.views[0]?.id ?? ''
    bob = await world.newPerson(`Bob${++people}`)
    const collaborators = [{ principalId: bob.userId, principalType: 'user' as const }]
    await api.collaborators.addBaseCollaborators({ baseId, collaborators, role: 'viewer' })
  })
  afterAll(() => world.close())

  const pin = (type: NamedResource['type'], id: string, { api } = bob) =>
    api.pins.addPin({ type, id })
  const list = ({ api } = bob) => api.pins.listPins({})
  const listed = async () => (await list()).map(({ id }) => id)
  const pinAll = async () => {
    await pin('view', viewId)
    await pin('base', baseId)
    await pin('table', tableId)
  }

  test('[PIN-1] are refused of what the caller may not read, or what is something else', async () => {
    for (const [type, id] of [
      ['space', spaceId],
      ['base', tableId],
      ['view', 'viwNone'],
    ] as const) {
      await expect(pin(type, id)).rejects.toMatchObject(hidden)
    }
    await expect(pin('table', tableId, eve)).rejects.toMatchObject(hidden)
    await expect(pin('app' as never, tableId)).rejects.toMatchObject({ code: 'validation_error' })
    expect(await list()).toEqual([])
  })

  test('[PIN-2] are listed with what it takes to show them, each once', async () => {
    const { api } = ada
    const folder = await api.tree.createNode({ baseId, resourceType: 'folder', name: 'Folder' })
    const board = await api.dashboards.createDashboard({ baseId, name: 'Board' })
    const flow = await api.workflows.createWorkflow({ baseId, name: 'Flow' })
    await pinAll()
    await pin('folder', folder.resourceId)
    await pin('dashboard', board.id)
    await pin('workflow', flow.id)
    await pin('view', viewId)
    await pin('space', bob.spaceId)
    const parentBaseId = baseId
    const viewMeta = { tableId, type: 'grid' }
    expect(await list()).toEqual([
      { type: 'view', id: viewId, order: 0, name: expect.any(String), parentBaseId, viewMeta },
      { type: 'base', id: baseId, order: 1, name: 'Base', icon: '📘' },
      { type: 'table', id: tableId, order: 2, name: 'Table', parentBaseId },
      { type: 'folder', id: folder.resourceId, order: 3, name: 'Folder', parentBaseId },
      { type: 'dashboard', id: board.id, order: 4, name: 'Board', parentBaseId },
      { type: 'workflow', id: flow.id, order: 5, name: 'Flow', parentBaseId },
      { type: 'space', id: bob.spaceId, order: 6, name: expect.any(String) },
    ])
  })

  test('[PIN-3] are not listed while their user may not read them, or they lie in the trash', async () => {
    await pinAll()
    const { api } = ada
    const principal = { baseId, principalId: bob.userId, principalType: 'user' } as const
    await api.collaborators.removeBaseCollaborator(principal)
    expect(await listed()).toEqual([])
    const collaborators = [{ principalId: bob.userId, principalType: 'user' as const }]
    await api.collaborators.addBaseCollaborators({ baseId, collaborators, role: 'viewer' })
    await api.tables.deleteTable({ baseId, tableId })
    expect(await listed()).toEqual([baseId])
    const trash = await api.trash.listTrashItems({ resourceId: baseId, resourceType: 'base' })
    await api.trash.restoreTrash({ trashId: trash.trashItems[0]?.id ?? '' })
    expect(await listed()).toEqual([viewId, baseId, tableId])
  })

  test('[PIN-4] are moved beside one another', async () => {
    await pinAll()
    const move = (id: string, position: 'before' | 'after', anchorId: string) =>
      bob.api.pins.movePin({ type: 'table', id, position, anchorType: 'view', anchorId })
    await expect(move(tableId, 'before', 'viwNone')).rejects.toMatchObject(hidden)
    await expect(move('tblNone', 'before', viewId)).rejects.toMatchObject(hidden)
    const self = { type: 'base', id: baseId, anchorType: 'base', anchorId: baseId } as const
    await expect(bob.api.pins.movePin({ ...self, position: 'after' })).rejects.toMatchObject({
      data: { issues: [{ path: ['anchorId'] }] },
    })
    await move(tableId, 'before', viewId)
    expect(await listed()).toEqual([tableId, viewId, baseId])
    await move(tableId, 'after', viewId)
    expect(await listed()).toEqual([viewId, tableId, baseId])
    expect((await list()).map(({ order }) => order)).toEqual([0, 1, 2])
  })

  test('[PIN-5] are taken away, also of what can not be read', async () => {
    await pinAll()
    await ada.api.tables.deleteTable({ baseId, tableId })
    const unpin = (id: string) => bob.api.pins.removePin({ type: 'table', id })
    await unpin(tableId)
    await expect(unpin(tableId)).rejects.toMatchObject(hidden)
    expect(await listed()).toEqual([baseId])
  })

  test('[PIN-6] are so many of a user, pinned at once or not', async () => {
    await withLimits({ pinsPerUser: 2 }, async () => {
      const calls = [pin('view', viewId), pin('table', tableId), pin('base', baseId)]
      const results = await Promise.allSettled(calls)
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
      await ada.api.tables.deleteTable({ baseId, tableId })
      await pin('base', baseId)
      await pin('space', bob.spaceId)
      const tooMany = { code: 'validation_error', data: { issues: [{ path: ['id'] }] } }
      const other = await bob.api.spaces.createSpace({})
      await expect(pin('space', other.id)).rejects.toMatchObject(tooMany)
      expect(await listed()).toEqual([baseId, bob.spaceId])
    })
  })

  test("[PIN-7] are their own user's, and end with the account and with what they are of", async () => {
    const token = { kind: 'token', userId: bob.userId, tokenId: 'acc', scopes: new Set() } as const
    const byToken = world.engine.as(token).pins
    await expect(byToken.listPins({})).rejects.toMatchObject(refused)
    await expect(byToken.addPin({ type: 'base', id: baseId })).rejects.toMatchObject(refused)
    await pinAll()
    await pin('base', baseId, ada)
    const kept = ({ userId }: Person) =>
      world.engine.store.read(async (tx) => (await tx.pins.listOf(userId)).map(({ id }) => id))
    await ada.api.tables.deleteTablePermanently({ baseId, tableId })
    expect(await kept(bob)).toContain(baseId)
    await bob.api.accounts.deleteAccount({ password: testPassword })
    expect([await kept(bob), await list(ada)]).toMatchObject([[], [{ id: baseId }]])
    await ada.api.bases.deleteBasePermanently({ baseId })
    expect(await kept(ada)).toEqual([])
  })
})
