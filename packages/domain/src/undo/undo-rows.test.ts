import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import type { Person } from '@gateleg/testing/worlds/world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, expect, test } from 'vitest'

const options = { windowId: 'window-1' }
const done = { status: 'fulfilled' }

describeOnEveryStorage('undo of the order of rows', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let api: TableWorld['api']
  let bob: Person
  let table: TestTable
  let at: { tableId: string; viewId: string }

  beforeAll(async () => {
    api = world.api
    bob = await world.newCollaborator('Bob', 'editor')
  })
  beforeEach(async () => {
    table = await world.makeNames('Names', 'd', 'b', 'a', 'c')
    const [view] = await api.views.listViews({ tableId: table.id })
    at = { tableId: table.id, viewId: view?.id ?? '' }
  })

  const undo = () => api.undo.undoChange({ tableId: table.id }, options)
  const redo = () => api.undo.redoChange({ tableId: table.id }, options)
  const failed = (message: RegExp) => ({
    ...{ status: 'failed', errorMessage: expect.stringMatching(message) },
  })
  const listed = async () => (await api.records.listRecords({ ...at, take: 100 })).records
  const names = async () => (await listed()).map(({ fields }) => fields.Name).join('')
  const idOf = async (name: string) =>
    (await listed()).find(({ fields }) => fields.Name === name)?.id ?? ''
  const move = async (moved: string, anchor: string, by = api, window: object = options) => {
    const recordIds = await Promise.all([...moved].map(idOf))
    const anchorId = await idOf(anchor)
    await by.views.moveRows({ ...at, position: 'after', anchorId, recordIds }, window)
  }
  const orderOf = async () =>
    (await world.engine.store.read((tx) => tx.views.find(at.tableId, at.viewId)))?.rowOrder ?? null
  const sortObjs = (order: 'asc' | 'desc') => [{ fieldId: table.primaryId, order }]
  const sortOnce = (order: 'asc' | 'desc' = 'asc') =>
    api.views.sortViewManually({ ...at, sortObjs: sortObjs(order) }, options)
  /** Undoes all, and does all again: through the states that there were. */
  const expectThere = async (...states: readonly string[]) => {
    for (const state of states.slice(0, -1).toReversed()) {
      expect(await undo()).toEqual(done)
      expect(await names()).toBe(state)
    }
    expect(await undo()).toEqual({ status: 'empty' })
    for (const state of states.slice(1)) {
      expect(await redo()).toEqual(done)
      expect(await names()).toBe(state)
    }
  }

  test('[UNDO-21] puts moved rows back, and moves them again', async () => {
    await move('da', 'c')
    await move('b', 'a')
    await move('c', 'd')
    await expectThere('dbac', 'bcda', 'cdab', 'dcab')
    await expectThere('dbac', 'bcda', 'cdab', 'dcab')
  })

  test('[UNDO-21] leaves a view without a row order as it had none, unless others moved rows', async () => {
    await move('d', 'c')
    expect(await orderOf()).not.toBeNull()
    expect(await undo()).toEqual(done)
    expect(await orderOf()).toBeNull()
    expect(await redo()).toEqual(done)
    await move('b', 'd', bob.api, {})
    expect(await names()).toBe('acdb')
    expect(await undo()).toEqual(done)
    expect(await names()).toBe('dacb')
    expect(await redo()).toEqual(done)
    expect(await names()).toBe('acdb')
    await move('c', 'd')
    await world.finishJobs()
    expect(await undo()).toEqual(done)
    expect(await names()).toBe('acdb')
  })

  test('[UNDO-21] makes the first row order anew once that is removed', async () => {
    await move('d', 'c')
    await undo()
    world.clock.advance(31 * 60_000)
    await world.finishJobs()
    expect(await redo()).toEqual(done)
    expect(await names()).toBe('bacd')
    expect(await undo()).toEqual(done)
    expect(await names()).toBe('dbac')
  })

  test('[UNDO-5] [UNDO-21] leaves rows where somebody else put them', async () => {
    await move('d', 'c')
    await move('d', 'b', bob.api, {})
    expect(await undo()).toEqual(failed(/The place of the record .* was changed since/))
    expect(await names()).toBe('bdac')
    await move('a', 'b')
    await withLimits({ rowsBetweenNeighbours: 1 }, () => move('c', 'b', bob.api, {}))
    expect(await undo()).toEqual(failed(/The places of the rows around/))
    await move('a', 'd')
    await world.remove(table, await idOf('a'))
    expect(await undo()).toEqual(failed(/There is no record/))
    await move('b', 'd')
    await api.views.sortViewManually({ ...at, sortObjs: sortObjs('asc') })
    expect(await undo()).toEqual(failed(/The row order of the view/))
    await move('b', 'd')
    await api.views.lockView({ ...at, isLocked: true })
    expect(await undo()).toEqual(failed(/is locked/))
  })

  test('[UNDO-21] gives rows around their places back that got others to make room', async () => {
    const tightly = (moved: string, anchor: string, by = api, window: object = options) =>
      withLimits({ rowsBetweenNeighbours: 1 }, () => move(moved, anchor, by, window))
    await move('d', 'c')
    await tightly('c', 'b')
    await move('a', 'd')
    await tightly('d', 'b')
    await tightly('ab', 'd')
    const states = ['dbac', 'bacd', 'bcad', 'bcda', 'bdca', 'dabc']
    await expectThere(...states)
    await expectThere(...states)
    for (const _ of [1, 2, 3, 4, 5]) await undo()
    await tightly('d', 'b')
    expect(await undo()).toEqual(done)
    expect(await orderOf()).toBeNull()
    expect(await redo()).toEqual(done)
    expect(await names()).toBe('bdac')
  })

  test('[UNDO-5] [UNDO-21] leaves rows around where somebody put one of them, or one between them', async () => {
    const tightly = () => withLimits({ rowsBetweenNeighbours: 1 }, () => move('d', 'b'))
    await tightly()
    await move('a', 'c', bob.api, {})
    expect(await undo()).toEqual(failed(/The places of the rows around/))
    expect(await names()).toBe('bdca')
    await withLimits({ rowsBetweenNeighbours: 1 }, () => move('c', 'b'))
    await world.add(table, { Name: 'e' })
    await move('e', 'b', bob.api, {})
    expect(await undo()).toEqual(failed(/The places of the rows around/))
    expect(await names()).toBe('becda')
  })

  test('[UNDO-21] puts back what was written and moved by one call', async () => {
    const order = async (anchor: string) => ({
      ...{ viewId: at.viewId, anchorId: await idOf(anchor), position: 'before' as const },
    })
    const { id: tableId } = table
    const fields = { Name: 'x' }
    const first = { ...{ tableId, records: [{ fields }] }, order: await order('b') }
    await api.records.createRecords(first, options)
    const one = { tableId, recordId: await idOf('a'), record: { fields: { Name: 'A' } } }
    await api.records.updateRecord({ ...one, order: await order('d') }, options)
    const two = [{ id: await idOf('c'), fields: { Name: 'C' } }]
    await api.records.updateRecords({ tableId, records: two, order: await order('x') }, options)
    const source = { tableId, recordId: await idOf('b'), viewId: at.viewId }
    const copy = { ...source, anchorId: await idOf('d'), position: 'before' as const }
    await api.records.duplicateRecord(copy, options)
    await expectThere('dbac', 'dxbac', 'Adxbc', 'AdCxb', 'AbdCxb')
  })

  test('[UNDO-22] puts back and brings again orders that were frozen or thawed', async () => {
    await move('d', 'c')
    await sortOnce()
    await api.views.setViewSort({ ...at, sort: { sortObjs: sortObjs('desc') } }, options)
    await move('a', 'c')
    await sortOnce('desc')
    await move('a', 'd')
    await expectThere('dbac', 'bacd', 'abcd', 'dcba', 'dcba', 'dcba', 'dacb')
    await expectThere('dbac', 'bacd', 'abcd', 'dcba', 'dcba', 'dcba', 'dacb')
  })

  test('[UNDO-22] brings no order back that is removed by now, and refuses where the view was sorted since', async () => {
    await sortOnce()
    await sortOnce('desc')
    world.clock.advance(31 * 60_000)
    await world.finishJobs()
    expect(await undo()).toEqual(failed(/is not kept any more/))
    expect(await names()).toBe('dcba')
    await sortOnce()
    await api.views.sortViewManually({ ...at, sortObjs: sortObjs('asc') })
    expect(await undo()).toEqual(failed(/The rowOrder of the view .* was changed since/))
    expect(await names()).toBe('abcd')
  })

  test('[UNDO-22] an order that came back is kept for as long again once it goes', async () => {
    await sortOnce()
    await sortOnce('desc')
    world.clock.advance(20 * 60_000)
    expect(await undo()).toEqual(done)
    expect(await redo()).toEqual(done)
    world.clock.advance(20 * 60_000)
    await world.finishJobs()
    expect(await undo()).toEqual(done)
    expect(await names()).toBe('abcd')
    world.clock.advance(60 * 60_000)
    await world.finishJobs()
    expect(await names()).toBe('abcd')
  })
})
