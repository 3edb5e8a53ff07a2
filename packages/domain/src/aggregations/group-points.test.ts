import { filterOf, groupOf, sortOf } from '@gateleg/testing/arbitraries/record-query'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openQueryWorld, type QueryWorld } from '@gateleg/testing/worlds/query-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import type { SortItem } from '../queries/sort.ts'
import { sha256 } from '../values/bytes/sha256.ts'

type Points = Awaited<ReturnType<QueryWorld['api']['aggregations']['getGroupPoints']>>

describeOnEveryStorage('groups', (storage) => {
  const world = worldOfBlock(() => openQueryWorld(storage))
  let tableId: string

  beforeAll(async () => {
    const table = await world.makeTable(
      'Books',
      [
        { type: 'singleLineText', name: 'Title' },
        {
          type: 'singleSelect',
          name: 'Shelf',
          options: { choices: [{ name: 'low' }, { name: 'high' }] },
        },
        {
          type: 'date',
          name: 'Read',
          options: { formatting: { date: 'YYYY-MM', timeZone: 'Asia/Kolkata' } },
        },
        { type: 'user', name: 'By' },
        { type: 'number', name: 'Pages' },
        { type: 'singleLineText', name: 'N' },
      ],
      [
        { N: '1', Title: 'emma', Shelf: 'high', Read: '2026-01-31T20:00:00Z', Pages: 1 },
        { N: '2', Title: 'Emma', Shelf: 'low', Read: '2026-02-10T00:00:00Z', Pages: 2 },
        { N: '3', Title: 'emma', Shelf: 'low', By: { id: world.ada.userId }, Pages: 3 },
        { N: '4', Shelf: 'high', Title: 'Emma', Pages: 4 },
        { N: '5', Title: 'emma' },
      ],
    )
    tableId = table.id
  })

  const by = (...names: readonly string[]): SortItem[] =>
    names.map((name) => ({
      fieldId: name.replace('-', ''),
      order: name[0] === '-' ? 'desc' : 'asc',
    }))
  const points = (...names: readonly string[]) =>
    world.api.aggregations.getGroupPoints({ tableId, groupBy: by(...names) })
  const told = (all: Points) =>
    all.map((point) => (point.type === 0 ? [point.depth, point.value, point.count] : point.count))
  const idOf = (all: Points, value: unknown, depth = 0) => {
    const found = all.find(
      (point) => point.type === 0 && point.depth === depth && point.value === value,
    )
    return found?.type === 0 ? found.id : ''
  }
  const list = async (query: object) => {
    const { records } = await world.api.records.listRecords({ tableId, ...query })
    return records.map(({ fields }) => fields.N).join('')
  }

  test('[AGG-11] [QUERY-23] tells each group with its value, in the order of the records', async () => {
    expect(told(await points('Shelf', '-Title'))).toEqual([
      ...[[0, null, 1], [1, 'emma', 1], 1],
      ...[[0, 'low', 2], [1, 'emma', 1], 1, [1, 'Emma', 1], 1],
      ...[[0, 'high', 2], [1, 'emma', 1], 1, [1, 'Emma', 1], 1],
    ])
    expect(await list({ groupBy: by('Shelf', '-Title') })).toBe('53214')
    // Titles that sort alike are two groups, and stay apart.
    expect(await list({ groupBy: by('Title') })).toBe('24135')
    expect(told(await points('Read'))).toEqual([
      ...[[0, null, 3], 3],
      ...[[0, '2026-01-31T18:30:00.000Z', 2], 2],
    ])
    const { userId } = world.ada
    const [, , user] = await points('By')
    expect(user).toMatchObject({ value: { id: userId, title: 'ada' }, count: 1 })
    expect(await points()).toEqual([])
  })

  test('[QUERY-23] orders groups by 64 characters of their texts, then by a digest', async () => {
    expect(limits.groupTextLength).toBe(64)
    const long = (length: number, end: string) => 'x'.repeat(length) + end
    const ends = [...'abcdefgh']
    const titled = async (all: readonly string[]) => {
      const fields = [{ type: 'longText', name: 'Title' }]
      const rows = [...all, ...all].map((Title) => ({ Title }))
      const { id: tableId } = await world.makeTable('Titles', fields, rows)
      const groupBy = by('Title')
      const groups = await world.api.aggregations.getGroupPoints({ tableId, groupBy })
      expect(groups.filter((point) => point.type === 1)).toEqual(
        all.map(() => ({ type: 1, count: 2 })),
      )
      const { records } = await world.api.records.listRecords({ tableId, groupBy })
      const values = groups.flatMap((point) => (point.type === 0 ? [point.value] : []))
      expect(records.map(({ fields }) => fields.Title)).toEqual(
        values.flatMap((value) => [value, value]),
      )
      return values
    }
    const told = ends.map((end) => long(63, end))
    expect(await titled(told.toReversed())).toEqual(told)
    const alike = ends.map((end) => long(64, end))
    const digested = new Map(alike.map((text) => [sha256(text), text]))
    const inOrder = [...digested.keys()].toSorted().map((digest) => digested.get(digest))
    expect(inOrder).not.toEqual(alike)
    expect(await titled(alike)).toEqual(inOrder)
  })

  test('[AGG-12] [RECORD-62] leaves out what is in a collapsed group, but not from its count', async () => {
    const groupBy = by('Shelf', 'Title')
    const all = await points('Shelf', 'Title')
    const [low, inHigh] = [idOf(all, 'low'), idOf(all, 'Emma', 1)]
    const high = all.findIndex((point) => point.type === 0 && point.value === 'high')
    const emma = all.slice(high).find((point) => point.type === 0 && point.value === 'Emma')
    const emmaId = emma?.type === 0 ? emma.id : ''
    expect(emmaId).not.toBe(inHigh)
    const collapsedGroupIds = [low, emmaId, 'nothing']
    const { extra = {} } = await world.api.records.listRecords({
      tableId,
      groupBy,
      collapsedGroupIds,
    })
    const { groupPoints = [], allGroupHeaderRefs } = extra
    expect(groupPoints).toEqual(
      await world.api.aggregations.getGroupPoints({ tableId, groupBy, collapsedGroupIds }),
    )
    expect(told(groupPoints)).toEqual([
      ...[[0, null, 1], [1, 'emma', 1], 1],
      [0, 'low', 2],
      ...[[0, 'high', 2], [1, 'Emma', 1], [1, 'emma', 1], 1],
    ])
    const collapsed = groupPoints.filter((point) => point.type === 0 && point.isCollapsed)
    expect(collapsed.map((point) => point.type === 0 && point.id)).toEqual([low, emmaId])
    expect(allGroupHeaderRefs).toEqual(
      all.flatMap((point) => (point.type === 0 ? [{ id: point.id, depth: point.depth }] : [])),
    )
    expect(await list({ groupBy, collapsedGroupIds })).toBe('51')
    expect(await list({ groupBy, collapsedGroupIds: ['nothing'] })).toBe('52341')
    const { api } = world
    const { records } = await api.records.listRecords({ tableId, groupBy })
    const index = async (place: number) => {
      const recordId = records[place]?.id ?? ''
      const input = { tableId, groupBy, collapsedGroupIds, recordId }
      return (await api.aggregations.getRecordIndex(input)).index
    }
    expect([await index(0), await index(1), await index(4)]).toEqual([0, null, 1])
  })

  test('[RECORD-17] [RECORD-62] a cursor belongs to the groups, and leads to a page without them', async () => {
    const page = (query: object) => world.api.records.listRecords({ tableId, take: 1, ...query })
    const groupBy = by('Shelf')
    const { nextCursor, extra } = await page({ groupBy })
    expect(extra?.groupPoints).toHaveLength(6)
    const cursor = nextCursor ?? ''
    expect(await page({ groupBy, cursor })).not.toHaveProperty('extra')
    expect(await page({ orderBy: by('Title') })).not.toHaveProperty('extra')
    const collapsedGroupIds = [idOf(await points('Shelf'), 'low')]
    for (const other of [
      { orderBy: groupBy },
      { groupBy: by('-Shelf') },
      { groupBy, collapsedGroupIds },
    ]) {
      await expect(page({ ...other, cursor })).rejects.toMatchObject(invalidAt('cursor'))
    }
  })

  test('[QUERY-24] goes by what is asked for, else by the view', async () => {
    const { api } = world
    const shelf = await world.fieldOf({ id: tableId }, 'Shelf')
    const group = [{ fieldId: shelf.id, order: 'desc' as const }]
    const { id: viewId } = await api.views.createView({ tableId, type: 'grid', group })
    const ofView = await api.aggregations.getGroupPoints({ tableId, viewId })
    expect(told(ofView)).toEqual([[0, 'high', 2], 2, [0, 'low', 2], 2, [0, null, 1], 1])
    const { extra } = await api.records.listRecords({ tableId, viewId })
    expect(extra?.groupPoints).toEqual(ofView)
    const ignoring = { tableId, viewId, ignoreViewQuery: true }
    expect(await api.aggregations.getGroupPoints(ignoring)).toEqual([])
    expect(await list({ viewId, groupBy: by('Title') })).toBe('24135')
    expect(await list({ viewId, groupBy: [] })).toBe('12345')
    const unknown = api.records.listRecords({ tableId, groupBy: by('Nothing') })
    await expect(unknown).rejects.toMatchObject(invalidAt('groupBy', 0, 'fieldId'))
  })

  test('[QUERY-25] gives a group the same id wherever it is told', async () => {
    const high = idOf(await points('Shelf'), 'high')
    expect(high).toMatch(/^grp[0-9a-f]{16}$/)
    expect(idOf(await points('-Shelf', 'Title'), 'high')).toBe(high)
    const filter = {
      conjunction: 'and',
      filterSet: [{ fieldId: 'Pages', operator: 'isGreater', value: 1 }],
    } as const
    const filtered = { tableId, filter, groupBy: by('Shelf') }
    expect(idOf(await world.api.aggregations.getGroupPoints(filtered), 'high')).toBe(high)
    expect(idOf(await points('Title', 'Shelf'), 'high', 1)).not.toBe(high)
  })

  test('[AGG-13] tells so many groups at once, of so many bytes, and no more', async () => {
    const names = ['Shelf', 'Title', 'Read']
    const tooMuch = async () => {
      await expect(points(...names)).rejects.toMatchObject(invalidAt('groupBy'))
      const page = await world.api.records.listRecords({ tableId, groupBy: by(...names) })
      expect(page.records).toHaveLength(5)
      expect(page).not.toHaveProperty('extra')
    }
    await withLimits({ groups: 5 }, async () => expect(await points(...names)).toHaveLength(18))
    await withLimits({ groups: 4 }, tooMuch)
    await withLimits({ groupsLength: 3_000 }, () => points(...names))
    // Their cells are too long, or what is told of them is.
    await withLimits({ groupsLength: 100 }, tooMuch)
    await withLimits({ groupsLength: 1_200 }, tooMuch)
  })

  test('[AGG-15] says that no cell is being filled in', async () => {
    const status = await world.api.aggregations.getTaskStatus({ tableId })
    expect(status).toEqual({ cells: [], fieldMap: {} })
  })

  test('[AGG-11] [AGG-12] [RECORD-62] always add up, and pages are the whole', async () => {
    const { api, schema } = world
    const inTable = { tableId: world.tableId, fieldKeyType: 'id' } as const
    await fc.assert(
      fc.asyncProperty(
        fc.option(filterOf(schema, world.values), { nil: undefined }),
        groupOf(schema),
        sortOf(schema),
        fc.array(fc.nat(), { maxLength: 3 }),
        async (filter, groupBy, orderBy, picks) => {
          const asked = { ...inTable, filter, groupBy, orderBy }
          const { rowCount } = await api.aggregations.getRowCount({ ...inTable, filter })
          const whole = await api.records.listRecords({ ...asked, take: 100 })
          expect(whole.records).toHaveLength(rowCount)
          const all = whole.extra?.groupPoints ?? []
          expect(rowsOf(all)).toBe(rowCount)
          requireSums(all)

          const headers = all.filter((point) => point.type === 0)
          const ids = picks.flatMap((pick) => headers[pick % Math.max(1, headers.length)]?.id ?? [])
          const input = { ...asked, collapsedGroupIds: ids }
          const page = await api.records.listRecords({ ...input, take: 100 })
          const left = recordsOutside(all, whole.records, new Set(ids))
          expect(page.records).toEqual(left)
          expect(rowsOf(page.extra?.groupPoints ?? [])).toBe(left.length)

          const walked: unknown[] = []
          for (let cursor: string | undefined, round = 0; round < 5; round++) {
            const next = await api.records.listRecords({
              ...input,
              take: 20,
              ...(cursor !== undefined && { cursor }),
            })
            walked.push(...next.records)
            if (next.nextCursor === null) break
            cursor = next.nextCursor
          }
          expect(walked).toEqual(left)
        },
      ),
      { numRuns: 60 },
    )
  }, 120_000)
})

/** The records that follow in all of the innermost groups. */
function rowsOf(points: Points): number {
  return points.reduce((sum, point) => sum + (point.type === 1 ? point.count : 0), 0)
}

/** Each group has as many records as those in it. */
function requireSums(points: Points): void {
  for (const [index, point] of points.entries()) {
    if (point.type !== 0) continue
    const rest = points.slice(index + 1)
    const end = rest.findIndex((other) => other.type === 0 && other.depth <= point.depth)
    expect(rowsOf(end < 0 ? rest : rest.slice(0, end))).toBe(point.count)
  }
}

/** The records of a list that are in none of the groups. */
function recordsOutside<T>(points: Points, records: readonly T[], ids: ReadonlySet<string>): T[] {
  const path: string[] = []
  let start = 0
  return points.flatMap((point) => {
    if (point.type === 0) {
      path.splice(point.depth, path.length, point.id)
      return []
    }
    const own = records.slice(start, start + point.count)
    start += point.count
    return path.some((id) => ids.has(id)) ? [] : own
  })
}
