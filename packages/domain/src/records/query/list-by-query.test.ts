import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openQueryWorld } from '@gateleg/testing/worlds/query-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { expect, test, vi } from 'vitest'
import type { Filter } from '../../fields/filter.ts'
import type { SortItem } from '../../queries/sort.ts'
import { readPageOf } from '../pages/read-page-of.ts'
import { toRecordQuery } from './to-record-query.ts'

describeOnEveryStorage('lists of records by query', (storage) => {
  const world = worldOfBlock(() => openQueryWorld(storage))

  const tableOf = (rows: readonly object[]) =>
    world.makeTable(
      'Rows',
      [
        { type: 'singleLineText', name: 'Name' },
        { type: 'number', name: 'Number' },
        {
          type: 'singleSelect',
          name: 'Level',
          options: { choices: [{ name: 'b' }, { name: 'a' }] },
        },
        { type: 'date', name: 'Day' },
        { type: 'checkbox', name: 'Done' },
      ],
      rows,
    )
  const filter = (...filterSet: Filter['filterSet']): Filter => ({ conjunction: 'and', filterSet })
  const by = (fieldId: string, order: SortItem['order'] = 'asc') => [{ fieldId, order }]
  const list = async (tableId: string, query: object) => {
    const { records } = await world.api.records.listRecords({ tableId, ...query })
    return records.map(({ fields: { Name } }) => Name ?? null)
  }

  test('[RECORD-47] holds what the filter lets through, in the order of the sort', async () => {
    const { id } = await tableOf([
      { Name: 'x', Number: 2, Level: 'a', Done: true },
      { Name: 'y', Number: 1, Level: 'b', Day: '2026-03-18' },
      { Name: 'z', Number: 3 },
    ])
    const isMore = { fieldId: 'Number', operator: 'isGreater', value: 1 } as const
    expect(await list(id, { filter: filter(isMore) })).toEqual(['x', 'z'])
    expect(await list(id, { filter: filter(isMore), orderBy: by('Number', 'desc') })).toEqual([
      'z',
      'x',
    ])
    expect(await list(id, { orderBy: by('Number'), skip: 1, take: 1 })).toEqual(['x'])
    expect(await list(id, { filter: filter(), orderBy: [] })).toEqual(['x', 'y', 'z'])
  })

  test('[QUERY-11] orders by what people see, empty cells first upwards and last downwards', async () => {
    const { id } = await tableOf([
      { Name: 'B', Level: 'a', Day: '2026-03-18T20:00:00Z', Done: true },
      { Name: 'a', Level: 'b', Day: '2026-03-18T10:00:00Z' },
      { Name: null, Day: '2026-03-17T23:00:00Z' },
    ])
    expect(await list(id, { orderBy: by('Name') })).toEqual([null, 'a', 'B'])
    expect(await list(id, { orderBy: by('Name', 'desc') })).toEqual(['B', 'a', null])
    expect(await list(id, { orderBy: by('Level') })).toEqual([null, 'a', 'B'])
    expect(await list(id, { orderBy: by('Day') })).toEqual([null, 'B', 'a'])
    expect(await list(id, { orderBy: by('Done') })).toEqual(['a', null, 'B'])
  })

  test('[RECORD-50] [AGG-1] shows the records and fields of a view, by its filter, groups and sort', async () => {
    const { id: tableId } = await tableOf([
      { Name: 'x', Number: 2, Level: 'a' },
      { Name: 'y', Number: 1, Level: 'b' },
      { Name: 'z', Number: 3, Level: 'b' },
      { Name: 'w' },
    ])
    const { api } = world
    const ids = Object.fromEntries(
      (await api.fields.listFields({ tableId })).map(({ name, id }) => [name, id]),
    ) as Record<string, string>
    const item = { fieldId: ids.Number ?? '', operator: 'isNotEmpty' } as const
    const { id: viewId } = await api.views.createView({
      tableId,
      type: 'grid',
      filter: filter(item),
      sort: { sortObjs: by(ids.Name ?? '', 'desc') },
      group: by(ids.Level ?? ''),
      columnMeta: { [ids.Level ?? '']: { hidden: true } },
    })
    expect(await list(tableId, { viewId })).toEqual(['z', 'y', 'x'])
    expect(await list(tableId, { viewId, orderBy: by('Number') })).toEqual(['y', 'z', 'x'])
    const isLarge = { fieldId: 'Number', operator: 'isGreater', value: 1 } as const
    expect(await list(tableId, { viewId, filter: filter(isLarge) })).toEqual(['z', 'x'])
    expect(await list(tableId, { viewId, ignoreViewQuery: true })).toEqual(['x', 'y', 'z', 'w'])
    const fieldsOf = async (query: object) => {
      const { records } = await api.records.listRecords({ tableId, viewId, take: 1, ...query })
      return Object.keys(records[0]?.fields ?? {}).toSorted()
    }
    expect(await fieldsOf({})).toEqual(['Name', 'Number'])
    expect(await fieldsOf({ projection: ['Level'] })).toEqual(['Level'])
    expect(await api.aggregations.getRowCount({ tableId, viewId })).toEqual({ rowCount: 3 })
    await expect(list(tableId, { viewId: 'viw1' })).rejects.toMatchObject({
      code: 'view_not_found',
    })
    // A cursor belongs to what the view asks for now.
    const { nextCursor } = await api.records.listRecords({ tableId, viewId, take: 1 })
    await api.views.setViewSort({ tableId, viewId, sort: { sortObjs: by(ids.Name ?? '') } })
    const next = api.records.listRecords({ tableId, viewId, cursor: nextCursor ?? '' })
    await expect(next).rejects.toMatchObject({ code: 'validation_error' })
    // What is gone asks nothing, and comes back with its field.
    await api.fields.deleteField({ tableId, fieldId: ids.Number ?? '' })
    expect(await list(tableId, { viewId })).toEqual(['w', 'y', 'z', 'x'])
  })

  test('[RECORD-17] refuses a cursor of another query', async () => {
    const { id: tableId } = await tableOf([{ Name: 'x' }, { Name: 'y' }, { Name: 'z' }])
    const { api } = world
    const page = (query: object) => api.records.listRecords({ tableId, take: 1, ...query })
    const { nextCursor: plain } = await page({})
    const { nextCursor: sorted } = await page({ orderBy: by('Name') })
    const wrong = { code: 'validation_error', message: expect.stringContaining('cursor') }
    for (const [cursor, query] of [
      [plain, { orderBy: by('Name') }],
      [sorted, {}],
      [sorted, { orderBy: by('Name', 'desc') }],
      [
        sorted,
        { orderBy: by('Name'), filter: filter({ fieldId: 'Name', operator: 'isNotEmpty' }) },
      ],
      [`${sorted?.slice(0, -1)}x`, { orderBy: by('Name') }],
      ['x', { orderBy: by('Name') }],
    ] as const) {
      await expect(page({ ...query, cursor })).rejects.toMatchObject(wrong)
    }
    expect(await list(tableId, { orderBy: by('Name'), cursor: sorted })).toEqual(['y', 'z'])
    // What the field holds decides what a cursor says.
    const { id: fieldId } = await world.fieldOf({ id: tableId }, 'Name')
    await api.fields.convertField({ tableId, fieldId, type: 'number' })
    await expect(page({ orderBy: by('Name'), cursor: sorted })).rejects.toMatchObject(wrong)
  })

  test('[RECORD-48] walks past what is created, changed and deleted meanwhile', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `n${String((n * 17) % 40).padStart(2, '0')}`)
    const { id: tableId, recordIds } = await tableOf(
      names.map((Name, index) => ({ Name, ...(index % 3 > 0 && { Number: index % 7 }) })),
    )
    const { api } = world
    for (const orderBy of [
      by('Name'),
      by('Number', 'desc'),
      [...by('Number'), ...by('Name', 'desc')],
    ]) {
      const stays = new Set(recordIds.filter((_, index) => index % 5 !== 0))
      const seen: string[] = []
      let cursor: string | undefined
      for (let round = 0; ; round++) {
        const page = await api.records.listRecords({
          tableId,
          orderBy,
          take: 3,
          ...(cursor !== undefined && { cursor }),
        })
        seen.push(...page.records.map(({ id }) => id))
        if (page.nextCursor === null) break
        cursor = page.nextCursor
        const moved = recordIds[(round * 5) % 40] ?? ''
        await api.records.updateRecord({
          tableId,
          recordId: moved,
          record: { fields: { Number: round } },
        })
        await world.add({ id: tableId }, { Name: `n${round}`, Number: round })
      }
      expect(seen.filter((id) => stays.has(id)).toSorted()).toEqual([...stays].toSorted())
    }
  })

  test('[RECORD-31] [RECORD-34] a page by query ends before it is too long, and leads on', async () => {
    const rows = Array.from({ length: 9 }, (_, n) => ({ Name: 'x'.repeat(100), Number: 9 - n }))
    const { id: tableId } = await tableOf(rows)
    await withLimits({ recordsLength: 1_000 }, async () => {
      const numbers: unknown[] = []
      let cursor: string | undefined
      let pages = 0
      do {
        const page = await world.api.records.listRecords({
          tableId,
          orderBy: by('Number'),
          ...(cursor !== undefined && { cursor }),
        })
        numbers.push(...page.records.map(({ fields }) => fields.Number))
        cursor = page.nextCursor ?? undefined
        pages++
      } while (cursor !== undefined)
      expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
      expect(pages).toBeGreaterThan(1)
    })
  })

  test('[RECORD-49] says that it is long where the table has many records', async () => {
    const { id: tableId } = await tableOf([{ Name: 'x' }, { Name: 'y' }])
    const { store } = world.engine
    const said = vi.fn()
    const read = () =>
      store.read(async (tx) => {
        const [table] = await tx.tables.findAll([tableId], 'none')
        if (!table) throw new Error('the table was made')
        const schema = await tx.fields.schemaOf(table)
        const spied = {
          recordScanner: tx.recordScanner,
          recordFinder: tx.recordFinder,
          records: tx.records,
          becomeLong: said,
        }
        const input = { fieldKeyType: 'name', orderBy: by('Name'), skip: 0, take: 1 } as const
        const asker = {
          actor: { kind: 'user', userId: 'usr1' },
          now: '2026-03-18T12:00:00.000Z',
        } as const
        const query = toRecordQuery(schema, input, asker)
        await readPageOf({ tx: spied as never, secrets: undefined as never }, schema, query, input)
      })
    await read()
    expect(said).not.toHaveBeenCalled()
    await withLimits({ recordsSearchedAtOnce: 1 }, async () => {
      await read()
      expect(said).toHaveBeenCalledOnce()
      expect(await list(tableId, { orderBy: by('Name', 'desc') })).toEqual(['y', 'x'])
    })
  })
})
