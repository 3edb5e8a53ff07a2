import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { type BaseWorld, invalidAt, openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../../limits.ts'

type Table = Awaited<ReturnType<BaseWorld['api']['tables']['createTable']>>

describeOnEveryStorage('views that are made and deleted', (storage) => {
  const world = worldOfBlock(() => openBaseWorld(storage))
  let api: BaseWorld['api']
  let table: Table
  let tableId: string
  /** The ids of the fields Name, Count and Status. */
  let ids: readonly string[]

  beforeAll(async () => {
    api = world.api
  })
  beforeEach(async () => {
    table = await api.tables.createTable({ baseId: world.baseId })
    tableId = table.id
    ids = table.fields.map(({ id }) => id)
  })

  const create = (definition: object) =>
    api.views.createView({ tableId, type: 'grid', ...definition } as never)
  const namesIn = async () => (await api.views.listViews({ tableId })).map(({ name }) => name)

  /** Settings of each kind, with the fields of the table. */
  const settings = () => {
    const [name = '', count = '', status = ''] = ids
    const item = { fieldId: status, operator: 'isAnyOf', value: ['light', 'heavy'] } as const
    return {
      description: 'What is heavy',
      order: 7.5,
      options: { rowHeight: 'tall', frozenColumnCount: 2 },
      filter: { conjunction: 'or', filterSet: [item] },
      sort: { sortObjs: [{ fieldId: count, order: 'desc' }] },
      group: [{ fieldId: status, order: 'asc' }],
      columnMeta: { [count]: { hidden: true }, [name]: { order: 3, width: 200 } },
      isLocked: true,
    } as const
  }

  test('[VIEW-110] takes no order after which there is no other', async () => {
    for (const order of [limits.viewOrder + 1, -limits.viewOrder - 1, 2 ** 53, 1e300]) {
      await world.expectNoTrace(() => create({ order }), invalidAt('order'))
      const definition = { baseId: world.baseId, views: [{ type: 'grid', order }] }
      const made = () => api.tables.createTable(definition as never)
      await world.expectNoTrace(made, invalidAt('views', 0, 'order'))
    }
    await create({ name: 'Far', order: limits.viewOrder })
    await create({ name: 'Next' })
    await create({ name: 'Last' })
    expect((await namesIn()).slice(-3)).toEqual(['Far', 'Next', 'Last'])
  })

  test('[VIEW-145] a view stands right before the one that has the order that it says', async () => {
    await create({ name: 'A', order: 1 })
    await create({ name: 'B', order: 1 })
    expect(await create({ name: 'C', order: 1 })).toMatchObject({ order: 0.75 })
    await create({ name: 'D', order: 2 })
    expect(await namesIn()).toEqual(['Grid view', 'B', 'C', 'A', 'D'])
    // Until no number is left between two, and beyond.
    for (let index = 0; index < 60; index++) {
      const before = await namesIn()
      await create({ name: `View ${index}`, order: 1 })
      const views = await api.views.listViews({ tableId })
      expect(views.map(({ name }) => name).filter((name) => name !== `View ${index}`)).toEqual(
        before,
      )
      expect(new Set(views.map(({ order }) => order)).size).toBe(views.length)
    }
  })

  test('[VIEW-146] a table opens with the first of the views that it is made with', async () => {
    const grid = (name: string, order?: number) => ({ type: 'grid' as const, name, order })
    for (const [views, sorted, orders] of [
      [[grid('A', 5), grid('B', 1), grid('C')], 'BAC', [5, 1, 6]],
      [[grid('A', 1), grid('B'), grid('C', 1)], 'ACB', [0, 2, 1]],
      [[grid('A'), grid('B', 0), grid('C', 0)], 'ABC', [0, 1, 2]],
    ] as const) {
      const made = await api.tables.createTable({ baseId: world.baseId, views: [...views] })
      expect(made.views.map(({ name, order }) => [name, order])).toEqual(
        views.map(({ name }, index) => [name, orders[index]]),
      )
      const listed = await api.views.listViews({ tableId: made.id })
      expect(listed.map(({ name }) => name).join('')).toBe(sorted)
      const place = { baseId: world.baseId, tableId: made.id }
      const { defaultViewId } = await api.tables.getTable(place)
      expect([made.defaultViewId, listed[0]?.id]).toEqual([defaultViewId, defaultViewId])
    }
  })

  test('[VIEW-5] makes a view with all that it is to show', async () => {
    const [name = '', count = '', status = ''] = ids
    const view = await create({ name: 'Heavy', ...settings() })
    expect(view).toEqual({
      ...settings(),
      id: expect.stringMatching(/^viw/),
      name: 'Heavy',
      type: 'grid',
      columnMeta: {
        [name]: { order: 3, width: 200 },
        [count]: { order: 1, hidden: true },
        [status]: { order: 2 },
      },
      createdBy: world.ada.userId,
      createdTime: '2026-01-01T00:00:00.000Z',
      version: 1,
    })
    expect(await api.views.getView({ tableId, viewId: view.id })).toEqual(view)
  })

  test('[VIEW-5] makes views with their table that name fields whose ids its maker chose', async () => {
    const id = `fld${'a'.repeat(16)}`
    const filter = { conjunction: 'and', filterSet: [{ fieldId: id, operator: 'is', value: 'A' }] }
    const views = [{ type: 'grid', filter, group: [{ fieldId: id, order: 'asc' }] }]
    const fields = [{ id, type: 'singleLineText', name: 'Title' }]
    const made = await api.tables.createTable({ baseId: world.baseId, fields, views } as never)
    expect(made.views).toMatchObject([{ filter, group: [{ fieldId: id, order: 'asc' }] }])
    const wrong = { type: 'grid', sort: { sortObjs: [{ fieldId: 'fldNone', order: 'asc' }] } }
    const input = { baseId: world.baseId, fields: [{ type: 'number', name: 'N' }], views: [wrong] }
    await world.expectNoTrace(
      () => api.tables.createTable(input as never),
      invalidAt('views', 0, 'sort', 'sortObjs', 0, 'fieldId'),
    )
  })

  test('[VIEW-5] numbers names that are taken, and puts views behind the others', async () => {
    await create({})
    await create({})
    const first = await create({ name: 'Grid view', order: -1 })
    expect(first).toMatchObject({ name: 'Grid view 2', order: -1 })
    expect(await namesIn()).toEqual(['Grid view 2', 'Grid view', 'New view', 'New view 2'])
  })

  test('[VIEW-9] [VIEW-121] shows in a form what people fill in, elsewhere the primary field', async () => {
    const [name = '', count = '', status = ''] = ids
    await api.fields.createField({ tableId, type: 'autoNumber', name: 'Number' })
    // Nobody fills in how often a button was pressed.
    await api.fields.createField({ tableId, type: 'button', name: 'Order' })
    const visibleIn = async (type: string) => {
      const { columnMeta } = await create({ type })
      return Object.entries(columnMeta).flatMap(([id, { visible }]) => (visible ? id : []))
    }
    expect(await visibleIn('form')).toEqual([name, count, status])
    for (const type of ['kanban', 'gallery', 'calendar'])
      expect(await visibleIn(type)).toEqual([name])
    expect(await visibleIn('grid')).toEqual([])
    const columnMeta = { [count]: { visible: false }, [name]: { required: true } }
    expect(await create({ type: 'form', columnMeta })).toMatchObject({
      columnMeta: { [name]: { visible: true, required: true }, [count]: { visible: false } },
    })
  })

  test('[VIEW-6] makes no more views than a table may have', async () => {
    await withLimits({ viewsPerTable: 2 }, async () => {
      const { id: viewId } = await create({})
      const refusal = { code: 'validation_error', message: 'a table has 2 views at most' }
      await world.expectNoTrace(() => create({}), refusal)
      await world.expectNoTrace(() => api.views.duplicateView({ tableId, viewId }), refusal)
      await api.views.deleteView({ tableId, viewId })
      await create({})
    })
  })

  describe('[VIEW-5] [VIEW-20] refuses, and makes nothing', () => {
    const refusals: readonly (readonly [string, () => object, readonly (string | number)[]])[] = [
      ['a kind that there is not', () => ({ type: 'list' }), ['type']],
      ['a plugin', () => ({ type: 'plugin' }), ['type']],
      ['a blank name', () => ({ name: ' ' }), ['name']],
      ['an option of another kind', () => ({ options: { isCoverFit: true } }), ['options']],
      [
        'a filter by name',
        () => ({
          filter: { conjunction: 'and', filterSet: [{ fieldId: 'Name', operator: 'isEmpty' }] },
        }),
        ['filter', 'filterSet', 0, 'fieldId'],
      ],
      [
        'a group by a field that there is not',
        () => ({ group: [{ fieldId: 'fldNone', order: 'asc' }] }),
        ['group', 0, 'fieldId'],
      ],
      [
        'a field that there is not among the columns',
        () => ({ columnMeta: { fldNone: { hidden: true } } }),
        ['columnMeta', 'fldNone'],
      ],
      ['a share', () => ({ enableShare: true }), ['enableShare']],
      ['the link of a share', () => ({ shareId: 'shrAda' }), ['shareId']],
      ['what visitors may do', () => ({ shareMeta: { allowCopy: true } }), ['shareMeta']],
    ]
    test.each(refusals)('%s', async (_what, definition, path) => {
      await world.expectNoTrace(() => create(definition()), invalidAt(...path))
    })
  })

  test('[VIEW-7] copies a view with all that it shows', async () => {
    const original = await create({ name: 'Heavy', ...settings() })
    const copy = await api.views.duplicateView({ tableId, viewId: original.id })
    expect(copy).toEqual({
      ...original,
      ...{ id: expect.stringMatching(/^viw/), name: 'Heavy 2', order: 8, isLocked: false },
    })
    expect(copy.id).not.toBe(original.id)
    expect(await api.views.getView({ tableId, viewId: copy.id })).toEqual(copy)
  })

  test('[VIEW-8] [VIEW-2] deletes views, the last one too', async () => {
    const [{ id: viewId } = { id: '' }] = table.views
    const { id: other } = await create({ name: 'Other' })
    await api.views.deleteView({ tableId, viewId })
    expect(await namesIn()).toEqual(['Other'])
    expect(await api.tables.getDefaultView({ baseId: world.baseId, tableId })).toEqual({
      id: other,
    })
    expect(await create({ name: 'Grid view' })).toMatchObject({ name: 'Grid view' })
    for (const { id } of await api.views.listViews({ tableId })) {
      await api.views.deleteView({ tableId, viewId: id })
    }
    expect(await namesIn()).toEqual([])
    const gone = { code: 'view_not_found' }
    await expect(api.views.getView({ tableId, viewId })).rejects.toMatchObject(gone)
    await world.expectNoTrace(() => api.views.deleteView({ tableId, viewId }), gone)
    await world.expectNoTrace(() => api.views.renameView({ tableId, viewId, name: 'A' }), gone)
    const nodes = await api.tree.listNodes({ baseId: world.baseId })
    const { id: nodeId = '' } = nodes.find(({ resourceId }) => resourceId === tableId) ?? {}
    const copy = await api.tree.duplicateNode({ baseId: world.baseId, nodeId, name: 'Without' })
    expect(await api.views.listViews({ tableId: copy.resourceId })).toEqual([])
    expect(await create({})).toMatchObject({ order: 0 })
  })

  test('[VIEW-21] tells of what was created, copied and deleted', async () => {
    const { userId } = world.ada
    let viewId = ''
    const told = (name: string, id: string) => [{ name, userId, tableId, viewId: id }]
    const made = await world.heard(async () => {
      viewId = (await create({})).id
    })
    expect(made).toEqual(told('view.created', viewId))
    let copyId = ''
    const copied = await world.heard(async () => {
      copyId = (await api.views.duplicateView({ tableId, viewId })).id
    })
    expect(copied).toEqual(told('view.created', copyId))
    const deleted = await world.heard(() => api.views.deleteView({ tableId, viewId }))
    expect(deleted).toEqual(told('view.deleted', viewId))
  })

  test('[TABLE-22] copies the views of a table, with its own fields in their settings', async () => {
    const [name = '', count = '', status = ''] = ids
    await create({ name: 'Heavy', ...settings() })
    await create({ type: 'kanban', options: { stackFieldId: status } })
    const nodes = await api.tree.listNodes({ baseId: world.baseId })
    const { id: nodeId = '' } = nodes.find(({ resourceId }) => resourceId === tableId) ?? {}
    const node = await api.tree.duplicateNode({ baseId: world.baseId, nodeId, name: 'Copy' })
    const copyId = node.resourceId
    const fields = await api.fields.listFields({ tableId: copyId })
    const copied = new Map(table.fields.map(({ id }, index) => [id, fields[index]?.id ?? '']))
    const [, heavy, kanban] = await api.views.listViews({ tableId: copyId })
    const renamed = JSON.stringify(settings()).replace(/fld\w{16}/g, (id) => copied.get(id) ?? id)
    const { columnMeta, ...others } = JSON.parse(renamed)
    expect(heavy).toMatchObject({ name: 'Heavy', ...others, columnMeta })
    expect(Object.keys(heavy?.columnMeta ?? {})).toEqual(
      [name, count, status].map((id) => copied.get(id)),
    )
    expect(kanban).toMatchObject({ options: { stackFieldId: copied.get(status) } })
  })
})
