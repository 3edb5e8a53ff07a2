import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { type BaseWorld, invalidAt, openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('the place and the lock of a view', (storage) => {
  const world = worldOfBlock(() => openBaseWorld(storage))
  let api: BaseWorld['api']
  let tableId: string
  let recordId: string
  let ids: readonly string[]

  beforeAll(async () => {
    api = world.api
  })
  beforeEach(async () => {
    const views = ['A', 'B', 'C'].map((name) => ({ type: 'grid' as const, name }))
    const table = await api.tables.createTable({ baseId: world.baseId, views })
    tableId = table.id
    recordId = table.records[0]?.id ?? ''
    ids = table.views.map(({ id }) => id)
  })

  const move = (from: number, to: number, position: 'before' | 'after') =>
    api.views.moveView({ tableId, viewId: ids[from] ?? '', anchorId: ids[to] ?? '', position })
  const ofTable = () => ({ resourceId: tableId, resourceType: 'table' }) as const
  const names = async () =>
    (await api.views.listViews({ tableId })).map(({ name }) => name).join('')

  test('[VIEW-18] moves a view before or after another one', async () => {
    await move(2, 0, 'before')
    expect(await names()).toBe('CAB')
    await move(2, 0, 'after')
    expect(await names()).toBe('ACB')
    await move(0, 1, 'after')
    expect(await names()).toBe('CBA')
    expect(await api.views.getView({ tableId, viewId: ids[1] ?? '' })).toMatchObject({ version: 1 })
  })

  test('[VIEW-18] finds a place where the numbers between two are used up', async () => {
    const { id } = await api.views.createView({ tableId, type: 'grid', name: 'D' })
    ids = [...ids, id]
    for (let index = 0; index < 30; index++) {
      await move(3, 1, 'after')
      expect(await names()).toBe('ABDC')
      await move(2, 1, 'after')
      expect(await names()).toBe('ABCD')
    }
  })

  test('[VIEW-18] refuses itself as anchor, and one that is no view of the table', async () => {
    await world.expectNoTrace(() => move(1, 1, 'after'), invalidAt('anchorId'))
    const other = await api.tables.createTable({ baseId: world.baseId })
    for (const anchorId of [other.views[0]?.id ?? '', 'viwNone', tableId]) {
      const viewId = ids[0] ?? ''
      await world.expectNoTrace(
        () => api.views.moveView({ tableId, viewId, anchorId, position: 'before' }),
        { code: 'view_not_found' },
      )
    }
  })

  test('[VIEW-147] a view comes back from the trash before the one that has its order by now', async () => {
    for (let round = 0; round < 4; round++) {
      const viewId = (await api.views.listViews({ tableId })).at(-1)?.id ?? ''
      const { name: last } = await api.views.getView({ tableId, viewId })
      await api.views.deleteView({ tableId, viewId })
      await api.views.createView({ tableId, type: 'grid', name: `New ${round}` })
      const [entry] = (await api.trash.listTrashItems({ ...ofTable(), pageSize: 1 })).trashItems
      await api.trash.restoreTrash({ trashId: entry?.id ?? '' })
      const views = await api.views.listViews({ tableId })
      expect(views.at(-2)?.name).toBe(last)
      expect(new Set(views.map(({ order }) => order)).size).toBe(views.length)
    }
  })

  test('[VIEW-23] a locked view stays as it is until it is unlocked', async () => {
    const [viewId = '', anchorId = ''] = ids
    const view = { tableId, viewId }
    const fields = await api.fields.listFields({ tableId })
    const fieldId = fields[1]?.id ?? ''
    const by = [{ fieldId, order: 'asc' as const }]
    const filter = {
      conjunction: 'and',
      filterSet: [{ fieldId, operator: 'isEmpty' }],
    } as const
    const calls = {
      renameView: () => api.views.renameView({ ...view, name: 'New' }),
      describeView: () => api.views.describeView({ ...view, description: 'New' }),
      setViewFilter: () => api.views.setViewFilter({ ...view, filter }),
      setViewSort: () => api.views.setViewSort({ ...view, sort: { sortObjs: by } }),
      setViewGroup: () => api.views.setViewGroup({ ...view, group: by }),
      setViewOptions: () => api.views.setViewOptions({ ...view, options: { rowHeight: 'tall' } }),
      setColumnMeta: () =>
        api.views.setColumnMeta({
          ...view,
          columnMeta: [{ fieldId, columnMeta: { hidden: true } }],
        }),
      moveView: () => api.views.moveView({ ...view, anchorId, position: 'after' }),
      deleteView: () => api.views.deleteView(view),
      createField: () =>
        api.fields.createField({ tableId, type: 'number', order: { viewId, orderIndex: 0 } }),
      duplicateField: () => api.fields.duplicateField({ ...view, fieldId }),
    }
    await api.views.lockView({ ...view, isLocked: true })
    expect(await api.views.getView(view)).toMatchObject({ isLocked: true, version: 2 })
    for (const call of Object.values(calls)) {
      await world.expectNoTrace(call, { code: 'restricted_resource', message: /locked/ })
    }
    const record = { fields: { Name: 'Changed' } }
    await api.records.updateRecord({ tableId, recordId, record })
    await move(1, 0, 'before')
    await api.views.lockView({ ...view })
    expect(await api.views.getView(view)).toMatchObject({ isLocked: true, version: 2 })
    await api.views.lockView({ ...view, isLocked: false })
    expect(await api.views.getView(view)).toMatchObject({ isLocked: false })
    for (const [name, call] of Object.entries(calls)) if (name !== 'deleteView') await call()
    await calls.deleteView()
  })

  test('[VIEW-24] owners and creators lock views, and nobody else', async () => {
    const [viewId = ''] = ids
    const [creator, editor] = [
      await world.newCollaborator('Cleo', 'creator'),
      await world.newCollaborator('Eddy', 'editor'),
    ]
    const refused = { code: 'restricted_resource' }
    const lock = (person: typeof editor, isLocked: boolean) =>
      person.api.views.lockView({ tableId, viewId, isLocked })
    await world.expectNoTrace(() => lock(editor, true), refused)
    const made = { tableId, type: 'grid', isLocked: true } as const
    await world.expectNoTrace(() => editor.api.views.createView(made), refused)
    await editor.api.views.createView({ ...made, isLocked: false })
    expect(await creator.api.views.createView(made)).toMatchObject({ isLocked: true })
    await lock(creator, true)
    await world.expectNoTrace(() => lock(editor, false), refused)
    await world.expectNoTrace(
      () => editor.api.views.renameView({ tableId, viewId, name: 'New' }),
      refused,
    )
    await lock(creator, false)
    await editor.api.views.renameView({ tableId, viewId, name: 'New' })
  })
})
