import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('filters in the trash', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let tasks: TestTable
  let people: TestTable
  let filter: { conjunction: 'and'; filterSet: object[] }

  beforeEach(async () => {
    const choices = [
      { id: 'one', name: 'open' },
      { id: 'two', name: 'done' },
    ]
    tasks = await world.makeTable(
      'Tasks',
      [
        { type: 'singleLineText', name: 'Name' },
        { type: 'singleSelect', name: 'State', options: { choices } },
      ],
      [
        { Name: 'wash', State: 'open' },
        { Name: 'cook', State: 'done' },
      ],
    )
    people = await world.makeNames('People', 'ann')
    const { id: fieldId } = await world.fieldOf(tasks, 'State')
    filter = { conjunction: 'and', filterSet: [{ fieldId, operator: 'is', value: 'open' }] }
  })
  afterEach(() => world.clear())

  /** The choices exchange their names. */
  const rename = () => {
    const choices = [
      { id: 'one', name: 'done' },
      { id: 'two', name: 'open' },
    ]
    return world.convert(tasks, 'State', { type: 'singleSelect', options: { choices } })
  }
  const restore = async (resourceId: string, resourceType: 'table' | 'base') => {
    const { trashItems } = await world.api.trash.listTrashItems({ resourceId, resourceType })
    await world.api.trash.restoreTrash({ trashId: trashItems[0]?.id ?? '' })
  }
  /** A field of the people with the names of their open tasks, answered with the link that it reads. */
  const addOpen = async () => {
    const options = { relationship: 'manyMany', foreignTableId: tasks.id, filter }
    const link = await world.addField(people, { type: 'link', name: 'Tasks', options })
    await world.change(people, people.recordIds[0], { Tasks: tasks.recordIds })
    const read = { foreignTableId: tasks.id, linkFieldId: link.id, lookupFieldId: tasks.primaryId }
    const lookup = await world.addField(people, {
      ...{ type: 'singleLineText', name: 'Open', isLookup: true },
      lookupOptions: { ...read, filter },
    })
    return { link, lookup }
  }

  /** A lookup of the states of their tasks, and a filter about it. */
  const addShown = async () => {
    const { link } = await addOpen()
    const { id: lookupFieldId } = await world.fieldOf(tasks, 'State')
    const shown = await world.addField(people, {
      ...{ type: 'singleSelect', name: 'States', isLookup: true },
      lookupOptions: { foreignTableId: tasks.id, linkFieldId: link.id, lookupFieldId },
    })
    const about = (value: string) => ({
      ...{ conjunction: 'and' as const },
      filterSet: [{ fieldId: shown.id, operator: 'hasAnyOf' as const, value: [value] }],
    })
    return { shown, about }
  }

  test('[FIELD-263] of a view follow choices that get other names', async () => {
    const { api } = world
    const tableId = tasks.id
    const { id: viewId } = await api.views.createView({ tableId, type: 'grid', name: 'Open' })
    await api.views.setViewFilter({ tableId, viewId, filter: filter as never })
    await api.views.deleteView({ tableId, viewId })
    await rename()
    await restore(tableId, 'table')
    const { records } = await api.records.listRecords({ tableId, viewId })
    expect(records.map(({ name }) => name)).toEqual(['wash'])
  })

  test('[FIELD-263] of fields follow, of a lookup and of a link', async () => {
    const { link, lookup } = await addOpen()
    await world.api.fields.deleteField({ tableId: people.id, fieldId: lookup.id })
    await rename()
    await restore(people.id, 'table')
    expect(await world.cellsOf(people, 'Open')).toEqual([['wash']])
    await world.api.fields.deleteField({ tableId: people.id, fieldId: link.id })
    const choices = [{ id: 'one', name: 'to do' }]
    await world.convert(tasks, 'State', { type: 'singleSelect', options: { choices } })
    await restore(people.id, 'table')
    const { options } = await world.fieldOf(people, 'Tasks')
    expect(JSON.stringify(options.filter)).toContain('to do')
    expect(await world.cellsOf(people, 'Open')).toEqual([['wash']])
  })

  test('[FIELD-263] follow where they are about a lookup that lies there', async () => {
    const { api } = world
    const tableId = people.id
    const { shown, about } = await addShown()
    const [{ id: viewId } = { id: '' }] = await api.views.listViews({ tableId })
    await api.views.setViewFilter({ tableId, viewId, filter: about('open') })
    await api.fields.deleteField({ tableId, fieldId: shown.id })
    await rename()
    await restore(tableId, 'table')
    expect((await api.views.getView({ tableId, viewId })).filter).toEqual(about('done'))
  })

  test.each(['stays', 'was deleted'])(
    '[FIELD-290] of a table there follow that are about a lookup, where the view %s in it',
    async (state) => {
      const { api, baseId } = world
      const tableId = people.id
      const { about } = await addShown()
      const { id: viewId } = await api.views.createView({ tableId, type: 'grid', name: 'Open' })
      await api.views.setViewFilter({ tableId, viewId, filter: about('open') })
      if (state === 'was deleted') await api.views.deleteView({ tableId, viewId })
      await api.tables.deleteTable({ baseId, tableId })
      await rename()
      await restore(baseId, 'base')
      if (state === 'was deleted') await restore(tableId, 'table')
      expect((await api.views.getView({ tableId, viewId })).filter).toEqual(about('done'))
    },
  )

  /** Long names for the choices, under limits that have room for no longer ones. */
  const renameToLong = (limits: Parameters<typeof withLimits>[0]) => {
    const choices = ['one', 'two'].map((id) => ({ id, name: id.repeat(33) }))
    return withLimits(limits, () =>
      world.convert(tasks, 'State', { type: 'singleSelect', options: { choices } }),
    )
  }
  const tooLong = {
    ...invalidAt('options'),
    message: expect.stringMatching(/filter too long that names them/),
  }

  test.each(['stays', 'was deleted'])(
    '[FIELD-310] longer names are refused where a filter of a view that %s would be longer than one may be',
    async (state) => {
      const { api } = world
      const tableId = tasks.id
      const { id: viewId } = await api.views.createView({ tableId, type: 'grid', name: 'Open' })
      await api.views.setViewFilter({ tableId, viewId, filter: filter as never })
      if (state === 'was deleted') await api.views.deleteView({ tableId, viewId })
      await expect(renameToLong({ keptFilterLength: 150 })).rejects.toMatchObject(tooLong)
      expect(await world.cellsOf(tasks, 'State')).toEqual(['open', 'done'])
      await renameToLong({ keptFilterLength: 200 })
      // A filter that has more than there is room for may become shorter.
      await withLimits({ keptFilterLength: 50 }, rename)
    },
  )

  test('[FIELD-310] the same with filters of fields, be they there or in the trash', async () => {
    const { lookup } = await addOpen()
    const refused = () =>
      expect(renameToLong({ keptFilterLength: 150 })).rejects.toMatchObject(tooLong)
    await refused()
    await world.api.fields.deleteField({ tableId: people.id, fieldId: lookup.id })
    const { options } = await world.fieldOf(people, 'Tasks')
    await world.convert(people, 'Tasks', { type: 'link', options: { ...options, filter: null } })
    await refused()
  })

  test('[FIELD-310] and where a table in the trash would keep more than one may, in its fields or views', async () => {
    const { api, baseId } = world
    const tableId = people.id
    const { about } = await addShown()
    const [{ id: viewId } = { id: '' }] = await api.views.listViews({ tableId })
    await api.views.setViewFilter({ tableId, viewId, filter: about('open') })
    const fields = await api.fields.listFields({ tableId })
    expect(fields).toHaveLength(5)
    await api.tables.deleteTable({ baseId, tableId })
    const state = await world.fieldOf(tasks, 'State')
    expect(JSON.stringify(state.options).length).toBeLessThan(200)
    for (const limits of [{ tableOptionsLength: 1_000 }, { tableViewsLength: 150 }]) {
      await expect(renameToLong(limits)).rejects.toMatchObject({ code: 'validation_error' })
    }
    await renameToLong({})
    await restore(baseId, 'base')
    expect((await api.views.getView({ tableId, viewId })).filter).toEqual(about('one'.repeat(33)))
  })

  test('[FIELD-263] of the fields of a table follow', async () => {
    await addOpen()
    await world.api.tables.deleteTable({ baseId: world.baseId, tableId: people.id })
    await rename()
    await restore(world.baseId, 'base')
    expect(await world.cellsOf(people, 'Open')).toEqual([['wash']])
  })
})
