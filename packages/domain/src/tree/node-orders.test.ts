import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { type BaseWorld, invalidAt, openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, expect, test } from 'vitest'
import { limits } from '../limits.ts'

describeOnEveryStorage('orders of new nodes', (storage) => {
  const world = worldOfBlock(() => openBaseWorld(storage))
  let tree: BaseWorld['api']['tree']
  let baseId: string

  beforeAll(async () => {
    tree = world.api.tree
    baseId = world.baseId
  })

  test('[TREE-28] gives a table the order that is asked for, by both routes', async () => {
    const folder = await tree.createNode({ baseId, resourceType: 'folder', name: 'Plans' })
    const inFolder = { resourceType: 'table', parentId: folder.id } as const
    const addTo = async (name: string, order?: number) =>
      (await tree.createNode({ baseId, ...inFolder, name, order })).order
    const add = async (name: string, order?: number) =>
      (await world.api.tables.createTable({ baseId, name, order, records: [] })).order
    for (const make of [add, addTo]) {
      const order = limits.nodeOrder + 1
      for (const wrong of [order, -order, 'first', null]) {
        const made = make('X', wrong as never)
        await expect(made).rejects.toMatchObject(invalidAt('order'))
      }
    }
    expect(await tree.listNodes({ baseId })).toHaveLength(1)
    expect(await addTo('B', 1)).toBe(1)
    expect(await addTo('C')).toBe(2)
    expect(await addTo('A', 1)).toBe(0)
    expect(await add('Z', 7)).toBe(7)
    expect(await add('E', 7)).toBe(4)
    expect(await add('D', -0.5)).toBe(-0.5)
    expect(await add('Y', limits.nodeOrder)).toBe(limits.nodeOrder)
    expect(await add('X')).toBe(limits.nodeOrder + 1)
    const namesIn = async (parentId: string | null) =>
      (await tree.listNodes({ baseId }))
        .filter((node) => node.parentId === parentId)
        .map(({ resourceMeta }) => resourceMeta.name)
    expect(await namesIn(null)).toEqual(['D', 'Plans', 'E', 'Z', 'Y', 'X'])
    expect(await namesIn(folder.id)).toEqual(['A', 'B', 'C'])
    expect((await tree.getNode({ baseId, nodeId: folder.id })).children).toMatchObject([
      { order: 0 },
      { order: 1 },
      { order: 2 },
    ])
  })
})
