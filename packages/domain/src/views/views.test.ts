import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { type BaseWorld, openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('views', (storage) => {
  const world = worldOfBlock(() => openBaseWorld(storage))
  let api: BaseWorld['api']
  let tableId: string
  let viewIds: string[]

  beforeAll(async () => {
    api = world.api
  })
  beforeEach(async () => {
    const views = (['grid', 'form', 'kanban'] as const).map((type) => ({ type }))
    const table = await api.tables.createTable({ baseId: world.baseId, views })
    tableId = table.id
    viewIds = table.views.map(({ id }) => id)
  })

  test('[VIEW-2] hides views of other tables and those there are not', async () => {
    const other = await api.tables.createTable({ baseId: world.baseId })
    for (const viewId of [other.views[0]?.id ?? '', 'viw0', tableId]) {
      await expect(api.views.getView({ tableId, viewId })).rejects.toMatchObject({
        code: 'view_not_found',
      })
    }
  })

  test('[VIEW-1] lists views in their order', async () => {
    const listed = await api.views.listViews({ tableId })
    expect(listed.map(({ id }) => id)).toEqual(viewIds)
    expect(listed.map(({ name }) => name)).toEqual(['New view', 'New view 2', 'New view 3'])
    const [view] = listed
    const [viewId = ''] = viewIds
    expect(await api.views.getView({ tableId, viewId })).toEqual({ ...view, version: 1 })
  })

  test('[VIEW-3] [VIEW-4] has a place for every field', async () => {
    const [viewId = '', other = ''] = viewIds
    const placesIn = async (id: string) => {
      const { columnMeta } = await api.views.getView({ tableId, viewId: id })
      const fields = await api.fields.listFields({ tableId })
      expect(Object.keys(columnMeta).toSorted()).toEqual(fields.map(({ id }) => id).toSorted())
      return Object.fromEntries(fields.map(({ name, id }) => [name, columnMeta[id]?.order]))
    }
    expect(await placesIn(viewId)).toEqual({ Name: 0, Count: 1, Status: 2 })
    const order = { viewId, orderIndex: 1.5 }
    const { id: fieldId } = await api.fields.createField({ tableId, type: 'number', order })
    await api.fields.createField({ tableId, type: 'checkbox' })
    expect(await placesIn(viewId)).toEqual({ Name: 0, Count: 1, Status: 2, Number: 1.5, Done: 3 })
    expect(await placesIn(other)).toEqual({ Name: 0, Count: 1, Status: 2, Number: 3, Done: 4 })
    await api.fields.deleteField({ tableId, fieldId })
    expect(await placesIn(viewId)).toEqual({ Name: 0, Count: 1, Status: 2, Done: 3 })
    expect(await api.views.getView({ tableId, viewId })).toMatchObject({ version: 2 })
    expect(await api.views.getView({ tableId, viewId: other })).toMatchObject({ version: 1 })
  })
})
