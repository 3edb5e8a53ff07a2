import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { type BaseWorld, invalidAt, openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'

describeOnEveryStorage('how views show fields', (storage) => {
  const world = worldOfBlock(() => openBaseWorld(storage))
  let api: BaseWorld['api']
  let tableId: string
  let views: Readonly<Record<string, string>>
  let ids: readonly string[]

  beforeAll(async () => {
    api = world.api
  })
  beforeEach(async () => {
    const table = await api.tables.createTable({
      baseId: world.baseId,
      fields: [
        { type: 'singleLineText', name: 'Name' },
        { type: 'number', name: 'Count' },
        { type: 'date', name: 'Day' },
        { type: 'singleSelect', name: 'State', options: { choices: [] } },
      ],
      views: (['grid', 'kanban', 'gallery', 'calendar', 'form'] as const).map((type) => ({ type })),
    })
    tableId = table.id
    views = Object.fromEntries(table.views.map(({ id, type }) => [type, id]))
    ids = table.fields.map(({ id }) => id)
  })

  const viewOf = (type: string) => ({ tableId, viewId: views[type] ?? '' })
  /** Sets something of fields, by their place in the table. */
  const set = (type: string, settings: Readonly<Record<number, object>>) =>
    api.views.setColumnMeta({
      ...viewOf(type),
      columnMeta: Object.entries(settings).map(([index, columnMeta]) => ({
        fieldId: ids[Number(index)] ?? 'fldNone',
        columnMeta: { ...columnMeta },
      })),
    })
  const columnsOf = async (type: string) => {
    const { columnMeta } = await api.views.getView(viewOf(type))
    return ids.map((id) => columnMeta[id])
  }
  const shownIn = async (type: string, filterHidden = true) => {
    const { viewId } = viewOf(type)
    const listed = await api.fields.listFields({ tableId, viewId, filterHidden })
    return listed.map(({ name }) => name)
  }

  test('[VIEW-15] sets one member or several, of one field or several', async () => {
    await set('grid', { 1: { width: 300, statisticFunc: 'sum' }, 2: { order: -1 } })
    expect(await columnsOf('grid')).toEqual([
      { order: 0 },
      { order: 1, width: 300, statisticFunc: 'sum' },
      { order: -1 },
      { order: 3 },
    ])
    await set('grid', { 1: { width: 120, hidden: true } })
    await set('grid', { 1: { statisticFunc: null, hidden: false } })
    expect((await columnsOf('grid'))[1]).toEqual({ order: 1, width: 120, hidden: false })
    await set('form', { 0: { required: true }, 1: { visible: false } })
    expect(await columnsOf('form')).toEqual([
      { order: 0, visible: true, required: true },
      { order: 1, visible: false },
      { order: 2, visible: true },
      { order: 3, visible: true },
    ])
  })

  test('[VIEW-15] takes a field that is named twice both times', async () => {
    const [fieldId = ''] = ids
    const columnMeta = [{ width: 10 }, { order: 9 }].map((one) => ({ fieldId, columnMeta: one }))
    await api.views.setColumnMeta({ ...viewOf('grid'), columnMeta })
    expect((await columnsOf('grid'))[0]).toEqual({ order: 9, width: 10 })
  })

  test('[VIEW-15] takes a width of up to 10,000 pixels', async () => {
    expect(limits.columnWidth).toBe(10_000)
    await set('grid', { 1: { width: 10_000 } })
    expect((await columnsOf('grid'))[1]).toEqual({ order: 1, width: 10_000 })
    const refusal = invalidAt('columnMeta', 0, 'columnMeta', 'width')
    await world.expectNoTrace(() => set('grid', { 1: { width: 10_001 } }), refusal)
  })

  describe('[VIEW-15] refuses', () => {
    const misfits: readonly (readonly [string, string, object, readonly string[]])[] = [
      ['a width in a form', 'form', { width: 100 }, []],
      ['visibility in a grid', 'grid', { visible: true }, []],
      ['hiding in a kanban', 'kanban', { hidden: true }, []],
      ['an unknown member', 'grid', { color: 'red' }, []],
      ['a place that is none', 'grid', { order: 'first' }, ['order']],
      ['a width of nothing', 'grid', { width: 0 }, ['width']],
      ['a width of miles', 'grid', { width: 10_001 }, ['width']],
      ['an unknown statistic', 'grid', { statisticFunc: 'all' }, ['statisticFunc']],
      ['one that the field has not', 'grid', { statisticFunc: 'checked' }, ['statisticFunc']],
    ]
    test.each(misfits)('%s', async (_what, type, columnMeta, path) => {
      const place = ['columnMeta', 1, 'columnMeta', ...path]
      await world.expectNoTrace(
        () => set(type, { 1: { order: 1 }, 2: columnMeta }),
        invalidAt(...place),
      )
    })

    test('a field that there is not, and a list of none', async () => {
      await world.expectNoTrace(
        () => set('grid', { 9: { order: 1 } }),
        invalidAt('columnMeta', 0, 'fieldId'),
      )
      await world.expectNoTrace(() => set('grid', {}), invalidAt('columnMeta'))
    })
  })

  test('[VIEW-16] hides no primary field in a grid, a kanban or a gallery', async () => {
    const refused = { code: 'restricted_resource' }
    await world.expectNoTrace(() => set('grid', { 0: { hidden: true } }), refused)
    for (const type of ['kanban', 'gallery'] as const)
      await world.expectNoTrace(() => set(type, { 0: { visible: false } }), refused)
    await set('grid', { 0: { hidden: false }, 1: { hidden: true } })
    expect(await shownIn('grid')).toEqual(['Name', 'Day', 'State'])
  })

  test('[VIEW-17] lists fields as a view shows them', async () => {
    await set('grid', { 3: { order: 0.5 }, 2: { hidden: true } })
    expect(await shownIn('grid')).toEqual(['Name', 'State', 'Count'])
    expect(await shownIn('grid', false)).toEqual(['Name', 'State', 'Count', 'Day'])
    expect(await shownIn('kanban')).toEqual(['Name'])
    await set('kanban', { 2: { visible: true } })
    expect(await shownIn('kanban')).toEqual(['Name', 'Day'])
    const options = { stackFieldId: ids[3] ?? '' }
    await api.views.setViewOptions({ ...viewOf('kanban'), options })
    expect(await shownIn('kanban')).toEqual(['Name', 'Day', 'State'])
    expect(await shownIn('form')).toEqual(['Name', 'Count', 'Day', 'State'])
    await set('form', { 0: { visible: false }, 3: { visible: false, order: -1 } })
    expect(await shownIn('form')).toEqual(['Count', 'Day'])
    expect(await shownIn('form', false)).toEqual(['State', 'Name', 'Count', 'Day'])
  })

  test('[VIEW-17] shows new fields in a grid, and not where fields are chosen', async () => {
    await api.fields.createField({ tableId, type: 'checkbox', name: 'Done' })
    expect(await shownIn('grid')).toEqual(['Name', 'Count', 'Day', 'State', 'Done'])
    expect(await shownIn('form')).toEqual(['Name', 'Count', 'Day', 'State'])
    expect(await shownIn('calendar')).toEqual(['Name'])
  })

  test('[VIEW-120] shows the field that the colors of a calendar come from', async () => {
    const fieldId = ids[3] ?? ''
    const shows = async (colorConfig: object) => {
      await api.views.setViewOptions({ ...viewOf('calendar'), options: { colorConfig } })
      const { viewId } = viewOf('calendar')
      const { records } = await api.records.listRecords({ tableId, viewId, take: 1 })
      return [await shownIn('calendar'), Object.keys(records[0]?.fields ?? {})]
    }
    const [record] = (await api.records.listRecords({ tableId, take: 1 })).records
    const fields = { Name: 'Sale', State: 'open' }
    await api.records.updateRecord({
      ...{ tableId, recordId: record?.id ?? '', typecast: true },
      record: { fields },
    })
    expect(await shows({ type: 'field', fieldId })).toEqual([
      ['Name', 'State'],
      ['Name', 'State'],
    ])
    expect(await shows({ type: 'custom', fieldId, color: 'red' })).toEqual([['Name'], ['Name']])
  })

  test('[VIEW-22] a field that is made at a place changes the view', async () => {
    const { viewId } = viewOf('grid')
    await set('grid', { 1: { width: 300 } })
    const order = { viewId, orderIndex: 0.5 }
    const events = await world.heard(() =>
      api.fields.createField({ tableId, type: 'number', name: 'New', order }),
    )
    const { userId } = world.ada
    expect(events).toContainEqual({ name: 'view.updated', userId, tableId, viewId })
    expect(await shownIn('grid')).toEqual(['Name', 'New', 'Count', 'Day', 'State'])
    expect((await columnsOf('grid'))[1]).toEqual({ order: 1, width: 300 })
    const [, fieldId = ''] = ids
    await api.fields.duplicateField({ tableId, fieldId, viewId })
    expect(await shownIn('grid')).toEqual(['Name', 'New', 'Count', 'Count 2', 'Day', 'State'])
    expect(await api.views.getView({ tableId, viewId })).toMatchObject({ version: 4 })
  })
})
