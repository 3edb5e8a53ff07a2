import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../../../limits.ts'
import { placeOfRecords } from '../../../tables/table.ts'
import { dbFieldTypes } from '../../column-type.ts'
import { findWornTables, rebuildTable, toRetype } from './rebuild-table.ts'

describe('the types that empty columns get', () => {
  test('[FIELD-230] leave enough of each type where there are enough, and change no more than that takes', () => {
    const some = fc.array(fc.constantFrom(...dbFieldTypes), { maxLength: 250 })
    fc.assert(
      fc.property(some, (types) => {
        const empty = types.map((type, index) => ({ name: `c${index}`, type }))
        const changed = new Map(toRetype(empty).map(({ name, type }) => [name, type]))
        const countOf = (type: string, after: boolean) =>
          empty.filter((one) => ((after && changed.get(one.name)) || one.type) === type).length
        const least = limits.emptyColumnsOfType
        for (const type of dbFieldTypes) {
          const [before, after] = [countOf(type, false), countOf(type, true)]
          if (before >= least) expect(after).toBeGreaterThanOrEqual(least)
          else expect(after).toBeGreaterThanOrEqual(before)
          if (after > least) expect(after).toBeLessThanOrEqual(before)
        }
        const below = (few: number, after: boolean) =>
          dbFieldTypes.filter((type) => type !== 'BLOB' && countOf(type, after) < few)
        if (below(least / 2, false).length === 0) expect(changed.size).toBe(0)
        else if (empty.length >= least * dbFieldTypes.length) expect(below(least, true)).toEqual([])
      }),
    )
  })
})

describeOnEveryStorage('tables with many empty columns', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  test('[FIELD-230] are rebuilt in the background, and have room for fields of any type again', async () => {
    const things = await world.makeNames('Things', 'axe', 'bow', 'cow')
    const { fields, records, trash } = world.api
    const tableId = things.id
    const find = () => world.engine.store.read((tx) => tx.tables.findAll([tableId], 'none'))
    const count = async (): Promise<number> => {
      const [table] = await find()
      return table
        ? world.engine.store.read((tx) => tx.fields.countColumns(placeOfRecords(table)))
        : 0
    }
    const sweep = () =>
      world.engine.store.write((tx) =>
        findWornTables.run({ tx, nowMs: world.clock.now(), jobId: findWornTables.name } as never),
      )
    const before = await count()
    const added = 30
    const lowered = {
      columnsPerTable: before + added,
      columnsOfWornTable: before,
      columnsEmptyOfWornTable: added,
      emptyColumnsOfType: 4,
    }
    await withLimits(lowered, async () => {
      const ids: string[] = []
      for (let n = 0; n < added; n++) {
        ids.push((await fields.createField({ tableId, type: 'number', name: `N${n}` })).id)
      }
      const [first = ''] = things.recordIds
      const values = Object.fromEntries(ids.map((_, n) => [`N${n}`, n]))
      await records.updateRecord({ tableId, recordId: first, record: { fields: values } })
      await fields.deleteFields({ tableId, fieldIds: ids })
      await trash.resetTrash({ resourceId: tableId, resourceType: 'table' })
      await world.finishJobs()
      const kinds = ['singleLineText', 'checkbox', 'multipleSelect', 'date', 'rating'] as const
      const refused = {
        code: 'validation_error',
        message: expect.stringContaining('too many columns'),
      }
      await expect(fields.createField({ tableId, type: 'singleLineText' })).rejects.toMatchObject(
        refused,
      )
      const shown = await records.listRecords({ tableId })
      await sweep()
      await world.finishJobs()
      expect(await records.listRecords({ tableId })).toEqual(shown)
      for (const type of kinds) {
        for (let n = 0; n < 4; n++) await fields.createField({ tableId, type, name: `${type}${n}` })
      }
      expect(await count()).toBeLessThanOrEqual(before + added)
      const cells = {
        ...{ singleLineText0: 'a', checkbox3: true, multipleSelect1: ['x'], rating2: 3 },
        date0: '2026-01-02T00:00:00.000Z',
      }
      await records.updateRecord({
        tableId,
        recordId: first,
        typecast: true,
        record: { fields: cells },
      })
      const { fields: stored } = await records.getRecord({ tableId, recordId: first })
      expect(stored).toMatchObject(cells)
      expect(await world.cellsOf(things, 'Name')).toEqual(['axe', 'bow', 'cow'])
    })
  })

  test('[FIELD-230] are left alone while they have few columns, or few that are empty', async () => {
    expect([
      limits.columnsOfWornTable,
      limits.columnsEmptyOfWornTable,
      limits.emptyColumnsOfType,
      limits.recordsCopiedAgain,
    ]).toEqual([1_200, 150, 20, 1_000])
    expect(findWornTables.periodMs).toBe(600_000)
    const things = await world.makeNames('Few', 'axe')
    const { id: fieldId } = await world.addField(things, { type: 'number', name: 'Gone' })
    await world.api.fields.deleteField({ tableId: things.id, fieldId })
    await world.api.trash.resetTrash({ resourceId: things.id, resourceType: 'table' })
    await world.finishJobs()
    const emptyColumns = () => world.engine.store.read((tx) => tx.fields.emptyColumns(things.id))
    const before = await emptyColumns()
    expect(before).toHaveLength(1)
    const jobId = `${rebuildTable.name}:${things.id}`
    const rebuild = () =>
      world.engine.store.write((tx) =>
        rebuildTable.run({ tx, nowMs: world.clock.now(), jobId } as never),
      )
    expect(await rebuild()).toBe('over')
    const worn = (least: number) =>
      world.engine.store.read((tx) => tx.fields.tablesWithEmptyColumns(least))
    expect(await worn(1)).toContain(things.id)
    expect(await worn(2)).not.toContain(things.id)
    expect(await emptyColumns()).toEqual(before)
  })
})
