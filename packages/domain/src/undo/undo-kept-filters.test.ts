import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { makeTasksAndPeople, type RenamedChoices } from '@gateleg/testing/worlds/renamed-choices'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeEach, expect, test } from 'vitest'

const options = { windowId: 'window-1' }
const done = { status: 'fulfilled' }

describeOnEveryStorage('undo of conversions of fields with filters', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let tasks: TestTable
  let people: TestTable
  let stateId: string
  let rename: RenamedChoices['rename']

  beforeEach(async () => {
    await world.clear()
    const made = await makeTasksAndPeople(world)
    tasks = made.tasks
    people = made.people
    stateId = made.states.fieldId
    rename = made.states.rename
  })

  const about = (value: string) => ({
    conjunction: 'and' as const,
    filterSet: [{ fieldId: stateId, operator: 'is' as const, value }],
  })
  const convert = (fieldId: string, definition: object) =>
    world.api.fields.convertField({ tableId: people.id, fieldId, ...definition } as never, options)
  const undo = () => world.api.undo.undoChange({ tableId: people.id }, options)
  const redo = () => world.api.undo.redoChange({ tableId: people.id }, options)

  test('[UNDO-150] gives the filter of a link the names of today, and so does redo', async () => {
    const target = { relationship: 'manyMany', foreignTableId: tasks.id }
    const definition = (filter: object | null) => ({ type: 'link', options: { ...target, filter } })
    const link = await world.addField(people, { name: 'Tasks', ...definition(about('open')) })
    const filter = async () => (await world.fieldOf(people, 'Tasks')).options.filter ?? null
    await convert(link.id, definition(null))
    await rename('done', 'open')
    expect(await undo()).toEqual(done)
    expect(await filter()).toEqual(about('done'))
    expect(await redo()).toEqual(done)
    expect(await filter()).toBeNull()
    await rename('to do', 'open')
    expect(await undo()).toEqual(done)
    expect(await filter()).toEqual(about('to do'))
  })

  test('[UNDO-150] gives the filter of a lookup the names of today, and it shows what it showed', async () => {
    const link = await world.addField(people, {
      ...{ type: 'link', name: 'Tasks' },
      options: { relationship: 'manyMany', foreignTableId: tasks.id },
    })
    await world.change(people, people.recordIds[0], { Tasks: tasks.recordIds })
    const read = { foreignTableId: tasks.id, linkFieldId: link.id, lookupFieldId: tasks.primaryId }
    const definition = (value: string) => ({
      ...{ type: 'singleLineText', isLookup: true },
      lookupOptions: { ...read, filter: about(value) },
    })
    const lookup = await world.addField(people, { name: 'Open', ...definition('open') })
    expect(await world.cellsOf(people, 'Open')).toEqual([['wash']])
    await convert(lookup.id, { type: 'longText' })
    await rename('done', 'open')
    expect(await undo()).toEqual(done)
    expect(await world.cellsOf(people, 'Open')).toEqual([['wash']])
    await rename('to do', 'open')
    expect(await world.cellsOf(people, 'Open')).toEqual([['wash']])
  })
  test('[UNDO-141] gives the filter of a view about a lookup of choices the names of today', async () => {
    const { fields, views } = world.api
    const tableId = people.id
    const target = { relationship: 'manyMany' as const, foreignTableId: tasks.id }
    const { id: linkFieldId } = await fields.createField({
      tableId,
      type: 'link',
      name: 'Tasks',
      options: target,
    })
    const shown = await world.addField(people, {
      ...{ type: 'singleSelect', name: 'States', isLookup: true },
      lookupOptions: { foreignTableId: tasks.id, linkFieldId, lookupFieldId: stateId },
    })
    const [first] = await views.listViews({ tableId })
    const view = { tableId, viewId: first?.id ?? '' }
    const about = (name: string) => ({
      conjunction: 'and' as const,
      filterSet: [{ fieldId: shown.id, operator: 'hasAnyOf' as const, value: [name] }],
    })
    await views.setViewFilter({ ...view, filter: about('open') }, options)
    await views.setViewFilter({ ...view, filter: null }, options)
    await rename('done', 'open')
    expect(await undo()).toEqual(done)
    expect((await views.getView(view)).filter).toEqual(about('done'))
  })
})
