import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'

describeOnEveryStorage('long records in the background', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let things: TestTable

  beforeAll(async () => {
    await world.finishJobs()
  })
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

  const withBytes = <T>(bytesCalculated: number, work: () => Promise<T>) =>
    withLimits({ bytesCalculated }, work)

  test('[CALC-45] are worked out in the write as far as they take so many bytes, else by the background', async () => {
    expect(limits.bytesCalculated).toBe(64 * 1024 * 1024)
    const twice = formula('Twice', '{Name} & {Name}')
    await withBytes(4_500, async () => {
      expect(await add(twice)).toMatchObject({ isPending: true })
      await world.finishJobs()
    })
    expect(await world.cellsOf(things, 'Twice')).toEqual(['11', '22', '33', '44', '55'])
    const more = await withBytes(6_000, () => add({ ...twice, name: 'More' }))
    expect(more).not.toHaveProperty('isPending')
    expect(await world.cellsOf(things, 'More')).toEqual(['11', '22', '33', '44', '55'])
    // Together with those of the fields that follow from it, which are written after it.
    const changed = { ...formula('Twice', 'LEN({Name})') }
    await add(formula('Next', '{Twice} & "!"'))
    await withBytes(6_000, () => world.convert(things, 'Twice', changed))
    await world.finishJobs()
    expect(await world.cellsOf(things, 'Next')).toEqual(new Array(5).fill('1!'))
  })

  test('[CALC-45] are measured where another record changes that they are linked to', async () => {
    const others = await world.makeNames('Others', 'a')
    const options = { relationship: 'manyOne', foreignTableId: others.id, isOneWay: true }
    const { id: linkFieldId } = await add({ type: 'link', name: 'To', options })
    const link = { id: others.recordIds[0] }
    const records = things.recordIds.map((id) => ({ id, fields: { To: link } }))
    await world.api.records.updateRecords({ tableId: things.id, records } as never)
    const { id: lookupFieldId } = await world.fieldOf(others, 'Name')
    const lookupOptions = { linkFieldId, foreignTableId: others.id, lookupFieldId }
    await add({ type: 'singleLineText', name: 'Seen', isLookup: true, lookupOptions })
    const rename = (Name: string) => world.change(others, others.recordIds[0], { Name })
    await withBytes(6_000, () => rename('b'))
    expect(await world.fieldOf(things, 'Seen')).not.toHaveProperty('isPending')
    expect(await world.cellsOf(things, 'Seen')).toEqual(new Array(5).fill('b'))
    await withBytes(4_500, async () => {
      await rename('c')
      expect(await world.fieldOf(things, 'Seen')).toMatchObject({ isPending: true })
      await world.finishJobs()
    })
    expect(await world.cellsOf(things, 'Seen')).toEqual(new Array(5).fill('c'))
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
