import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import {
  makeTasksAndPeople,
  type RenamedChoices,
  twoChoices,
} from '@gateleg/testing/worlds/renamed-choices'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeEach, expect, test } from 'vitest'

const options = { windowId: 'window-1' }
const done = { status: 'fulfilled' }

describeOnEveryStorage('undo of what names choices that have other names since', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let tasks: TestTable
  let people: TestTable
  let stateId: string
  let rename: RenamedChoices['rename']
  let linkFieldId: string

  beforeEach(async () => {
    await world.clear()
    const made = await makeTasksAndPeople(world)
    tasks = made.tasks
    people = made.people
    stateId = made.states.fieldId
    rename = made.states.rename
    const target = { relationship: 'manyMany', foreignTableId: tasks.id }
    const link = { type: 'link', name: 'Tasks', options: target }
    linkFieldId = (await world.addField(people, link)).id
    await world.change(people, people.recordIds[0], { Tasks: tasks.recordIds })
  })

  const about = (fieldId: string, value: string) => ({
    conjunction: 'and' as const,
    filterSet: [{ fieldId, operator: 'is' as const, value }],
  })
  const lookupOf = (lookupFieldId: string, type: string) => ({
    ...{ type, isLookup: true },
    lookupOptions: {
      ...{ foreignTableId: tasks.id, linkFieldId, lookupFieldId },
      filter: about(stateId, 'open'),
    },
  })
  const convert = (fieldId: string, definition: object) =>
    world.api.fields.convertField({ tableId: people.id, fieldId, ...definition } as never, options)
  const undo = (table = people) => world.api.undo.undoChange({ tableId: table.id }, options)
  const redo = (table = people) => world.api.undo.redoChange({ tableId: table.id }, options)

  test('[UNDO-160] takes back the conversion of a lookup whose filter stayed', async () => {
    const { id: countId } = await world.fieldOf(tasks, 'Count')
    const lookup = await world.addField(people, {
      name: 'Open',
      ...lookupOf(tasks.primaryId, 'singleLineText'),
    })
    await convert(lookup.id, lookupOf(countId, 'number'))
    await rename('to do', 'done')
    expect(await undo()).toEqual(done)
    expect(await world.cellsOf(people, 'Open')).toEqual([['wash']])
    await rename('done', 'to do')
    expect(await redo()).toEqual(done)
    expect(await world.cellsOf(people, 'Open')).toEqual([[1]])
  })

  test('[UNDO-160] takes back the conversion into a lookup of choices', async () => {
    const { id } = await world.addField(people, { type: 'longText', name: 'States' })
    await convert(id, lookupOf(stateId, 'singleSelect'))
    await rename('to do', 'done')
    expect(await world.cellsOf(people, 'States')).toEqual([['to do']])
    expect(await undo()).toEqual(done)
    expect(await world.fieldOf(people, 'States')).toMatchObject({ type: 'longText' })
  })

  test('[UNDO-160] takes fields, views and records away again that came back', async () => {
    const { fields, views, records } = world.api
    const tableId = people.id
    const { id: fieldId } = await world.addField(people, {
      name: 'Open',
      ...lookupOf(tasks.primaryId, 'singleLineText'),
    })
    await fields.deleteField({ tableId, fieldId }, options)
    expect(await undo()).toEqual(done)
    await rename('to do', 'done')
    expect(await redo()).toEqual(done)
    const definition = { type: 'grid' as const, filter: about(stateId, 'to do') }
    const view = await views.createView({ tableId: tasks.id, ...definition })
    await views.deleteView({ tableId: tasks.id, viewId: view.id }, options)
    expect(await undo(tasks)).toEqual(done)
    await rename('done', 'to do')
    expect(await redo(tasks)).toEqual(done)
    const [recordId = ''] = tasks.recordIds
    await records.deleteRecord({ tableId: tasks.id, recordId }, options)
    expect(await undo(tasks)).toEqual(done)
    await rename('open', 'to do')
    expect(await redo(tasks)).toEqual(done)
  })

  test('[UNDO-160] takes records away that were added, however long they are', async () => {
    const added = [{ fields: { Name: 'long '.repeat(100), State: 'open' } }]
    await withLimits({ undoLength: 400 }, () =>
      world.api.records.createRecords({ tableId: tasks.id, records: added }, options),
    )
    await rename('to do', 'done')
    expect(await undo(tasks)).toEqual(done)
    expect(await world.cellsOf(tasks, 'State')).toEqual(['to do', 'done'])
  })

  test('[UNDO-200] takes a copy of choices away that the background made', async () => {
    const { fields } = world.api
    const of = { tableId: tasks.id, fieldId: stateId }
    const copied = async () => {
      const copy = await withLimits({ bytesCalculated: 1 }, () =>
        fields.duplicateField(of, options),
      )
      expect(copy).toMatchObject({ isPending: true })
      await world.finishJobs()
      return copy.name
    }
    const renameIn = (name: string, one: string, two: string) =>
      world.convert(tasks, name, { type: 'singleSelect', options: twoChoices(one, two) })
    await renameIn(await copied(), 'to do', 'open')
    expect(await undo(tasks)).toEqual(done)
    expect(await redo(tasks)).toEqual(done)
    expect(await undo(tasks)).toEqual(done)
    const again = await copied()
    await renameIn(again, 'to do', 'open')
    await world.change(tasks, tasks.recordIds[0], { [again]: 'open' })
    expect(await undo(tasks)).toMatchObject({ status: 'failed' })
  })

  test('[UNDO-161] has links show the titles again that they showed', async () => {
    const { id: fieldId } = await world.addField(tasks, { type: 'longText', name: 'Title' })
    await world.change(tasks, tasks.recordIds[0], { Title: 'Wash up' })
    const titled = {
      ...{ relationship: 'manyMany', foreignTableId: tasks.id, lookupFieldId: fieldId },
      filter: about(stateId, 'open'),
    }
    await world.convert(people, 'Tasks', { type: 'link', options: titled })
    const titles = () => world.textsOf(people, 'Tasks')
    const before = await titles()
    expect(before).not.toEqual(['wash, cook'])
    await world.api.fields.deleteField({ tableId: tasks.id, fieldId }, options)
    expect(await titles()).toEqual(['wash, cook'])
    await rename('to do', 'done')
    expect(await undo(tasks)).toEqual(done)
    expect(await titles()).toEqual(before)
    const link = await world.fieldOf(people, 'Tasks')
    expect(link.options).toMatchObject({ lookupFieldId: fieldId, filter: about(stateId, 'to do') })
  })
})
