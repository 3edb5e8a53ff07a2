import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { expect, test } from 'vitest'
import { toTimestamp } from '../clock.ts'
import { findSearchIndex } from './want-index.ts'

const dayMs = 24 * 3_600_000

describeOnEveryStorage('the switch of the index of searches', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  const small = { recordsPerSegment: 8 }
  const rows = Array.from({ length: 9 }, (_, n) => `walrus ${n}`)
  const makeTable = () => world.makeNames('Rows', ...rows)

  const toggle = (tableId: string, api = world.api) =>
    api.tables.toggleIndex({ baseId: world.baseId, tableId, type: 'search' })
  const listActive = (tableId: string, api = world.api) =>
    api.tables.listActiveIndexes({ baseId: world.baseId, tableId })
  const indexOf = (tableId: string) => world.engine.store.read((tx) => findSearchIndex(tx, tableId))
  const count = async (tableId: string) => {
    const search = ['walrus', '', true]
    const counting = () => world.api.aggregations.getRowCount({ tableId, search } as never)
    return (await withLimits(small, counting)).rowCount
  }
  /** What the background does of indexes within some minutes. */
  const settle = async () => {
    world.clock.advance(10 * 60_000)
    await world.engine.store.write(async ({ jobs }) => {
      const dueTime = toTimestamp(world.clock.now())
      await jobs.hasten({ id: 'keep-indexes', kind: 'keep-indexes', dueTime, failures: 0 })
    })
    await withLimits(small, () => world.finishJobs())
  }
  const search = async (tableId: string, limits = {}) => {
    for (let time = 0; time < 3; time++) await count(tableId)
    await withLimits(limits, settle)
  }

  test('[INDEX-16] [INDEX-18] is refused to those who may not change the table', async () => {
    const { id: tableId } = await makeTable()
    const viewer = await world.newCollaborator('Val', 'viewer')
    await expect(toggle(tableId, viewer.api)).rejects.toMatchObject({ code: 'restricted_resource' })
    expect(await listActive(tableId, viewer.api)).toEqual([])
    const { api } = await world.newPerson('Eve')
    for (const call of [toggle, listActive]) {
      await expect(call(tableId, api)).rejects.toMatchObject({ code: 'not_found' })
    }
    const other = { baseId: world.baseId, tableId, type: 'sort' } as never
    await expect(world.api.tables.toggleIndex(other)).rejects.toMatchObject(invalidAt('type'))
    expect(await listActive(tableId)).toEqual([])
  })

  test('[INDEX-16] [INDEX-18] makes it however short the table is, and removes it', async () => {
    const { id: tableId } = await makeTable()
    await toggle(tableId)
    expect(await listActive(tableId)).toEqual(['search'])
    await settle()
    expect(await indexOf(tableId)).toMatchObject({ state: 'ready' })
    const head = () => world.engine.store.write((tx) => tx.searchSignatures.headOf(tableId))
    expect(await head()).toMatchObject({ signed: 1 })
    expect(await count(tableId)).toBe(9)
    await toggle(tableId)
    expect(await listActive(tableId)).toEqual([])
    expect(await count(tableId)).toBe(9)
    await settle()
    expect(await head()).toBeUndefined()
    await toggle(tableId)
    await toggle(tableId)
    await toggle(tableId)
    await settle()
    expect(await listActive(tableId)).toEqual(['search'])
    expect(await head()).toMatchObject({ signed: 1 })
  })

  test('[INDEX-16] is off again where texts are too long', async () => {
    const { id: tableId } = await makeTable()
    await toggle(tableId)
    await withLimits({ trigramsOfRecord: 1 }, settle)
    expect(await listActive(tableId)).toEqual([])
    await toggle(tableId)
    await settle()
    expect(await listActive(tableId)).toEqual(['search'])
  })

  test('[INDEX-17] once off, it is not made by searches', async () => {
    const { id: tableId } = await makeTable()
    await toggle(tableId)
    await toggle(tableId)
    await settle()
    await search(tableId, { recordsIndexed: 1 })
    expect(await indexOf(tableId)).toBeUndefined()
  })

  test('[INDEX-17] once on, it needs no use, and no room among the eight', async () => {
    const { id: tableId } = await makeTable()
    await withLimits({ indexesPerTable: 0 }, async () => {
      await toggle(tableId)
      await settle()
      world.clock.advance(31 * dayMs)
      await settle()
    })
    expect(await indexOf(tableId)).toMatchObject({ state: 'ready' })
    const others = { indexesPerTable: 1, recordsIndexed: 1 }
    const orderBy = [{ fieldId: 'Count', order: 'asc' as const }]
    for (let time = 0; time < 3; time++) await world.api.records.listRecords({ tableId, orderBy })
    await withLimits(others, settle)
    expect(await world.engine.store.read((tx) => tx.tableIndexes.listOf(tableId))).toHaveLength(2)
  })

  test('[INDEX-17] is kept by a table in the trash, and by a copy', async () => {
    const { id: tableId } = await makeTable()
    const { baseId, api } = world
    await toggle(tableId)
    await settle()
    await api.tables.deleteTable({ baseId, tableId })
    await settle()
    expect(await indexOf(tableId)).toBeUndefined()
    const terms = { resourceId: baseId, resourceType: 'base' as const }
    const { trashItems } = await api.trash.listTrashItems(terms)
    await api.trash.restoreTrash({ trashId: trashItems[0]?.id ?? '' })
    const [node] = (await api.tree.listNodes({ baseId })).filter(
      ({ resourceId }) => resourceId === tableId,
    )
    const nodeId = node?.id ?? ''
    const copy = await api.tree.duplicateNode({ baseId, nodeId, includeRecords: true })
    for (const id of [tableId, copy.resourceId]) {
      expect(await listActive(id)).toEqual([])
      await search(id)
      expect(await listActive(id)).toEqual(['search'])
    }
  })
})
