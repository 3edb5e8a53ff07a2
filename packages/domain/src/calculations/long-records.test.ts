import { openTableWorld, type TableWorld, type TestTable } from '@gateleg/testing/table-world'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'

describeOnEveryStorage('long records in the background', (storage) => {
  let world: TableWorld
  let things: TestTable

  beforeAll(async () => {
    world = await openTableWorld(storage)
    await world.finishJobs()
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    const fields = [
      { type: 'singleLineText', name: 'Name' },
      { type: 'longText', name: 'Note' },
    ]
    const rows = [1, 2, 3, 4, 5].map((n) => ({ Name: `${n}`, Note: 'x'.repeat(1_000) }))
    things = await world.makeTable('Things', fields, rows)
  })
  afterEach(async () => {
    await world.clear()
    await world.finishJobs()
  })

  /** Two of the records are as long as a transaction of the background goes. */
  const inSlices = (work: () => Promise<void>) =>
    withLimits({ recordsCalculated: 2, bytesPerCalculation: 2_500 }, work)

  const add = (definition: object) => world.addField(things, definition)
  const formula = (name: string, expression: string) => ({
    type: 'formula',
    name,
    options: { expression },
  })
  /** How far the work is after each transaction, until it is done. */
  const progress = async (readReached: () => Promise<readonly number[]>) => {
    const seen = new Set<number>()
    while (await world.runJob()) for (const one of await readReached()) seen.add(one)
    return [...seen].filter((reached) => reached > 0)
  }
  const pending = () =>
    world.engine.store.read(async (tx) =>
      (await tx.calculations.listOf([things.id])).map(({ after }) => after),
    )

  test('[CALC-44] are worked out so many bytes at a time, whatever the field reads', async () => {
    expect(limits.bytesPerCalculation).toBe(2 * 1024 * 1024)
    await inSlices(async () => {
      expect(await add(formula('Twice', '{Name} & {Name}'))).toMatchObject({ isPending: true })
      expect(await progress(pending)).toEqual([2, 4])
    })
    expect(await world.cellsOf(things, 'Twice')).toEqual(['11', '22', '33', '44', '55'])
  })

  test('[CALC-44] are converted so many bytes at a time', async () => {
    await inSlices(async () => {
      await world.convert(things, 'Name', { type: 'longText' })
      expect(await progress(pending)).toEqual([2, 4])
    })
    expect(await world.cellsOf(things, 'Name')).toEqual(['1', '2', '3', '4', '5'])
  })

  test('[CALC-44] are rid of old values so many bytes at a time, with those of deleted records', async () => {
    await add(formula('Number', '1'))
    await world.remove(things, things.recordIds[1])
    const retired = () => world.engine.store.read((tx) => tx.fields.retiredColumns(things.id))
    await inSlices(async () => {
      await world.convert(things, 'Number', formula('Number', '"text"'))
      const reached = async () => (await retired()).map(({ emptied }) => emptied)
      expect(await progress(reached)).toEqual([2, 4])
    })
    expect(await retired()).toEqual([])
  })

  test('[CALC-44] are rid of old values by the background where they are few and long', async () => {
    await add(formula('Number', '1'))
    const retired = () => world.engine.store.read((tx) => tx.fields.retiredColumns(things.id))
    await withLimits({ lengthRewrittenPerWrite: 2_500, bytesPerCalculation: 1_500 }, async () => {
      await world.convert(things, 'Number', formula('Number', '"text"'))
      expect(await retired()).toMatchObject([{ emptied: 2 }])
      const reached = async () => (await retired()).map(({ emptied }) => emptied)
      expect(await progress(reached)).toEqual([3, 4])
    })
    expect(await retired()).toEqual([])
    expect(await world.cellsOf(things, 'Number')).toEqual(new Array(5).fill('text'))
  })

  test('[CALC-44] count as steps where they are read through a link', async () => {
    const others = await world.makeNames('Others', 'a', 'b', 'c', 'd', 'e')
    const options = { relationship: 'manyOne', foreignTableId: things.id, isOneWay: true }
    const { id: linkFieldId } = await world.addField(others, { type: 'link', name: 'To', options })
    const records = others.recordIds.map((id, n) => ({
      id,
      fields: { To: { id: things.recordIds[n] } },
    }))
    await world.api.records.updateRecords({ tableId: others.id, records } as never)
    const { id: lookupFieldId } = await world.fieldOf(things, 'Note')
    const lookupOptions = { linkFieldId, foreignTableId: things.id, lookupFieldId }
    const lookup = { type: 'longText', name: 'Seen', isLookup: true, lookupOptions }
    const limit = {
      recordsCalculated: 2,
      recordsLengthInOneTurn: 2_500,
      stepsPerCalculation: 7_000,
    }
    await withLimits(limit, async () => {
      await world.addField(others, lookup)
      const reached = () =>
        world.engine.store.read(async (tx) =>
          (await tx.calculations.listOf([others.id])).map(({ after }) => after),
        )
      expect(await progress(reached)).toEqual([4])
    })
    const seen = (await world.cellsOf(others, 'Seen')) as string[]
    expect(seen.map((text) => text.length)).toEqual(new Array(5).fill(1_000))
  })
})
