import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openWorld, type Person, type World } from '@gateleg/testing/worlds/world'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Action } from '../access/roles.ts'
import { limits } from '../limits.ts'
import { searchSpace } from './operations/search-space.ts'

const hidden = { code: 'not_found' }
const invalid = { code: 'validation_error' }

describeOnEveryStorage('searching the names in a space', (storage) => {
  let world: World
  let ada: Person
  let bob: Person
  let spaceId: string
  let baseId: string
  let goneId: string

  beforeAll(async () => {
    world = await openWorld(storage)
    ada = await world.newPerson('Ada')
    bob = await world.newPerson('Bob')
    spaceId = ada.spaceId
    const { bases, tree, tables } = ada.api
    baseId = (await bases.createBase({ spaceId, name: 'Plans 100%', icon: '📘' })).id
    goneId = (await bases.createBase({ spaceId, name: 'Plans of old' })).id
    await tree.createNode({ baseId: goneId, resourceType: 'folder', name: 'Plans there' })
    await bases.deleteBase({ baseId: goneId })
    await bob.api.bases.createBase({ spaceId: bob.spaceId, name: 'Plans of Bob' })
    for (const resourceType of ['folder', 'dashboard', 'workflow'] as const) {
      await tree.createNode({ baseId, resourceType, name: `ÉTÉ plans_${resourceType}` })
    }
    await tables.createTable({ baseId, name: 'Plansx', icon: '🌍', records: [] })
    const { id: tableId } = await tables.createTable({ baseId, name: 'Plans too', records: [] })
    await tables.deleteTable({ baseId, tableId })
  })
  afterAll(() => world.close())

  type Asked = Partial<Parameters<Person['api']['spaces']['searchSpace']>[0]>
  const find = (search: string, asked: Asked = {}, api = ada.api) =>
    api.spaces.searchSpace({ spaceId, search, ...asked })
  const names = async (search: string, asked: Asked = {}) =>
    (await find(search, asked)).list.map(({ name }) => name)
  const byToken = (scopes: readonly Action[]) =>
    world.engine.as({
      ...{ kind: 'token', userId: ada.userId, tokenId: 'acc0000000000000000' },
      scopes: new Set(scopes),
    })

  test('[SPACE-10] is refused to whoever has no role in the space, and of a text that is none', async () => {
    await expect(find('plans', {}, bob.api)).rejects.toMatchObject(hidden)
    const collaborators = [{ principalId: bob.userId, principalType: 'user' as const }]
    await ada.api.collaborators.addBaseCollaborators({ baseId, collaborators, role: 'editor' })
    await expect(find('plans', {}, bob.api)).rejects.toMatchObject(hidden)
    for (const search of ['', '  ', 'a\0b', 'x'.repeat(2_049)]) {
      await expect(find(search)).rejects.toMatchObject(invalid)
    }
    await expect(find('a', { type: 'view' as never })).rejects.toMatchObject(invalid)
    await expect(find('a', { pageSize: 101 })).rejects.toMatchObject(invalid)
  })

  test('[SPACE-10] finds living bases and what lies in them by name, whatever its case', async () => {
    const { list, total, nextCursor } = await find(' PLANS ')
    expect([total, nextCursor]).toEqual([5, null])
    const base = { baseId, baseName: 'Plans 100%' }
    const ofPlans = (type: string, name: string, icon: string | null = null) =>
      expect.objectContaining({ ...base, type, name, icon })
    expect(list).toEqual([
      { ...base, type: 'base', id: baseId, name: 'Plans 100%', icon: '📘' },
      ofPlans('table', 'Plansx', '🌍'),
      ofPlans('dashboard', 'ÉTÉ plans_dashboard'),
      ofPlans('folder', 'ÉTÉ plans_folder'),
      ofPlans('workflow', 'ÉTÉ plans_workflow'),
    ])
    expect(await names('été plans_f')).toEqual(['ÉTÉ plans_folder'])
    expect(await find('nothing')).toEqual({ list: [], total: 0, nextCursor: null })
  })

  test('[SPACE-10] takes signs of patterns for what they are', async () => {
    expect(await names('s 100%')).toEqual(['Plans 100%'])
    expect(await names('s%')).toEqual([])
    expect(await names('plans_')).toHaveLength(3)
    expect(await names('plans\\')).toEqual([])
  })

  test('[SPACE-11] finds what is of the type that is named, and what the caller may read', async () => {
    expect(await names('plans', { type: 'table' })).toEqual(['Plansx'])
    expect(await names('plans', { type: 'base' })).toEqual(['Plans 100%'])
    const { list, total } = await find('plans', {}, byToken(['base|read', 'table|read']))
    expect(list.map(({ type }) => type)).not.toContain('workflow')
    expect(total).toBe(list.length)
    await expect(find('plans', {}, byToken(['table|read']))).rejects.toMatchObject({
      code: 'restricted_resource',
    })
  })

  test('[SPACE-12] goes on from page to page, though a thing of the last one has another name', async () => {
    const { bases } = ada.api
    const first = await find('plans', { pageSize: 2 })
    expect(first).toMatchObject({ total: 5, list: [{ name: 'Plans 100%' }, { name: 'Plansx' }] })
    await bases.updateBase({ baseId, name: 'Zoo of plans' })
    const cursor = first.nextCursor ?? ''
    const second = await find('plans', { pageSize: 2, cursor })
    expect(second.list.map(({ name }) => name)).toEqual(['Zoo of plans', 'ÉTÉ plans_dashboard'])
    const third = await find('plans', { pageSize: 2, cursor: second.nextCursor ?? '' })
    expect(third).toMatchObject({ total: 5, nextCursor: null })
    expect(third.list).toHaveLength(2)
    await bases.updateBase({ baseId, name: 'Plans 100%' })
    for (const wrong of [`${cursor}x`, 'spc', cursor.replace('plansx', 'plansy')]) {
      await expect(find('plans', { cursor: wrong })).rejects.toMatchObject(invalid)
    }
    await expect(find('plan', { cursor })).rejects.toMatchObject(invalid)
  })

  test('[SPACE-12] answers twenty names where no size of a page is asked for', async () => {
    expect(limits.foundNamesPerPageDefault).toBe(20)
    const all = Array.from({ length: 21 }, (_, n) => `Shelf ${String(n).padStart(2, '0')}`)
    for (const name of all) await ada.api.tree.createNode({ baseId, resourceType: 'folder', name })
    const first = await find('shelf')
    expect(first.list.map(({ name }) => name)).toEqual(all.slice(0, 20))
    expect(first.total).toBe(21)
    const second = await find('shelf', { cursor: first.nextCursor ?? '' })
    expect(second).toMatchObject({ list: [{ name: 'Shelf 20' }], total: 21, nextCursor: null })
  })

  test('[SPACE-12] says that it is long where there are many names, and only there', async () => {
    const becomeLong = vi.fn()
    const tx = { nameFinder: { countIn: async () => 2, find: async () => noNames }, becomeLong }
    const noNames = { total: 0, found: [] }
    const context = { tx, actor: { kind: 'user' }, role: 'owner', space: { id: spaceId } }
    const run = () => searchSpace.run(context as never, { spaceId, search: 'a', pageSize: 1 })
    await withLimits({ namesSearchedAtOnce: 2 }, run)
    expect(becomeLong).not.toHaveBeenCalled()
    await withLimits({ namesSearchedAtOnce: 1 }, run)
    expect(becomeLong).toHaveBeenCalledOnce()
    await withLimits({ namesSearchedAtOnce: 1 }, async () => {
      expect(await names('s 100%')).toEqual(['Plans 100%'])
    })
  })
})
