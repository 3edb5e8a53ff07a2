import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, expect, test } from 'vitest'
import type { Filter } from '../fields/filter.ts'
import { limits } from '../limits.ts'
import type { SortItem } from '../queries/sort.ts'

describeOnEveryStorage('what visitors ask of a share', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let api: TableWorld['api']
  let table: TestTable
  let viewId: string
  let shareId: string
  let ids: Record<string, string>

  beforeAll(async () => {
    api = world.api
    table = await world.makeTable(
      'Books',
      [
        { type: 'singleLineText', name: 'Title' },
        { type: 'singleLineText', name: 'Shelf' },
        { type: 'singleLineText', name: 'Secret' },
        { type: 'number', name: 'Pages' },
        { type: 'date', name: 'From' },
        { type: 'date', name: 'Until' },
        { type: 'date', name: 'Hidden day' },
        { type: 'user', name: 'Reader' },
      ],
      [
        row('Emma', 'low', 'y', 474, '2026-03-02', '2026-03-04'),
        row('Sanditon', 'low', 'x', 120, '2026-03-04', null),
        row('Lady Susan', 'low', 'a', 90, '2026-03-01', '2026-03-31'),
        row('Persuasion', 'high', 'z', 249, '2026-03-03', null),
        row('Emma', 'high', 'x', 300, null, null),
      ],
    )
    const { id: tableId } = table
    const fields = await api.fields.listFields({ tableId })
    ids = Object.fromEntries(fields.map(({ name, id }) => [name, id]))
    const hidden = { hidden: true }
    const view = await api.views.createView({
      ...{ tableId, type: 'grid', filter: longer(ids.Pages ?? '') },
      columnMeta: {
        [ids.Secret ?? '']: hidden,
        [ids['Hidden day'] ?? '']: hidden,
        [ids.Title ?? '']: { order: 1 },
        [ids.Shelf ?? '']: { order: 0 },
      },
    })
    viewId = view.id
    shareId = (await api.views.enableShare({ tableId, viewId })).shareId
  })

  const row = (
    Title: string,
    Shelf: string,
    Secret: string,
    Pages: number,
    From: string | null,
    Until: string | null,
  ) => ({
    ...{ Title, Shelf, Secret, Pages, From, Until, 'Hidden day': '2026-03-01' },
    Reader: Pages > 400 ? { id: world.ada.userId } : null,
  })
  const longer = (fieldId: string): Filter => ({
    conjunction: 'and',
    filterSet: [{ fieldId, operator: 'isGreater', value: 100 }],
  })
  const of = () => ({ tableId: table.id, viewId })
  const shares = () => world.engine.public.shares
  const list = (query: object = {}) => shares().listSharedRecords({ shareId, ...query })
  const numbersOf = (records: readonly { readonly id: string }[]) =>
    records.map(({ id }) => table.recordIds.indexOf(id)).join('')
  const by = (...names: readonly string[]) =>
    names.map((fieldId): SortItem => ({ fieldId, order: 'asc' }))
  const points = (query: object = {}) => shares().getSharedGroupPoints({ shareId, ...query })
  const told = (groups: Awaited<ReturnType<typeof points>>) =>
    groups.map((point) => (point.type === 0 ? point.value : point.count))
  const refused = { code: 'validation_error' }

  test('[SHARE-28] searches the fields that are shown, in their order', async () => {
    const search = ['LOW']
    expect(await shares().countSharedHits({ shareId, search: ['LOW'] })).toEqual({ count: 2 })
    const { records, extra } = await list({ search })
    expect(numbersOf(records)).toBe('0134')
    const hit = (number: number, name: string) => ({
      ...{ recordId: table.recordIds[number], fieldId: ids[name] },
    })
    expect(extra).toEqual({ searchHitIndex: [hit(0, 'Shelf'), hit(1, 'Shelf')] })
    const left = await list({ search: ['low', '', true], orderBy: by('Title') })
    expect(numbersOf(left.records)).toBe('01')
    const places = await shares().findSharedHits({ shareId, search: ['o'], orderBy: by('Pages') })
    expect(places).toEqual([
      { index: 1, ...hit(1, 'Shelf') },
      { index: 1, ...hit(1, 'Title') },
      { index: 2, ...hit(3, 'Title') },
      { index: 4, ...hit(0, 'Shelf') },
    ])
    const counted = await shares().countSharedRecords({ shareId, search: ['low', '', true] })
    expect(counted).toEqual({ rowCount: 2 })
  })

  test('[SHARE-28] finds nothing in fields that are not shown, and refuses their names', async () => {
    // Only the field that is not shown has it.
    expect(await shares().countSharedHits({ shareId, search: ['z'] })).toEqual({ count: 0 })
    expect(await shares().findSharedHits({ shareId, search: ['z'] })).toEqual([])
    expect((await list({ search: ['z', '', true] })).records).toEqual([])
    for (const name of ['Secret', ids.Secret ?? '', 'Nowhere']) {
      const path = invalidAt('search', 1)
      await expect(list({ search: ['z', name] })).rejects.toMatchObject(path)
      const counted = shares().countSharedHits({ shareId, search: ['z', name] })
      await expect(counted).rejects.toMatchObject(path)
    }
    expect(await shares().countSharedHits({ shareId })).toEqual({ count: 0 })
    expect(await shares().findSharedHits({ shareId, search: [''] })).toEqual([])
  })

  test('[SHARE-32] searches and copies refuse another view than the shared one', async () => {
    const [other] = await api.views.listViews({ tableId: table.id })
    await api.views.setShareMeta({ ...of(), allowCopy: true })
    const search: [string] = ['low']
    const first: [number, number] = [0, 0]
    const asking = { shareId, search, ranges: [first, first] }
    const { countSharedHits, findSharedHits, copySharedCells } = shares()
    const calls = [countSharedHits, findSharedHits, copySharedCells]
    for (const call of calls) {
      const messages = new Set<string>()
      for (const named of [other?.id, 'viwNowhere']) {
        const error = await call({ ...asking, viewId: named }).catch((error: unknown) => error)
        expect(error).toMatchObject(invalidAt('viewId'))
        messages.add((error as Error).message)
      }
      expect(messages.size).toBe(1)
      expect(await call({ ...asking, viewId })).toEqual(await call(asking))
    }
  })

  test('[SHARE-29] groups records by fields that are shown', async () => {
    expect(told(await points({ groupBy: by('Shelf', 'Title') }))).toEqual([
      ...['high', 'Emma', 1, 'Persuasion', 1],
      ...['low', 'Emma', 1, 'Sanditon', 1],
    ])
    const first = await list({ groupBy: by('Shelf'), take: 3 })
    expect(numbersOf(first.records)).toBe('340')
    expect(first.extra?.groupPoints).toEqual(await points({ groupBy: by('Shelf') }))
    const { nextCursor: cursor } = first
    const next = await list({ groupBy: by('Shelf'), take: 3, cursor })
    expect(numbersOf(next.records)).toBe('1')
    expect(next).not.toHaveProperty('extra')
    await expect(list({ groupBy: by('Title'), cursor })).rejects.toMatchObject(invalidAt('cursor'))
    const [high] = await points({ groupBy: by('Shelf') })
    const collapsedGroupIds = high?.type === 0 ? [high.id] : []
    const without = { groupBy: by('Shelf'), collapsedGroupIds }
    expect(numbersOf((await list(without)).records)).toBe('01')
    expect(told(await points(without))).toEqual(['high', 'low', 2])
    const { aggregations } = await shares().aggregateSharedRecords({
      ...{ shareId, groupBy: by('Shelf'), field: { sum: ['Pages'] } },
    })
    const sums = Object.values(aggregations[0]?.group ?? {}).map(({ value }) => value)
    expect(sums.toSorted()).toEqual([549, 594])
  })

  test('[AGG-19] works out what the view notes for fields that are shown', async () => {
    const noted = { Pages: 'max', Title: 'unique', 'Hidden day': 'filled' }
    const notes = Object.entries(noted).map(([name, statisticFunc]) => ({
      fieldId: ids[name] ?? '',
      columnMeta: { statisticFunc },
    }))
    await api.views.setColumnMeta({ ...of(), columnMeta: notes } as never)
    const { aggregations } = await shares().aggregateSharedRecords({ shareId })
    expect(aggregations.map(({ fieldId, total }) => [fieldId, total.value])).toEqual([
      [ids.Title, 3],
      [ids.Pages, 474],
    ])
    const taken = notes.map(({ fieldId }) => ({ fieldId, columnMeta: { statisticFunc: null } }))
    await api.views.setColumnMeta({ ...of(), columnMeta: taken } as never)
    expect(await shares().aggregateSharedRecords({ shareId })).toEqual({ aggregations: [] })
  })

  test('[SHARE-29] tells no group by a field that is not shown', async () => {
    for (const name of ['Secret', ids.Secret ?? '', 'Nowhere']) {
      const path = invalidAt('groupBy', 0, 'fieldId')
      await expect(points({ groupBy: by(name) })).rejects.toMatchObject(path)
      await expect(list({ groupBy: by(name) })).rejects.toMatchObject(path)
      const asked = { shareId, groupBy: by(name), field: { sum: ['Pages'] } }
      await expect(shares().aggregateSharedRecords(asked)).rejects.toMatchObject(path)
    }
    const group = by(ids.Secret ?? '', ids.Shelf ?? '')
    await api.views.setViewGroup({ ...of(), group })
    try {
      const { records, extra } = await list()
      // Within a shelf they are in the order of what is not shown.
      expect(numbersOf(records)).toBe('4310')
      expect(numbersOf((await list({ orderBy: by('Pages') })).records)).toBe('3410')
      expect(told(await points())).toEqual(['high', 2, 'low', 2])
      expect(extra?.groupPoints).toEqual(await points())
      await api.views.setViewGroup({ ...of(), group: by(ids.Secret ?? '') })
      expect(await points()).toEqual([])
      expect(await list()).not.toHaveProperty('extra')
      expect(numbersOf((await list()).records)).toBe('1403')
    } finally {
      await api.views.setViewGroup({ ...of(), group: null })
    }
  })

  test('[SHARE-12] [SHARE-29] tells people of groups without their addresses', async () => {
    const groups = await points({ groupBy: by('Reader') })
    expect(groups[2]).toMatchObject({ value: { id: world.ada.userId, title: 'ada' } })
    expect(JSON.stringify(groups)).not.toContain('@')
  })

  test('[SHARE-29] refuses what makes too many groups, and lists it without them', async () => {
    expect(limits.groups).toBe(5_000)
    await withLimits({ groups: 2 }, async () => {
      await expect(points({ groupBy: by('Title') })).rejects.toMatchObject(invalidAt('groupBy'))
      const { records, extra } = await list({ groupBy: by('Title') })
      expect(records).toHaveLength(4)
      expect(extra).toBeUndefined()
    })
  })

  test('[SHARE-30] counts the days of a calendar of fields that are shown', async () => {
    const dates = { startDate: '2026-03-01', endDate: '2026-03-05' }
    const ask = (start: string, end: string, more: object = {}) =>
      shares().getSharedCalendarDays({
        ...{ shareId, ...dates, startDateFieldId: start, endDateFieldId: end, ...more },
      })
    const { countMap, records } = await ask('From', 'Until')
    expect(countMap).toEqual({ '2026-03-02': 1, '2026-03-03': 2, '2026-03-04': 2 })
    expect(records.map(({ name }) => name).toSorted()).toEqual(['Emma', 'Persuasion', 'Sanditon'])
    const listed = await list({ selectedRecordIds: records.map(({ id }) => id) })
    const inOrder = (all: typeof records) => all.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    expect(inOrder(records)).toEqual(inOrder(listed.records))
    const few = await ask('From', 'Until', { search: ['low', '', true] })
    expect(few.countMap).toEqual({ '2026-03-02': 1, '2026-03-03': 1, '2026-03-04': 2 })
    for (const name of ['Hidden day', ids['Hidden day'] ?? '', 'Nowhere']) {
      await expect(ask(name, 'Until')).rejects.toMatchObject(invalidAt('startDateFieldId'))
      await expect(ask('From', name)).rejects.toMatchObject(invalidAt('endDateFieldId'))
    }
  })

  test('[SHARE-60] shows of another base the titles that stand in cells, to visitors too, and nothing else', async () => {
    const { id: baseId } = await api.bases.createBase({ spaceId: world.ada.spaceId })
    const name = { type: 'singleLineText', name: 'Name' }
    const far = await world.makeTable('Far', [name], [{ Name: 'Near' }, { Name: 'Apart' }], baseId)
    const options = { relationship: 'manyMany', foreignTableId: far.id, baseId, isOneWay: true }
    const link = await world.addField(table, { type: 'link', name: 'Elsewhere', options })
    const [near = '', apart = ''] = far.recordIds
    const [emma, , short] = table.recordIds
    await world.change(table, emma, { Elsewhere: [{ id: near }] })
    // This record isn't shown.
    await world.change(table, short, { Elsewhere: [{ id: apart }] })
    const links = (more: object = {}) =>
      shares().listSharedLinkRecords({ shareId, fieldId: link.id, ...more })
    const shown = { id: near, title: 'Near' }
    const { records } = await list()
    const cells = records.flatMap(({ fields }) => fields.Elsewhere ?? [])
    expect(cells).toEqual([shown])
    expect(await links()).toEqual([shown])
    expect(await links({ search: 'apa' })).toEqual([])
    const { fields } = await shares().getSharedView({ shareId })
    const told = JSON.stringify(fields.find(({ id }) => id === link.id))
    expect([baseId, far.id, far.primaryId].filter((id) => told.includes(id))).toEqual([])
    await api.bases.deleteBase({ baseId })
    await expect(links()).rejects.toMatchObject({ code: 'not_found' })
    await api.fields.deleteField({ tableId: table.id, fieldId: link.id })
  })

  test('[SHARE-31] tells the people and the records that cells name which are shown', async () => {
    const { api: ofAll, ada } = world
    const eve = await world.newCollaborator(`Eve${storage.name}`, 'editor')
    const shelves = await world.makeNames('Shelves', 'Low', 'High', 'Far')
    const options = { relationship: 'manyMany', foreignTableId: shelves.id, isOneWay: true }
    const link = await world.addField(table, { type: 'link', name: 'On', options })
    const hidden = await world.addField(table, { type: 'link', name: 'Hidden link', options })
    const made = await world.addField(table, { type: 'createdBy', name: 'Maker' })
    const several = { type: 'user', name: 'Several', options: { isMultiple: true } }
    const { id: severalId } = await world.addField(table, several)
    const columnMeta = [{ fieldId: hidden.id, columnMeta: { hidden: true } }]
    await ofAll.views.setColumnMeta({ ...of(), columnMeta })
    const [low = '', high = '', far = ''] = shelves.recordIds
    const [emma, , short, other] = table.recordIds
    await world.change(table, emma, { On: [{ id: low }, { id: high }], Several: [eve.userId] })
    await world.change(table, other, { On: [{ id: high }], 'Hidden link': [{ id: far }] })
    // A record that isn't shown tells nothing.
    await world.change(table, short, { On: [{ id: far }], Reader: { id: eve.userId } })
    const links = (fieldId: string, more: object = {}) =>
      shares().listSharedLinkRecords({ shareId, fieldId, ...more })
    const people = (fieldId = '', more: object = {}) =>
      shares().listSharedCollaborators({ shareId, fieldId, ...more })
    const [ofLow, ofHigh] = [
      { id: low, title: 'Low' },
      { id: high, title: 'High' },
    ]
    expect(await links(link.id)).toEqual([ofLow, ofHigh])
    expect(await links(link.id, { search: 'HI' })).toEqual([ofHigh])
    expect(await links(link.id, { skip: 1, take: 1 })).toEqual([ofHigh])
    const avatar = expect.any(String)
    const isAda = { userId: ada.userId, userName: 'ada', avatar }
    expect(await people(ids.Reader)).toEqual([isAda])
    expect(await people(made.id)).toEqual([isAda])
    expect(await people(severalId)).toMatchObject([{ userId: eve.userId }])
    expect(await people(ids.Reader, { search: 'x' })).toEqual([])
    expect(await people(ids.Reader, { search: 'AD' })).toEqual([isAda])
    const gone = { code: 'not_found' }
    for (const fieldId of [hidden.id, ids.Title ?? '', ids.Secret ?? '', 'fldNowhere']) {
      await expect(links(fieldId)).rejects.toMatchObject(gone)
      await expect(people(fieldId)).rejects.toMatchObject(gone)
    }
    await withLimits({ peopleNamed: 0 }, () =>
      expect(people(ids.Reader)).rejects.toMatchObject(invalidAt('fieldId')),
    )
    expect(limits.peopleNamed).toBe(10_000)
    await ofAll.views.setShareMeta({ ...of(), includeRecords: false })
    const restricted = { code: 'restricted_resource' }
    await expect(links(link.id)).rejects.toMatchObject(restricted)
    await expect(people(ids.Reader)).rejects.toMatchObject(restricted)
    await ofAll.views.setShareMeta({ ...of(), includeRecords: true })
  })

  test('[SHARE-10] picks records that are shown by their ids, and no others', async () => {
    const [emma, , short] = table.recordIds
    const selectedRecordIds = [emma, short, 'recNowhere']
    expect(numbersOf((await list({ selectedRecordIds })).records)).toBe('0')
    const counted = await shares().countSharedRecords({ shareId, selectedRecordIds: [short ?? ''] })
    expect(counted).toEqual({ rowCount: 0 })
    await expect(list({ filterLinkCellCandidate: ids.Title })).rejects.toMatchObject(refused)
  })

  test('[SHARE-13] a share without records tells nothing of them', async () => {
    await api.views.setShareMeta({ ...of(), includeRecords: false })
    const days = { startDate: '2026-03-01', endDate: '2026-03-05' }
    const fields = { startDateFieldId: 'From', endDateFieldId: 'Until' }
    const restricted = { code: 'restricted_resource' }
    for (const call of [
      () => shares().getSharedGroupPoints({ shareId, groupBy: by('Shelf') }),
      () => shares().countSharedHits({ shareId, search: ['a'] }),
      () => shares().findSharedHits({ shareId, search: ['a'] }),
      () => shares().getSharedCalendarDays({ shareId, ...days, ...fields }),
    ]) {
      await expect(call()).rejects.toMatchObject(restricted)
    }
    await api.views.setShareMeta({ ...of(), includeRecords: true })
  })
})
