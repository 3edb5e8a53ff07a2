import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openWorld, type Person, testPassword, type World } from '@gateleg/testing/worlds/world'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

const hidden = { code: 'not_found' }

describeOnEveryStorage('last visits', (storage) => {
  let world: World
  let ada: Person
  let eve: Person
  let spaceId: string
  let baseId: string
  let tableId: string
  let viewId: string
  let folderId: string

  beforeAll(async () => {
    world = await openWorld(storage)
    ada = await world.newPerson('Ada')
    eve = await world.newPerson('Eve')
    spaceId = ada.spaceId
  })
  beforeEach(async () => {
    const { api } = ada
    baseId = (await api.bases.createBase({ spaceId })).id
    const table = await api.tables.createTable({ baseId, records: [] })
    tableId = table.id
    viewId = table.views[0]?.id ?? ''
    const inBase = { baseId, resourceType: 'folder', name: 'Folder' } as const
    folderId = (await api.tree.createNode(inBase)).resourceId
    world.clock.advance(1)
  })
  afterAll(() => world.close())

  const note = async (
    resourceType: 'base' | 'table' | 'folder' | 'view',
    resourceId: string,
    parentResourceId: string,
    more: object = {},
    { api } = ada,
  ) => {
    world.clock.advance(1)
    await api.lastVisits.noteLastVisit({ resourceType, resourceId, parentResourceId, ...more })
  }
  const last = (resourceType: 'base' | 'table' | 'view', parentResourceId: string) =>
    ada.api.lastVisits.getLastVisit({ resourceType, parentResourceId })
  const lastNode = () => ada.api.lastVisits.getLastVisitedNode({ parentResourceId: baseId })

  test('[VISIT-1] are refused of what the caller may not read, and what lies elsewhere', async () => {
    const refusals = [
      () => note('table', tableId, baseId, {}, eve),
      () => note('table', tableId, spaceId),
      () => note('view', viewId, baseId),
      () => note('table', viewId, baseId),
      () => note('table', tableId, baseId, { childResourceId: folderId }),
      () => note('folder', folderId, baseId, { childResourceId: tableId }),
    ]
    for (const call of refusals) await expect(call()).rejects.toMatchObject(hidden)
    expect(await lastNode()).toEqual({})
  })

  test('[VISIT-2] are told by type and place, the latest one, with what was open in it', async () => {
    const other = await ada.api.tables.createTable({ baseId, records: [] })
    await note('table', other.id, baseId)
    await note('table', tableId, baseId, { childResourceId: viewId })
    const table = { resourceType: 'table', resourceId: tableId, childResourceId: viewId }
    expect([await last('table', baseId), await lastNode()]).toEqual([table, table])
    await note('folder', folderId, baseId)
    await note('view', viewId, tableId)
    await note('base', baseId, spaceId, { childResourceId: tableId })
    expect(await lastNode()).toEqual({ resourceType: 'folder', resourceId: folderId })
    expect(await last('table', baseId)).toEqual(table)
    expect(await last('view', tableId)).toEqual({ resourceType: 'view', resourceId: viewId })
    const base = { resourceType: 'base', resourceId: baseId, childResourceId: tableId }
    expect(await last('base', spaceId)).toEqual(base)
    await note('table', tableId, baseId, { childResourceId: null })
    expect(await lastNode()).toEqual({ resourceType: 'table', resourceId: tableId })
  })

  test('[VISIT-3] are not told of what lies in the trash', async () => {
    const { api } = ada
    const second = await api.views.createView({ tableId, type: 'grid' })
    await note('folder', folderId, baseId)
    await note('table', tableId, baseId, { childResourceId: second.id })
    await api.views.deleteView({ tableId, viewId: second.id })
    expect(await lastNode()).toEqual({ resourceType: 'table', resourceId: tableId })
    await api.tables.deleteTable({ baseId, tableId })
    expect(await last('table', baseId)).toEqual({})
    expect(await lastNode()).toEqual({ resourceType: 'folder', resourceId: folderId })
    await api.bases.deleteBase({ baseId })
    expect(await lastNode()).toEqual({})
  })

  test('[VISIT-4] are kept so many of a user, the latest ones', async () => {
    await withLimits({ lastVisitsPerUser: 2 }, async () => {
      await note('table', tableId, baseId)
      await note('folder', folderId, baseId)
      await note('view', viewId, tableId)
    })
    expect(await last('table', baseId)).toEqual({})
    expect(await lastNode()).toMatchObject({ resourceType: 'folder' })
  })

  test("[VISIT-5] are their own user's, and end with the account and with what they are of", async () => {
    const token = { kind: 'token', userId: ada.userId, tokenId: 'acc', scopes: new Set() } as const
    const byToken = world.engine.as(token).lastVisits
    const asking = byToken.getLastVisitedNode({ parentResourceId: baseId })
    await expect(asking).rejects.toMatchObject({ code: 'restricted_resource' })
    const kept = ({ userId }: Person, parentId: string) =>
      world.engine.store.read(async (tx) => (await tx.lastVisits.listOf(userId, parentId)).length)
    const collaborators = [{ principalId: eve.userId, principalType: 'user' as const }]
    await ada.api.collaborators.addBaseCollaborators({ baseId, collaborators, role: 'viewer' })
    await note('table', tableId, baseId, {}, eve)
    await note('table', tableId, baseId)
    await note('base', baseId, spaceId)
    await eve.api.accounts.deleteAccount({ password: testPassword })
    expect([await kept(eve, baseId), await kept(ada, baseId)]).toEqual([0, 1])
    await ada.api.bases.deleteBasePermanently({ baseId })
    expect([await kept(ada, baseId), await kept(ada, spaceId)]).toEqual([0, 0])
  })
})
