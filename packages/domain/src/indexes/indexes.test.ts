import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TableWorld } from '@gateleg/testing/worlds/table-world'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { toTimestamp } from '../clock.ts'
import { fromIndexKey } from './table-index.ts'

const dayMs = 24 * 3_600_000

describeOnEveryStorage('indexes of queries', (storage) => {
  let world: TableWorld

  beforeEach(async () => {
    world = await openTableWorld(storage)
  })
  afterEach(() => world.close())

  const fields = [
    { type: 'singleLineText', name: 'Name' },
    { type: 'number', name: 'Number' },
    { type: 'date', name: 'Day' },
    { type: 'singleSelect', name: 'Level', options: { choices: [{ name: 'b' }, { name: 'a' }] } },
    { type: 'multipleSelect', name: 'Tags', options: { choices: [{ name: 'x' }] } },
  ]
  const rows = Array.from({ length: 12 }, (_, n) => ({
    ...(n % 5 > 0 && { Name: `${n % 2 === 0 ? 'É' : 'e'}${n % 3}` }),
    ...(n % 4 > 0 && { Number: n % 3 }),
    Level: n % 2 === 0 ? 'a' : 'b',
  }))
  const makeTable = () => world.makeTable('Rows', fields, rows)
  const list = (tableId: string, query: object) =>
    world.api.records.listRecords({ tableId, ...query })
  const by = (fieldId: string, order: 'asc' | 'desc' = 'asc') => ({ fieldId, order })
  const few = <T>(work: () => Promise<T>) => withLimits({ recordsIndexed: 10 }, work)
  const keep = () =>
    few(async () => {
      await world.engine.store.write(({ jobs }) => {
        const id = 'keep-indexes'
        return jobs.hasten({ id, kind: id, dueTime: toTimestamp(world.clock.now()), failures: 0 })
      })
      await world.finishJobs()
    })
  const ask = async (tableId: string, query: object) => {
    for (let time = 0; time < 3; time++) await list(tableId, query)
    await keep()
  }
  const indexesOf = (tableId: string) =>
    world.engine.store.write(({ tableIndexes }) => tableIndexes.listOf(tableId))
  const keysOf = async (tableId: string) => {
    const names = new Map(
      (await world.api.fields.listFields({ tableId })).map(({ id, name }) => [id, name]),
    )
    const keys = (await indexesOf(tableId)).map(({ key, state }) => {
      expect(state).toBe('ready')
      const parts = fromIndexKey(key).map(({ fieldId, kind, isDescending }) =>
        [names.get(fieldId), kind, ...(isDescending ? ['desc'] : [])].join(' '),
      )
      return parts.join(', ')
    })
    return keys.toSorted()
  }
  const isMore = {
    conjunction: 'and',
    filterSet: [{ fieldId: 'Number', operator: 'isGreater', value: 0 }],
  }

  test('[INDEX-1] are made of what is asked three times, of tables that are long', async () => {
    const { id } = await makeTable()
    const short = await world.makeTable('Short', fields, rows.slice(0, 9))
    for (const tableId of [id, short.id]) {
      await list(tableId, { orderBy: [by('Name')] })
      await list(tableId, { orderBy: [by('Name')] })
      await ask(tableId, { filter: isMore })
    }
    expect(await keysOf(id)).toEqual(['Number value'])
    expect(await keysOf(short.id)).toEqual([])
    await list(id, { orderBy: [by('Name')] })
    await keep()
    expect(await keysOf(id)).toEqual(['Name sort', 'Number value'])
  })

  test('[INDEX-1] are made of what views are opened with', async () => {
    const { id: tableId } = await makeTable()
    const [view] = await world.api.views.listViews({ tableId })
    const viewId = view?.id ?? ''
    const { id: fieldId } = await world.fieldOf({ id: tableId }, 'Number')
    const sort = { sortObjs: [{ fieldId, order: 'desc' as const }] }
    await world.api.views.setViewSort({ tableId, viewId, sort })
    await ask(tableId, { viewId })
    expect(await keysOf(tableId)).toEqual(['Number value desc'])
  })

  test('[INDEX-3] are of what can be in one, and of groups that are counted', async () => {
    const { id: tableId } = await makeTable()
    await ask(tableId, { orderBy: [by('Number', 'desc'), by('Name')] })
    await ask(tableId, { orderBy: [by('Level')] })
    await ask(tableId, { orderBy: [by('Tags')] })
    for (let time = 0; time < 3; time++) {
      await world.api.aggregations.getGroupPoints({ tableId, groupBy: [by('Level')] })
    }
    await keep()
    const counted = storage.name === 'sqlite' ? ['Level value'] : []
    expect(await keysOf(tableId)).toEqual([...counted, 'Number value desc, Name sort'])
  })

  test('[INDEX-4] are so many of a table, of which the one that is unused gives way', async () => {
    const { id } = await makeTable()
    await withLimits({ indexesPerTable: 1 }, async () => {
      await ask(id, { filter: isMore })
      await ask(id, { orderBy: [by('Name')] })
      expect(await keysOf(id)).toEqual(['Number value'])
      world.clock.advance(4 * dayMs)
      await ask(id, { orderBy: [by('Name')] })
      await ask(id, { orderBy: [by('Name')] })
      expect(await keysOf(id)).toEqual(['Name sort'])
      world.clock.advance(29 * dayMs)
      await ask(id, { orderBy: [by('Name')] })
      world.clock.advance(29 * dayMs)
      await keep()
      expect(await keysOf(id)).toEqual(['Name sort'])
      world.clock.advance(2 * dayMs)
      await keep()
      expect(await keysOf(id)).toEqual([])
    })
  })

  test('[INDEX-5] go with their field, its type and their table', async () => {
    const { id: tableId } = await makeTable()
    await ask(tableId, { filter: isMore })
    await ask(tableId, { orderBy: [by('Name')] })
    await ask(tableId, { orderBy: [by('Day')], filter: isMore })
    const { id: fieldId } = await world.fieldOf({ id: tableId }, 'Number')
    await world.convert({ id: tableId }, 'Name', { type: 'number' })
    await world.api.fields.deleteField({ tableId, fieldId })
    world.clock.advance(3_600_000)
    await keep()
    const left = (await keysOf(tableId)).filter((key) => !key.startsWith('Day'))
    expect(left).toEqual([])
    await ask(tableId, { orderBy: [by('Name')] })
    expect(await keysOf(tableId)).toContain('Name value')
    await world.api.tables.deleteTable({ tableId, baseId: world.baseId })
    world.clock.advance(3_600_000)
    await keep()
    expect(await indexesOf(tableId)).toEqual([])
  })

  test.runIf(storage.name === 'sqlite')('[INDEX-7] none is made of too long a table', async () => {
    const { id } = await makeTable()
    await withLimits({ recordsIndexedOnSqlite: 11 }, () => ask(id, { filter: isMore }))
    expect(await keysOf(id)).toEqual([])
    await ask(id, { filter: isMore })
    expect(await keysOf(id)).toEqual(['Number value'])
  })

  test('[INDEX-8] stay when a column is renamed', async () => {
    const { id: tableId } = await makeTable()
    await ask(tableId, { filter: isMore, orderBy: [by('Name')] })
    const { id: fieldId } = await world.fieldOf({ id: tableId }, 'Number')
    const made = await indexesOf(tableId)
    await world.api.fields.updateField({ tableId, fieldId, name: 'Count', dbFieldName: 'tally' })
    world.clock.advance(3_600_000)
    await keep()
    expect(await keysOf(tableId)).toEqual(['Count value', 'Name sort'])
    const left = await indexesOf(tableId)
    expect(left.map(({ usedTime }) => usedTime)).toEqual(made.map(({ usedTime }) => usedTime))
  })

  test('[INDEX-9] are not made for visitors of a share', async () => {
    const { id: tableId } = await makeTable()
    const [view] = await world.api.views.listViews({ tableId })
    const viewId = view?.id ?? ''
    const { shareId } = await world.api.views.enableShare({ tableId, viewId })
    for (let time = 0; time < 3; time++) {
      await world.engine.public.shares.countSharedRecords({ shareId, filter: isMore } as never)
    }
    await keep()
    expect(await keysOf(tableId)).toEqual([])
    await ask(tableId, { filter: isMore })
    expect(await keysOf(tableId)).toEqual(['Number value'])
  })

  test('[INDEX-6] one that was left unfinished is made anew', async () => {
    const { id: tableId } = await makeTable()
    await ask(tableId, { filter: isMore })
    const [index] = await indexesOf(tableId)
    if (!index) throw new Error('there is an index')
    await world.engine.store.write((tx) => tx.tableIndexes.save({ ...index, state: 'wanted' }))
    world.clock.advance(3_600_000)
    await keep()
    expect(await keysOf(tableId)).toEqual(['Number value'])
  })

  test('[INDEX-2] lists, pages, counts and groups are those that there are without one', async () => {
    const value = fc.record(
      {
        Name: fc.constantFrom('É', 'e', 'E', 'ee', 'f'),
        Number: fc.constantFrom(0, -1, 1, 1.5),
        Day: fc.constantFrom('2026-03-18', '2026-03-18T10:00:00Z', '1999-01-01'),
        Level: fc.constantFrom('a', 'b'),
      },
      { requiredKeys: [] },
    )
    const order = fc.constantFrom<'asc' | 'desc'>('asc', 'desc')
    const sorts = fc
      .uniqueArray(fc.constantFrom('Name', 'Number', 'Day'), { minLength: 1, maxLength: 2 })
      .chain((names) => fc.tuple(...names.map((name) => order.map((one) => by(name, one)))))
    const property = fc.asyncProperty(
      fc.array(value, { minLength: 10, maxLength: 25 }),
      sorts,
      async (records, orderBy) => {
        const { id: tableId } = await world.makeTable('Rows', fields, records)
        const answers = async () => {
          const ids: string[] = []
          const pages = []
          for (let cursor: string | null | undefined; cursor !== null; ) {
            const page = await list(tableId, { orderBy, take: 3, ...(cursor && { cursor }) })
            pages.push(page.records.map(({ id }) => id))
            ids.push(...page.records.map(({ id }) => id))
            cursor = page.nextCursor ?? null
          }
          const { rowCount } = await world.api.aggregations.getRowCount({
            tableId,
            filter: isMore as never,
          })
          const filtered = await list(tableId, { filter: isMore, orderBy })
          const groups = await world.api.aggregations.getGroupPoints({
            tableId,
            groupBy: [by('Level')],
          })
          return { ids, rowCount, filtered: filtered.records.map(({ id }) => id), groups }
        }
        const before = await answers()
        expect(before.ids).toHaveLength(records.length)
        await answers()
        await answers()
        await keep()
        expect(await keysOf(tableId)).not.toEqual([])
        expect(await answers()).toEqual(before)
      },
    )
    await fc.assert(property, { numRuns: 8 })
  })
})
