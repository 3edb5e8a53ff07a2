import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { limits } from '../../limits.ts'

describeOnEveryStorage('the steps of computing that a write may take', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  beforeAll(async () => {
    await world.finishJobs()
  })
  afterEach(async () => {
    await world.clear()
    await world.finishJobs()
  })

  /** Makes a text of so many characters: at least as many steps. */
  const long = (name: string, length: number) => ({
    type: 'formula',
    name,
    options: { expression: `LEN(REPT("a", ${length})) + {Count}` },
  })
  const makeTable = (fields: readonly object[], count: number) =>
    world.makeTable(
      'Long',
      [{ type: 'singleLineText', name: 'Name' }, { type: 'number', name: 'Count' }, ...fields],
      Array.from({ length: count }, (_, n) => ({ Count: n })),
    )
  const pendingIn = async ({ id: tableId }: Pick<TestTable, 'id'>) =>
    (await world.api.fields.listFields({ tableId })).flatMap(({ name, isPending }) =>
      isPending ? [name] : [],
    )
  /** The budget of a write, and that of the background, which is as large unless it is given. */
  const withSteps = <T>(steps: number, work: () => Promise<T>, inBackground = steps) =>
    withLimits({ stepsPerWrite: steps, stepsPerCalculation: inBackground }, work)
  /** How many cells are filled in after each of the background's transactions, where that changes. */
  const countsWhileWorking = async (table: TestTable, ...names: readonly string[]) => {
    const counts: number[] = []
    while (await world.runJob()) {
      const cells = await Promise.all(names.map((name) => world.cellsOf(table, name)))
      const count = cells.flat().filter((cell) => cell !== null).length
      if (count !== counts.at(-1)) counts.push(count)
    }
    return counts
  }

  test('[CALC-34] [CALC-35] are those that the rules say', () => {
    expect(limits.stepsPerWrite).toBe(40_000_000)
    expect(limits.stepsPerCalculation).toBe(10_000_000)
  })

  test('[CALC-34] of new records end: the others are pending, and worked out afterwards', async () => {
    const table = await makeTable([long('A', 1_000), long('B', 1_000)], 1)
    const added = await withSteps(10_000, async () => {
      const ids = await world.add(table, ...Array.from({ length: 5 }, (_, n) => ({ Count: n + 1 })))
      expect(await pendingIn(table)).toEqual(['A', 'B'])
      return ids
    })
    expect(added).toHaveLength(5)
    const made = await world.cellsOf(table, 'A')
    expect(made.slice(0, 2)).toEqual([1_000, 1_001])
    expect(made.at(-1)).toBeNull()
    expect(await world.cellsOf(table, 'B')).toEqual(made)
    await world.finishJobs()
    expect(await pendingIn(table)).toEqual([])
    const all = [1_000, 1_001, 1_002, 1_003, 1_004, 1_005]
    expect(await world.cellsOf(table, 'A')).toEqual(all)
    expect(await world.cellsOf(table, 'B')).toEqual(all)
  })

  test('[CALC-34] count for each record, also where many show the same', async () => {
    const countries = await world.makeNames('Countries', 'x')
    const [id] = countries.recordIds
    const options = { relationship: 'manyOne', foreignTableId: countries.id, isOneWay: true }
    const fields = [
      { type: 'singleLineText', name: 'Name' },
      { type: 'link', name: 'Country', options },
    ]
    const rows = Array.from({ length: 10 }, () => ({ Country: { id } }))
    const regions = await world.makeTable('Regions', fields, rows)
    const rename = (letter: string) => world.change(countries, id, { Name: letter.repeat(100) })
    await withSteps(1_200, () => rename('b'))
    expect(await pendingIn(regions)).toEqual([])
    await withSteps(900, () => rename('c'))
    expect(await pendingIn(regions)).toEqual(['Country'])
    await world.finishJobs()
    const shown = new Array(10).fill({ id, title: 'c'.repeat(100) })
    expect(await world.cellsOf(regions, 'Country')).toEqual(shown)
  })

  test('[CALC-34] of changed records end: the others are as they were until later', async () => {
    const table = await makeTable([long('A', 1_000)], 4)
    await withSteps(5_000, async () => {
      const records = table.recordIds.map((id) => ({ id, fields: { Count: 7 } }))
      await world.api.records.updateRecords({ tableId: table.id, records: records as never })
    })
    expect(await pendingIn(table)).toEqual(['A'])
    expect((await world.cellsOf(table, 'A')).at(-1)).toBe(1_003)
    expect(await world.cellsOf(table, 'Count')).toEqual([7, 7, 7, 7])
    await world.finishJobs()
    expect(await world.cellsOf(table, 'A')).toEqual([1_007, 1_007, 1_007, 1_007])
  })

  test('[CALC-34] of what is left over leave other records alone', async () => {
    const table = await makeTable([long('A', 1_000)], 4)
    const [, second, third] = table.recordIds
    await withSteps(1_000, async () => {
      const records = [second, third].map((id) => ({ id, fields: { Count: 7 } }))
      await world.api.records.updateRecords({ tableId: table.id, records: records as never })
    })
    const pending = await world.engine.store.read((tx) => tx.calculations.listOf([table.id]))
    expect(pending).toMatchObject([{ after: 2, until: 3 }])
    await world.finishJobs()
    expect(await world.cellsOf(table, 'A')).toEqual([1_000, 1_007, 1_007, 1_003])
  })

  test('[CALC-34] count over all tables that a write reaches', async () => {
    const bosses = await world.makeNames('Bosses', 'eve')
    const table = await makeTable([], 3)
    const options = { relationship: 'manyOne', foreignTableId: bosses.id }
    const link = await world.addField(table, { type: 'link', name: 'Boss', options })
    const rows = table.recordIds.map((id) => ({ id, fields: { Boss: bosses.recordIds[0] } }))
    await world.api.records.updateRecords({ tableId: table.id, records: rows as never })
    const { id: lookupFieldId } = await world.fieldOf(bosses, 'Count')
    await world.addField(table, {
      type: 'number',
      name: 'Rank',
      isLookup: true,
      lookupOptions: { linkFieldId: link.id, foreignTableId: bosses.id, lookupFieldId },
    })
    const expression = 'LEN(REPT("a", 1000)) + {Rank}'
    await world.addField(table, { type: 'formula', name: 'Long', options: { expression } })
    await withSteps(1_500, () => world.change(bosses, bosses.recordIds[0], { Count: 5 }))
    expect(await pendingIn(table)).toContain('Long')
    await world.finishJobs()
    expect(await world.cellsOf(table, 'Long')).toEqual([1_005, 1_005, 1_005])
    expect(await pendingIn(table)).toEqual([])
  })

  test.each([
    ['next to nothing when they are short', 1, []],
    ['all there is when they are long', 400, ['A']],
  ])('[CALC-34] count the titles of new links, which take %s', async (_, length, pending) => {
    const bosses = await world.makeNames('Bosses', 'e'.repeat(length))
    const table = await makeTable([long('A', 10)], 0)
    const options = { relationship: 'manyOne', foreignTableId: bosses.id, isOneWay: true }
    await world.addField(table, { type: 'link', name: 'Boss', options })
    const row = { Count: 1, Boss: bosses.recordIds[0] }
    await withSteps(400, () => world.add(table, row, row))
    expect(await pendingIn(table)).toEqual(pending)
    await world.finishJobs()
    expect(await world.cellsOf(table, 'A')).toEqual([11, 11])
  })

  test('[CALC-34] of a new field end: it is pending', async () => {
    const table = await makeTable([], 6)
    await withSteps(5_000, async () => {
      expect(await world.addField(table, long('A', 1_000))).toMatchObject({ isPending: true })
    })
    await world.finishJobs()
    expect(await world.cellsOf(table, 'A')).toEqual([1_000, 1_001, 1_002, 1_003, 1_004, 1_005])
  })

  test('[CALC-35] of the background end after so many records', async () => {
    const table = await makeTable([], 6)
    await withSteps(0, () => world.addField(table, long('A', 1_000)))
    const counts = await withSteps(0, () => countsWhileWorking(table, 'A'), 5_000)
    expect(counts[0]).toBeGreaterThan(0)
    expect(counts[0]).toBeLessThan(6)
    expect(counts.at(-1)).toBe(6)
  })

  test('[CALC-35] of the background end within a record: cell after cell', async () => {
    const table = await makeTable([long('A', 1_000), long('B', 1_000), long('C', 1_000)], 2)
    await withSteps(
      1,
      async () => {
        await world.add(table, { Count: 2 }, { Count: 3 })
        const counts = await countsWhileWorking(table, 'A', 'B', 'C')
        expect(counts).toEqual([7, 8, 9, 10, 11, 12])
      },
      1,
    )
    expect(await world.cellsOf(table, 'C')).toEqual([1_000, 1_001, 1_002, 1_003])
    expect(await pendingIn(table)).toEqual([])
  })

  test('[CALC-35] goes on where cells of a record depend on one another', async () => {
    const fields = [
      long('A', 100),
      ...[...'BCD'].map((name, n) => ({
        type: 'formula',
        name,
        options: { expression: `{${'ABC'[n]}} + 1` },
      })),
    ]
    const table = await makeTable(fields, 3)
    await withSteps(
      1,
      async () => {
        const records = table.recordIds.map((id) => ({ id, fields: { Count: 10 } }))
        await world.api.records.updateRecords({ tableId: table.id, records: records as never })
        await world.runJob()
        await world.runJob()
        await world.change(table, table.recordIds[0], { Count: 20 })
        await world.finishJobs()
        await world.finishJobs()
      },
      150,
    )
    expect(await world.cellsOf(table, 'D')).toEqual([123, 113, 113])
    expect(await pendingIn(table)).toEqual([])
  })
})
