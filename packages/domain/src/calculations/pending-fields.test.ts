import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { calculatePending } from './jobs/calculate-pending.ts'
import { calculationKind } from './pending/calculation-job.ts'

describeOnEveryStorage('pending fields', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  /** Five people, all with the same boss. */
  let people: TestTable
  let bosses: TestTable

  beforeAll(async () => {
    await world.finishJobs()
  })
  beforeEach(async () => {
    bosses = await world.makeNames('Bosses', 'eve', 'max')
    people = await world.makeNames('People', 'a', 'b', 'c', 'd', 'e')
    const options = { relationship: 'manyOne', foreignTableId: bosses.id }
    const link = await world.addField(people, { type: 'link', name: 'Boss', options })
    const { id: lookupFieldId } = await world.fieldOf(bosses, 'Count')
    await world.addField(people, {
      type: 'number',
      name: 'Rank',
      isLookup: true,
      lookupOptions: { linkFieldId: link.id, foreignTableId: bosses.id, lookupFieldId },
    })
    const [eve] = bosses.recordIds
    const rows = people.recordIds.map((id) => ({ id, fields: { Boss: eve } }))
    await world.api.records.updateRecords({ tableId: people.id, records: rows as never })
  })
  afterEach(async () => {
    await world.clear()
    await world.finishJobs()
  })

  const few = <T>(work: () => Promise<T>) =>
    withLimits({ recordsCalculated: 3, ...recordsPerSlice(2) }, work)
  const addFormula = (table: TestTable, name: string, expression: string) =>
    world.addField(table, { type: 'formula', name, options: { expression } })
  const pendingIn = async ({ id: tableId }: TestTable) =>
    (await world.api.fields.listFields({ tableId })).flatMap(({ name, isPending }) =>
      isPending ? [name] : [],
    )
  const pendingRows = (...tables: readonly TestTable[]) =>
    world.engine.store.read((tx) => tx.calculations.listOf(tables.map(({ id }) => id)))

  test('[CALC-24] are there only once too many records are affected', async () => {
    const slices = { recordsPerCalculation: 1_000, recordsPerCalculationOverNetwork: 2_000 }
    expect(limits).toMatchObject({ recordsCalculated: 10_000, ...slices })
    await withLimits({ recordsCalculated: 5 }, async () => {
      expect(await addFormula(people, 'Five', '{Count} * 2')).not.toHaveProperty('isPending')
      await world.change(bosses, bosses.recordIds[0], { Count: 7 })
    })
    expect(await world.cellsOf(people, 'Five')).toEqual([2, 4, 6, 8, 10])
    expect(await world.cellsOf(people, 'Rank')).toEqual([7, 7, 7, 7, 7])
    await withLimits({ recordsCalculated: 4 }, async () => {
      expect(await addFormula(people, 'Six', '{Count} * 3')).toMatchObject({ isPending: true })
    })
    expect(await pendingIn(people)).toEqual(['Six'])
    expect(await world.cellsOf(people, 'Six')).toEqual([null, null, null, null, null])
  })

  test('[CALC-24] [CALC-28] of a new field are worked out a few records at a time', async () => {
    const { userId } = world.ada
    const slices = { recordsPerCalculation: 2, recordsPerCalculationOverNetwork: 3 }
    await withLimits({ recordsCalculated: 3, ...slices }, async () => {
      const { clock } = world
      const events = await world.heard(async () => {
        const { id: fieldId } = await addFormula(people, 'Twice', '{Count} * 2')
        expect(await pendingIn(people)).toEqual(['Twice'])
        const sizes: number[] = []
        while (await world.runJob()) {
          const cells = await world.cellsOf(people, 'Twice')
          sizes.push(cells.filter((cell) => cell !== null).length)
        }
        const reached = storage.name === 'postgres' ? [3, 5] : [2, 4, 5]
        expect(sizes.filter((size, index) => size !== sizes[index - 1])).toEqual(reached)
        expect(fieldId).toMatch(/^fld/)
      })
      expect(await world.cellsOf(people, 'Twice')).toEqual([2, 4, 6, 8, 10])
      expect(await pendingIn(people)).toEqual([])
      const { id: fieldId } = await world.fieldOf(people, 'Twice')
      const payload = { tableId: people.id, fieldIds: [fieldId] }
      expect(events).toContainEqual({ name: 'calculation.scheduled', userId, ...payload })
      expect(events.at(-1)).toMatchObject({ name: 'calculation.finished', ...payload })
      clock.advance(60_000)
      await world.finishJobs()
      expect(await pendingRows(people)).toEqual([])
    })
  })

  test('[CALC-24] of a write are worked out afterwards', async () => {
    await few(async () => {
      const [eve] = bosses.recordIds
      expect(await world.change(bosses, eve, { Count: 9 })).toMatchObject({ Count: 9 })
      expect(await pendingIn(people)).toEqual(['Rank'])
      await world.finishJobs()
    })
    expect(await pendingIn(people)).toEqual([])
    expect(await world.cellsOf(people, 'Rank')).toEqual([9, 9, 9, 9, 9])
  })

  test('[CALC-24] of a link show titles and deletions afterwards', async () => {
    const [eve, max] = bosses.recordIds
    await few(async () => {
      await world.change(bosses, eve, { Name: 'eva' })
      await world.finishJobs()
      expect(await world.cellsOf(people, 'Boss')).toEqual(
        new Array(5).fill({ id: eve, title: 'eva' }),
      )
      await world.change(people, people.recordIds[1], { Boss: max })
      await world.remove(bosses, eve)
      await world.finishJobs()
    })
    const moved = { id: max, title: 'max' }
    expect(await world.cellsOf(people, 'Boss')).toEqual([null, moved, null, null, null])
    expect(await world.cellsOf(people, 'Rank')).toEqual([null, 2, null, null, null])
    expect(await pendingIn(people)).toEqual([])
  })

  /** Fields over both tables, each of which follows from the one before. */
  const addChain = async () => {
    await addFormula(people, 'Double', '{Rank} * 2')
    const { id: lookupFieldId } = await world.fieldOf(people, 'Double')
    const back = await world.fieldOf(bosses, 'People')
    const lookupOptions = { linkFieldId: back.id, foreignTableId: people.id, lookupFieldId }
    const options = { expression: 'sum({values})' }
    await world.addField(bosses, { type: 'rollup', name: 'Sum', options, lookupOptions })
    await addFormula(bosses, 'Label', '{Name} & " " & {Sum}')
  }

  test('[CALC-25] wait for those that they follow from, in other tables too', async () => {
    const [eve] = bosses.recordIds
    await addChain()
    await few(async () => {
      await world.change(bosses, eve, { Count: 3 })
      expect(await pendingIn(people)).toEqual(['Rank', 'Double'])
      expect(await pendingIn(bosses)).toEqual(['Sum', 'Label'])
      await world.finishJobs()
    })
    expect(await pendingIn(people)).toEqual([])
    expect(await pendingIn(bosses)).toEqual([])
    expect(await world.cellsOf(people, 'Double')).toEqual([6, 6, 6, 6, 6])
    expect(await world.cellsOf(bosses, 'Sum')).toEqual([30, 0])
    expect(await world.cellsOf(bosses, 'Label')).toEqual(['eve 30', 'max 0'])
  })

  test('[CALC-26] are right after all that is written meanwhile', async () => {
    const [eve, max] = bosses.recordIds
    await addChain()
    await few(async () => {
      await world.change(bosses, eve, { Count: 3 })
      await world.runJob()
      await world.change(people, people.recordIds[0], { Boss: max })
      await world.add(people, { Name: 'f', Boss: max }, { Name: 'g', Boss: eve })
      await world.runJob()
      await world.change(bosses, eve, { Count: 4, Name: 'eva' })
      await world.remove(people, people.recordIds[4])
      await world.runJob()
      await world.change(bosses, max, { Count: 5 })
      await world.finishJobs()
    })
    expect(await world.cellsOf(people, 'Rank')).toEqual([5, 4, 4, 4, 5, 4])
    expect(await world.cellsOf(people, 'Double')).toEqual([10, 8, 8, 8, 10, 8])
    expect(await world.cellsOf(bosses, 'Label')).toEqual(['eva 32', 'max 20'])
    expect([...(await pendingIn(people)), ...(await pendingIn(bosses))]).toEqual([])
  })

  test('[CALC-26] of a record that nobody changed do not touch it', async () => {
    await few(async () => {
      await addFormula(people, 'Same', '{Name} & ""')
      await world.finishJobs()
      const { records } = await world.api.records.listRecords({ tableId: people.id })
      world.clock.advance(1_000)
      await world.change(bosses, bosses.recordIds[0], { Count: 1, Name: 'eve' })
      await world.finishJobs()
      expect((await world.api.records.listRecords({ tableId: people.id })).records).toEqual(records)
    })
  })

  test('[CALC-27] leave no work behind when they are deleted', async () => {
    await few(async () => {
      const { id: fieldId } = await addFormula(people, 'Twice', '{Count} * 2')
      await addFormula(people, 'More', '{Twice} + 1')
      await world.runJob()
      await world.api.fields.deleteField({ tableId: people.id, fieldId })
      await world.finishJobs()
      expect(await pendingIn(people)).toEqual([])
      expect(await world.fieldOf(people, 'More')).toMatchObject({ hasError: true })
      expect(await world.cellsOf(people, 'More')).toEqual(new Array(5).fill(null))
    })
    expect(await pendingRows(people)).toEqual([])
    expect(await world.runJob()).toBe(false)
  })

  test.each(['deleteTable', 'deleteTablePermanently'] as const)(
    '[CALC-27] leave no work behind when their table is deleted by %s',
    async (operation) => {
      await addChain()
      await few(async () => {
        await world.change(bosses, bosses.recordIds[0], { Count: 3 })
        await world.runJob()
        const place = { baseId: world.baseId, tableId: people.id }
        await world.api.tables[operation](place)
        await world.finishJobs()
      })
      expect(await pendingRows(people, bosses)).toEqual([])
      expect(await pendingIn(bosses)).toEqual([])
      expect(await world.cellsOf(bosses, 'Label')).toEqual(['eve ', 'max '])
      expect(await world.runJob()).toBe(false)
    },
  )

  test('[CALC-26] are worked out to the last record where another comes back just then', async () => {
    const [, second = ''] = people.recordIds
    await world.remove(people, second)
    const of = { resourceId: people.id, resourceType: 'table' } as const
    const [{ id: operationId } = { id: '' }] = (await world.api.trash.listTrashItems(of)).trashItems
    await withLimits({ recordsCalculated: 3 }, () => addFormula(people, 'Twice', '{Count} * 2'))
    const jobId = `${calculationKind}:${people.id}`
    const ids = { revision: () => `after ${people.id}` }
    const mayDoMore = () => false
    const context = { jobId, nowMs: world.clock.now(), ids, failures: 0, mayDoMore }
    await world.engine.store.write(async (tx) => {
      const [table] = await tx.tables.findAll([people.id], 'none')
      if (!table) throw new Error('the table is there')
      const schema = await tx.fields.schemaOf(table)
      const nextRange: typeof tx.recordSizes.nextRange = async (...of) => {
        const range = await tx.recordSizes.nextRange(...of)
        await tx.recordWriter.restore(schema, [second], operationId)
        return range
      }
      // As where somebody else brings it back once the records are counted, and before they are read.
      const between = new Proxy(tx, {
        get: (target, name) => {
          if (name === 'recordSizes') return { nextRange }
          const member = Reflect.get(target, name, target)
          return typeof member === 'function' ? member.bind(target) : member
        },
      })
      await calculatePending.run({ ...context, tx: between } as never)
    })
    await world.finishJobs()
    expect(await pendingIn(people)).toEqual([])
    expect(await world.cellsOf(people, 'Twice')).toEqual([2, 4, 6, 8, 10])
  })
})
