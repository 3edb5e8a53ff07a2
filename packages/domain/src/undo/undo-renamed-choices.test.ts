import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { addStates, type RenamedChoices } from '@gateleg/testing/worlds/renamed-choices'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeEach, expect, test } from 'vitest'

const options = { windowId: 'window-1' }
const done = { status: 'fulfilled' }

describeOnEveryStorage('undo of filters whose choices have other names since', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let table: TestTable
  let states: RenamedChoices
  let view: { readonly tableId: string; readonly viewId: string }

  beforeEach(async () => {
    await world.clear()
    table = await world.makeNames('Books')
    const tableId = table.id
    states = await addStates(world, table, 'multipleSelect')
    const [first] = await world.api.views.listViews({ tableId })
    view = { tableId, viewId: first?.id ?? '' }
  })

  const rename = (one: string, two: string) => states.rename(one, two)
  const about = (...names: string[]) => ({
    conjunction: 'and' as const,
    filterSet: [
      { fieldId: table.primaryId, operator: 'is' as const, value: 'open' },
      {
        conjunction: 'or' as const,
        filterSet: [{ fieldId: states.fieldId, operator: 'hasAnyOf' as const, value: names }],
      },
    ],
  })
  const set = (filter: ReturnType<typeof about> | null) =>
    world.api.views.setViewFilter({ ...view, filter }, options)
  const filter = async () => (await world.api.views.getView(view)).filter
  const undo = () => world.api.undo.undoChange({ tableId: table.id }, options)
  const redo = () => world.api.undo.redoChange({ tableId: table.id }, options)

  test('[UNDO-141] gives them the names of today, and so does redo', async () => {
    await set(about('open', 'done', 'gone'))
    await set(null)
    await rename('to do', 'done')
    expect(await undo()).toEqual(done)
    expect(await filter()).toEqual(about('to do', 'done', 'gone'))
    await rename('done', 'to do')
    expect(await undo()).toEqual(done)
    expect(await filter()).toBeUndefined()
    expect(await redo()).toEqual(done)
    expect(await filter()).toEqual(about('done', 'to do', 'gone'))
    expect(await redo()).toEqual(done)
    expect(await filter()).toBeUndefined()
  })

  test('[UNDO-142] gives cells the names of today, and takes back records that were added with them', async () => {
    const { records } = world.api
    const made = await records.createRecords(
      { tableId: table.id, records: [{ fields: { State: ['open', 'done'] } }] },
      options,
    )
    const recordId = made.records[0]?.id ?? ''
    const at = { tableId: table.id, recordId }
    await records.updateRecord({ ...at, record: { fields: { State: null } } }, options)
    await rename('done', 'open')
    const state = async () => (await world.recordOf(table, recordId)).State
    expect(await undo()).toEqual(done)
    expect(await state()).toEqual(['done', 'open'])
    await rename('to do', 'over')
    expect(await redo()).toEqual(done)
    expect(await state()).toBeUndefined()
    expect(await undo()).toEqual(done)
    expect(await state()).toEqual(['to do', 'over'])
    expect(await undo()).toEqual(done)
    expect(await world.cellsOf(table, 'State')).toEqual([])
  })
})
