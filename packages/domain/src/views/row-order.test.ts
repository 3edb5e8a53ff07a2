import { setTimeout } from 'node:timers/promises'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import type { WriteTx } from '../store.ts'

describeOnEveryStorage('the row order of a view', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let api: TableWorld['api']
  let table: TestTable
  let tableId: string
  let viewId: string
  let countId: string

  beforeAll(async () => {
    api = world.api
  })
  beforeEach(() => setUp('d', 'b', 'a', 'c'))

  async function setUp(...names: string[]) {
    table = await world.makeNames('Letters', ...names)
    tableId = table.id
    countId = (await world.fieldOf(table, 'Count')).id
    const [view] = await api.views.listViews({ tableId })
    viewId = view?.id ?? ''
  }

  const names = async (query: object = {}, of = viewId) => {
    const { records } = await api.records.listRecords({ tableId, viewId: of, ...query })
    return records.map(({ fields }) => fields.Name).join('')
  }
  const idOf = async (name: string) => {
    const { records } = await api.records.listRecords({ tableId, take: 2_000 })
    return records.find(({ fields }) => fields.Name === name)?.id ?? name
  }
  const move = async (moved: string, position: 'before' | 'after', anchor: string) =>
    api.views.moveRows({
      ...{ tableId, viewId, position, anchorId: await idOf(anchor) },
      recordIds: await Promise.all([...moved].map(idOf)),
    })
  const byName = (order: 'asc' | 'desc' = 'asc') => [{ fieldId: table.primaryId, order }]
  const freeze = (order: 'asc' | 'desc' = 'asc') =>
    api.views.sortViewManually({ tableId, viewId, sortObjs: byName(order) })
  const orderOf = async (id = viewId) => {
    const view = await world.engine.store.read((tx) => tx.views.find(tableId, id))
    return view?.rowOrder ?? undefined
  }
  const exists = (orderId = '') =>
    world.engine.store.read((tx) => tx.rowOrders.exists(world.baseId, orderId))

  const few = (work: () => Promise<unknown>) => work()
  const many = (work: () => Promise<unknown>) =>
    withLimits({ recordsChangedAtOnce: 2, placesNotedAtOnce: 2 }, work)

  test.each([
    ['few', few],
    ['many', many],
  ])('[VIEW-28] [VIEW-29] keeps records where a sort has them: %s', async (_, freezing) => {
    await world.remove(table, await idOf('b'))
    await freezing(() => freeze())
    expect(await names()).toBe('acd')
    await world.change(table, await idOf('a'), { Name: 'z' })
    expect(await names()).toBe('zcd')
    await world.add(table, { Name: 'b' }, { Name: 'a' })
    expect(await names()).toBe('zcdba')
    const { sort } = await api.views.getView({ tableId, viewId })
    expect(sort).toEqual({ sortObjs: byName(), manualSort: true })
    await freezing(() => freeze('desc'))
    expect(await names()).toBe('zdcba')
    expect(await names({ ignoreViewQuery: true })).toBe('dzcba')
    expect(await names({ orderBy: [{ fieldId: 'Name', order: 'asc' }] })).toBe('abcdz')
  })

  test('[VIEW-28] leaves records that are alike as they stand', async () => {
    await world.change(table, await idOf('d'), { Count: 2 })
    await move('d', 'after', 'c')
    await api.views.sortViewManually({
      ...{ tableId, viewId },
      sortObjs: [{ fieldId: countId, order: 'asc' }],
    })
    expect(await names()).toBe('bdac')
    await world.expectNoTrace(
      () =>
        api.views.sortViewManually({
          tableId,
          viewId,
          sortObjs: [{ fieldId: 'fldNone', order: 'asc' }],
        }),
      invalidAt('sortObjs', 0, 'fieldId'),
    )
  })

  test('[VIEW-28] is counted and looked up in that order', async () => {
    await freeze()
    const index = async (name: string) =>
      (await api.aggregations.getRecordIndex({ tableId, viewId, recordId: await idOf(name) })).index
    expect(await Promise.all(['a', 'b', 'c', 'd'].map(index))).toEqual([0, 1, 2, 3])
    await move('d', 'before', 'b')
    expect(await Promise.all(['a', 'b', 'c', 'd'].map(index))).toEqual([0, 2, 3, 1])
    await world.add(table, { Name: 'e' })
    expect(await index('e')).toBe(4)
    const filterSet = [{ fieldId: 'Name', operator: 'isNot' as const, value: 'b' }]
    expect(await names({ filter: { conjunction: 'and', filterSet } })).toBe('adce')
    expect(await names({ skip: 1, take: 2 })).toBe('db')
    expect(await names({ skip: 4, take: 2 })).toBe('e')
  })

  /** The order that was begun last by `freezeWhile`. */
  let made: string | undefined

  /** Freezes the order as that of many records; does something else once they are sorted and the first step is taken. */
  const freezeWhile = async (meanwhile: () => Promise<unknown>) => {
    const { store } = world.engine
    const { write } = store
    const begun: string[] = []
    let isSorted = false
    const watching = (tx: WriteTx, onTaken: () => void) => {
      const { rowOrders } = tx
      const { begin, take } = rowOrders
      rowOrders.begin = (baseId, orderId, records) => {
        begun.push(orderId)
        return begin.call(rowOrders, baseId, orderId, records)
      }
      rowOrders.take = (...of) => {
        onTaken()
        return take.apply(rowOrders, of)
      }
      return Object.assign(tx, { mayDoMore: () => false })
    }
    store.write = async (work, options) => {
      let isTaken = false
      const result = await write.call(
        store,
        (tx) =>
          work(
            watching(tx, () => {
              isTaken = true
            }),
          ),
        options,
      )
      if (isTaken && !isSorted) {
        isSorted = true
        await meanwhile()
      }
      return result as never
    }
    try {
      await many(() => freeze())
    } finally {
      store.write = write
      expect(isSorted).toBe(true)
      made = begun[0]
    }
  }

  test('[VIEW-29] an order that is frozen while others write leaves theirs last', async () => {
    await freezeWhile(async () => {
      expect(await orderOf()).toBeUndefined()
      await world.add(table, { Name: 'a' })
      await move('c', 'before', 'd')
      expect(await names()).toBe('cdbaa')
    })
    expect(await names()).toBe('abcda')
  })

  test.each([
    ['many', () => many(() => freeze())],
    ['few', () => freeze()],
  ])(
    '[VIEW-29] a record that is being made while the order of %s is frozen is not lost',
    async (_, begin) => {
      const { store } = world.engine
      const { write } = store
      const [isMade, isLetGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      store.write = (work, options) => {
        store.write = write
        return write.call(
          store,
          async (tx) => {
            const value = await work(tx)
            isMade.resolve()
            await isLetGo.promise
            return value
          },
          options,
        ) as never
      }
      const adding = world.add(table, { Name: 'a' })
      await isMade.promise
      const later = world.add(table, { Name: 'e' })
      // Where one writes at a time, it waits.
      if (storage.name === 'postgres') await later
      const freezing = begin()
      await Promise.race([freezing, setTimeout(300)])
      isLetGo.resolve()
      await Promise.all([adding, later, freezing])
      expect([...(await names())].toSorted().join('')).toBe('aabcde')
    },
  )

  test('[VIEW-30] [VIEW-35] a sort thaws the order, and it is removed', async () => {
    for (const sort of [null, { sortObjs: byName() }, { sortObjs: [], manualSort: false }]) {
      await freeze('desc')
      const order = await orderOf()
      expect(await exists(order?.id)).toBe(true)
      await api.views.setViewSort({ tableId, viewId, sort })
      expect(await names()).toBe(sort?.sortObjs.length ? 'abcd' : 'dbac')
      expect(await orderOf()).toBeUndefined()
      await world.finishJobs()
      expect(await exists(order?.id)).toBe(true)
      world.clock.advance(30 * 60_000)
      await world.finishJobs()
      expect(await exists(order?.id)).toBe(false)
    }
  })

  test.each([
    ['few', few],
    ['many', many],
  ])('[VIEW-30] a manual sort freezes what isn’t frozen: %s', async (_, freezing) => {
    const set = (order: 'asc' | 'desc') =>
      freezing(() =>
        api.views.setViewSort({
          tableId,
          viewId,
          sort: { sortObjs: byName(order), manualSort: true },
        }),
      )
    await set('asc')
    expect(await names()).toBe('abcd')
    await move('d', 'before', 'a')
    await set('desc')
    expect(await names()).toBe('dabc')
    await api.views.setViewSort({ tableId, viewId, sort: { sortObjs: byName() } })
    await set('desc')
    expect(await names()).toBe('dcba')
    const made = await freezing(() =>
      api.views.createView({
        tableId,
        type: 'grid',
        sort: { sortObjs: byName(), manualSort: true },
      }),
    )
    const { id } = made as { id: string }
    await world.add(table, { Name: '0' })
    expect(await names({}, id)).toBe('abcd0')
  })

  test('[VIEW-31] moves records beside another one, in their sequence', async () => {
    await move('c', 'before', 'd')
    expect(await names()).toBe('cdba')
    await move('ab', 'after', 'c')
    expect(await names()).toBe('cabd')
    await move('dc', 'before', 'b')
    expect(await names()).toBe('adcb')
    await world.add(table, { Name: 'e' })
    expect(await names()).toBe('adcbe')
    await move('a', 'after', 'e')
    await world.add(table, { Name: 'f' })
    expect(await names()).toBe('dcbeaf')
    expect((await orderOf())?.frozenNumber).toBe(0)
    const { version } = await api.views.getView({ tableId, viewId })
    await move('e', 'after', 'b')
    await move('cb', 'before', 'e')
    expect((await api.views.getView({ tableId, viewId })).version).toBe(version)
  })

  test('[VIEW-31] under a sort, places order what it leaves alike', async () => {
    await world.change(table, await idOf('c'), { Count: 1 })
    await api.views.setViewSort({
      tableId,
      viewId,
      sort: { sortObjs: [{ fieldId: countId, order: 'asc' }] },
    })
    expect(await names()).toBe('dcba')
    await move('c', 'before', 'd')
    expect(await names()).toBe('cdba')
    await move('a', 'before', 'c')
    expect(await names()).toBe('cdba')
  })

  test('[VIEW-32] [VIEW-23] refuses what can’t be moved, and changes nothing', async () => {
    const [first = '', second = '', third = ''] = table.recordIds
    const other = await world.makeNames('Others', 'x')
    await world.remove(table, third)
    const moving =
      (anchorId: string, ...recordIds: string[]) =>
      () =>
        api.views.moveRows({ tableId, viewId, anchorId, position: 'after', recordIds })
    const gone = { code: 'not_found' }
    for (const id of ['recNone', third, other.recordIds[0] ?? '']) {
      await world.expectNoTrace(moving(id, first), gone)
      await world.expectNoTrace(moving(first, second, id), gone)
    }
    await world.expectNoTrace(moving(first, second, first), invalidAt('anchorId'))
    await world.expectNoTrace(moving(first, second, second), invalidAt('recordIds'))
    await world.expectNoTrace(moving(first), invalidAt('recordIds'))
    await api.views.lockView({ tableId, viewId, isLocked: true })
    const restricted = { code: 'restricted_resource' }
    await world.expectNoTrace(moving(first, second), restricted)
    await world.expectNoTrace(() => freeze(), restricted)
    await many(() => world.expectNoTrace(() => freeze(), restricted))
  })

  test('[VIEW-32] looks for as many records as one request moves, and for no more', async () => {
    expect(limits.recordsMoved).toBe(20_000)
    const [anchorId = ''] = table.recordIds
    const moving = (count: number) => () => {
      const recordIds = Array.from({ length: count }, (_, index) => `recNone${index}`)
      return api.views.moveRows({ tableId, viewId, anchorId, position: 'after', recordIds })
    }
    await world.expectNoTrace(moving(20_000), { code: 'not_found' })
    await world.expectNoTrace(moving(20_001), invalidAt('recordIds'))
  })

  test('[VIEW-33] renumbers the records around where numbers are used up', async () => {
    for (let round = 0; round < 30; round++) {
      await move('c', 'after', 'd')
      expect(await names()).toBe('dcba')
      await move('b', 'after', 'd')
      expect(await names()).toBe('dbca')
    }
    expect((await orderOf())?.renumberedVersion).toBeGreaterThan(0)
  })

  test('[VIEW-33] a walk goes on after that, unless its own record was moved', async () => {
    const page = (cursor?: string) =>
      api.records.listRecords({ tableId, viewId, take: 2, ...(cursor && { cursor }) })
    await move('c', 'before', 'b')
    const { nextCursor } = await page()
    const cursor = nextCursor ?? ''
    await withLimits({ rowsBetweenNeighbours: 0.1 }, () => move('a', 'after', 'c'))
    expect(await names()).toBe('dcab')
    expect((await page(cursor)).records.map(({ fields }) => fields.Name)).toEqual(['a', 'b'])
    await withLimits({ rowsBetweenNeighbours: 0.1 }, () => move('c', 'after', 'b'))
    await expect(page(cursor)).rejects.toMatchObject(invalidAt('cursor'))
    const fresh = (await page()).nextCursor ?? ''
    expect((await page(fresh)).records.map(({ fields }) => fields.Name)).toEqual(['b', 'c'])
    await freeze()
    await expect(page(fresh)).rejects.toMatchObject(invalidAt('cursor'))
  })

  test.each([
    ['few', few],
    ['many', many],
  ])('[VIEW-34] a copy has an order of its own: %s', async (_, copying) => {
    await move('a', 'before', 'd')
    const copy = await copying(() => api.views.duplicateView({ tableId, viewId }))
    const { id } = copy as { id: string }
    expect(await names({}, id)).toBe('adbc')
    await move('c', 'before', 'a')
    expect([await names(), await names({}, id)]).toEqual(['cadb', 'adbc'])
    await world.add(table, { Name: 'e' })
    expect(await names({}, id)).toBe('adbce')
  })

  const copyOfTable = async (includeRecords: boolean) => {
    const { baseId } = world
    const nodes = await api.tree.listNodes({ baseId })
    const nodeId = nodes.find((node) => node.resourceId === tableId)?.id ?? ''
    const { resourceId } = await api.tree.duplicateNode({ baseId, nodeId, includeRecords })
    const [view] = await api.views.listViews({ tableId: resourceId })
    const copied = { tableId: resourceId, viewId: view?.id ?? '' }
    const shown = async () => {
      const { records } = await api.records.listRecords(copied)
      return records.map(({ fields }) => fields.Name).join('')
    }
    return { id: resourceId, view, shown }
  }

  test('[VIEW-36] the views of a copy of a table keep the order of its rows', async () => {
    await freeze('desc')
    await move('a', 'before', 'd')
    await world.remove(table, await idOf('c'))
    const copy = await withLimits({ placesNotedAtOnce: 2 }, () => copyOfTable(true))
    expect(copy.view?.sort?.manualSort).toBe(true)
    expect(await copy.shown()).toBe('adb')
    await world.add({ id: copy.id }, { Name: 'e' })
    expect(await copy.shown()).toBe('adbe')
    await move('b', 'before', 'a')
    expect([await names(), await copy.shown()]).toEqual(['bad', 'adbe'])
  })

  test('[VIEW-36] the views of a copy without records are sorted by what they were frozen by', async () => {
    await freeze('desc')
    const copy = await copyOfTable(false)
    expect(copy.view?.sort?.manualSort).toBeUndefined()
    await world.add({ id: copy.id }, { Name: 'a' }, { Name: 'b' })
    expect(await copy.shown()).toBe('ba')
  })

  test('[VIEW-35] goes with its table, whether its view was deleted before or not', async () => {
    await freeze()
    const { id } = await api.views.duplicateView({ tableId, viewId })
    const orders = [await orderOf(), await orderOf(id)]
    await api.views.deleteView({ tableId, viewId: id })
    await world.finishJobs()
    for (const order of orders) expect(await exists(order?.id)).toBe(true)
    await api.tables.deleteTablePermanently({ baseId: world.baseId, tableId })
    await world.finishJobs()
    for (const order of orders) expect(await exists(order?.id)).toBe(false)
  })

  test('[VIEW-29] refuses to freeze too many records', async () => {
    await withLimits({ recordsFrozen: 4 }, () => freeze())
    await world.add(table, { Name: 'e' })
    await world.remove(table, await idOf('e'))
    await withLimits({ recordsFrozen: 4 }, async () => {
      await world.expectNoTrace(() => freeze('desc'), invalidAt())
      await many(() => world.expectNoTrace(() => freeze('desc'), invalidAt()))
    })
  })

  test('[VIEW-29] an order that no view came to have is removed', async () => {
    const lock = () => api.views.lockView({ tableId, viewId, isLocked: true })
    const refused = { code: 'restricted_resource' }
    await expect(freezeWhile(lock)).rejects.toMatchObject(refused)
    expect(await exists(made)).toBe(true)
    world.clock.advance(30 * 60_000)
    await world.finishJobs()
    expect(await exists(made)).toBe(false)
  })

  test('[VIEW-31] [VIEW-33] [RECORD-48] random moves equal those in a list', async () => {
    const letter = fc.nat({ max: 30 })
    const step = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          kind: fc.constant('move'),
          moved: fc.uniqueArray(letter, { minLength: 1, maxLength: 3 }),
          at: letter,
          position: fc.constantFrom('before' as const, 'after' as const),
        }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('add') }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete'), at: letter }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('freeze') }) },
    )
    const rooms = fc.constantFrom(1_000_000, 3, 0.3)
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 12 }),
        rooms,
        async (steps, rowsBetweenNeighbours) => {
          await setUp('d', 'b', 'a', 'c')
          const list = [...table.recordIds]
          await withLimits({ rowsBetweenNeighbours }, async () => {
            for (const one of steps) {
              if (one.kind === 'add') list.push(...(await world.add(table, { Name: 'n' })))
              if (one.kind === 'freeze') {
                const sortObjs = [{ fieldId: countId, order: 'desc' as const }]
                const { records } = await api.records.listRecords({
                  tableId,
                  viewId,
                  orderBy: [{ fieldId: 'Count', order: 'desc' }],
                  take: 100,
                })
                await api.views.sortViewManually({ tableId, viewId, sortObjs })
                list.splice(0, list.length, ...records.map(({ id }) => id))
              }
              if ('at' in one && one.kind === 'delete' && list.length > 2) {
                const [id] = list.splice(one.at % list.length, 1)
                await world.remove(table, id)
              }
              if ('moved' in one) {
                const anchorId = list[one.at % list.length] ?? ''
                const recordIds = [
                  ...new Set(one.moved.map((at) => list[at % list.length] ?? '')),
                ].filter((id) => id !== anchorId)
                if (recordIds.length === 0) continue
                const { position } = one
                await api.views.moveRows({ tableId, viewId, anchorId, position, recordIds })
                const rest = list.filter((id) => !recordIds.includes(id))
                const at = rest.indexOf(anchorId) + (position === 'after' ? 1 : 0)
                list.splice(0, list.length, ...rest.toSpliced(at, 0, ...recordIds))
              }
              const { records } = await api.records.listRecords({ tableId, viewId, take: 100 })
              expect(records.map(({ id }) => id)).toEqual(list)
            }
          })
          await world.clear()
        },
      ),
      { numRuns: 25 },
    )
  }, 120_000)
})
