import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { type BaseWorld, invalidAt, openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

describeOnEveryStorage('what people set of views', (storage) => {
  const world = worldOfBlock(() => openBaseWorld(storage))
  let api: BaseWorld['api']
  let tableId: string
  /** The ids of views by their kind. */
  let views: Readonly<Record<string, string>>
  /** The ids of fields by their name. */
  let fields: Readonly<Record<string, string>>

  beforeAll(async () => {
    api = world.api
  })
  beforeEach(async () => {
    const kinds = (['grid', 'kanban', 'gallery', 'calendar', 'form'] as const).map((type) => ({
      type,
    }))
    const table = await api.tables.createTable({
      baseId: world.baseId,
      fields: [
        { type: 'singleLineText', name: 'Name' },
        { type: 'number', name: 'Count' },
        { type: 'date', name: 'Day' },
        { type: 'attachment', name: 'Cover' },
        { type: 'singleSelect', name: 'State', options: { choices: [{ name: 'light' }] } },
        { type: 'user', name: 'Who' },
      ],
      views: kinds,
    })
    tableId = table.id
    views = Object.fromEntries(table.views.map(({ id, type }) => [type, id]))
    fields = Object.fromEntries(table.fields.map(({ id, name }) => [name, id]))
  })

  const idOf = (name: string) => fields[name] ?? name
  const viewOf = (type: string) => ({ tableId, viewId: views[type] ?? '' })
  const get = (type = 'grid') => api.views.getView(viewOf(type))
  const filterOf = (...items: readonly object[]) =>
    ({ conjunction: 'and', filterSet: items }) as never
  const setFilter = (...items: readonly object[]) =>
    api.views.setViewFilter({ ...viewOf('grid'), filter: filterOf(...items) })

  test('[VIEW-10] changes name and description', async () => {
    const { name: other } = await get('form')
    await api.views.renameView({ ...viewOf('grid'), name: ` ${other} ` })
    await api.views.describeView({ ...viewOf('grid'), description: 'Long' })
    expect(await get()).toMatchObject({ name: other, description: 'Long', version: 3 })
    await api.views.describeView({ ...viewOf('grid'), description: null })
    expect(await get()).not.toHaveProperty('description')
    for (const name of ['', ' ', 'x'.repeat(101)]) {
      const rename = () => api.views.renameView({ ...viewOf('grid'), name })
      await world.expectNoTrace(rename, invalidAt('name'))
    }
  })

  describe('[VIEW-11] a filter', () => {
    test('names fields by their ids, and is taken away by null', async () => {
      const nested = filterOf({ fieldId: idOf('Who'), operator: 'is', value: 'Me' })
      const filter = filterOf(
        { fieldId: idOf('Count'), operator: '>=', value: 7, isSymbol: true },
        { fieldId: idOf('State'), operator: 'isAnyOf', value: ['light', 'gone'] },
        { fieldId: idOf('Day'), operator: 'is', value: { mode: 'today' } },
        { fieldId: idOf('Name'), operator: 'is', value: null },
        nested,
      )
      await api.views.setViewFilter({ ...viewOf('grid'), filter })
      expect((await get()).filter).toEqual(filter)
      await api.views.setViewFilter({ ...viewOf('grid'), filter: null })
      expect(await get()).not.toHaveProperty('filter')
    })

    test('keeps no value that its operator takes no notice of', async () => {
      const [full, kept] = ['x'.repeat(200_000), null].map((value) => [
        { fieldId: idOf('Name'), operator: 'isEmpty', value },
        { fieldId: idOf('Count'), operator: 'IS NOT NULL', value, isSymbol: true },
      ])
      await setFilter(...(full ?? []), filterOf(...(full ?? [])))
      expect((await get()).filter).toEqual(filterOf(...(kept ?? []), filterOf(...(kept ?? []))))
    })

    const misfits: readonly (readonly [string, object, string])[] = [
      ['a field that there is not', { fieldId: 'fldNone', operator: 'isEmpty' }, 'fieldId'],
      ['a field by its name', { fieldId: 'Name#', operator: 'isEmpty' }, 'fieldId'],
      ['an operator that there is not', { fieldId: 'Name', operator: 'equals' }, 'operator'],
      ['an operator of other cells', { fieldId: 'Count', operator: 'contains' }, 'operator'],
      ['a value of other cells', { fieldId: 'Count', operator: 'is', value: 'a' }, 'value'],
      ['a list for one', { fieldId: 'Name', operator: 'is', value: ['a'] }, 'value'],
    ]
    test.each(misfits)('is refused with %s', async (_what, item, member) => {
      const { fieldId } = item as { fieldId: string }
      const named = { ...item, fieldId: fieldId === 'Name#' ? 'Name' : idOf(fieldId) }
      await world.expectNoTrace(() => setFilter(named), invalidAt('filter', 'filterSet', 0, member))
    })

    test('is told to name fields by their ids', async () => {
      const said = 'fieldId: must be the id of a field of the table'
      await expect(setFilter({ fieldId: 'Name', operator: 'isEmpty' })).rejects.toThrow(said)
    })
  })

  test('[VIEW-12] sorts and groups by fields that there are', async () => {
    const by = (...names: readonly string[]) =>
      names.map((name) => ({ fieldId: idOf(name), order: 'desc' as const }))
    const sort = { sortObjs: by('Count', 'Name'), manualSort: false }
    await api.views.setViewSort({ ...viewOf('grid'), sort })
    await api.views.setViewGroup({ ...viewOf('grid'), group: by('State', 'Day') })
    expect(await get()).toMatchObject({ sort, group: by('State', 'Day'), version: 3 })
    const sortByNone = { sortObjs: by('Count', 'fldNone') }
    await world.expectNoTrace(
      () => api.views.setViewSort({ ...viewOf('grid'), sort: sortByNone }),
      invalidAt('sort', 'sortObjs', 1, 'fieldId'),
    )
    await world.expectNoTrace(
      () => api.views.setViewGroup({ ...viewOf('grid'), group: by('fldNone') }),
      invalidAt('group', 0, 'fieldId'),
    )
    const many = by('Name', 'Count', 'Day', 'State')
    await world.expectNoTrace(
      () => api.views.setViewGroup({ ...viewOf('grid'), group: many }),
      invalidAt('group'),
    )
    await api.views.setViewSort({ ...viewOf('grid'), sort: null })
    await api.views.setViewGroup({ ...viewOf('grid'), group: null })
    const bare = await get()
    expect([bare.sort, bare.group]).toEqual([undefined, undefined])
  })

  test('[VIEW-13] keeps what names a field that is deleted or converted later', async () => {
    const filter = filterOf(
      { fieldId: idOf('Count'), operator: 'isGreater', value: 1 },
      { fieldId: idOf('Day'), operator: 'is', value: { mode: 'today' } },
    )
    const sort = { sortObjs: [{ fieldId: idOf('Count'), order: 'asc' as const }] }
    await api.views.setViewFilter({ ...viewOf('grid'), filter })
    await api.views.setViewSort({ ...viewOf('grid'), sort })
    await api.views.setViewOptions({
      ...viewOf('calendar'),
      options: { startDateFieldId: idOf('Day') },
    })
    const seen = [await get(), await get('calendar')]
    await api.fields.deleteField({ tableId, fieldId: idOf('Count') })
    await api.fields.convertField({ tableId, fieldId: idOf('Day'), type: 'longText' } as never)
    const [grid, calendar] = [await get(), await get('calendar')]
    expect(grid).toMatchObject({ filter, sort, version: seen[0]?.version })
    expect(calendar.options).toEqual(seen[1]?.options)
    expect(grid.columnMeta).not.toHaveProperty(idOf('Count'))
  })

  test('[VIEW-26] follows choices that get other names', async () => {
    const choices = ['a', 'b', 'c'].map((name) => ({ id: `cho${name}`, name }))
    const field = { tableId, fieldId: idOf('State'), type: 'singleSelect' } as const
    await api.fields.convertField({ ...field, options: { choices } })
    const filterBy = (names: readonly string[], others: string) =>
      filterOf(
        { fieldId: idOf('State'), operator: 'isAnyOf', value: names },
        filterOf({ fieldId: idOf('State'), operator: 'isNot', value: names[0] }),
        { fieldId: idOf('Name'), operator: 'is', value: others },
        { fieldId: idOf('State'), operator: 'isEmpty' },
      )
    const view = viewOf('grid')
    await api.views.setViewFilter({ ...view, filter: filterBy(['a', 'b', 'c'], 'a') })
    await api.views.lockView({ ...view, isLocked: true })
    const { version } = await get()
    // Names are swapped, and one choice goes.
    const [one, other] = choices
    const swapped = [
      { ...one, name: 'b' },
      { ...other, name: 'a' },
    ] as never
    const { userId } = world.ada
    const told = await world.heard(() =>
      api.fields.convertField({ ...field, options: { choices: swapped } }),
    )
    expect(told).toContainEqual({ name: 'view.updated', userId, ...view })
    expect(await get()).toMatchObject({
      filter: filterBy(['b', 'a', 'c'], 'a'),
      version: version + 1,
    })
    const more = [{ name: 'new' }, ...(swapped as object[])] as never
    await api.fields.convertField({ ...field, options: { choices: more } })
    expect((await get()).version).toBe(version + 1)
  })

  test('[VIEW-27] makes all changes of one view that come at the same time', async () => {
    const view = viewOf('grid')
    const names = ['Name', 'Count', 'Day', 'State', 'Who']
    await Promise.all([
      api.views.renameView({ ...view, name: 'At once' }),
      api.views.setViewOptions({ ...view, options: { rowHeight: 'tall' } }),
      ...names.map((name) =>
        api.views.setColumnMeta({
          ...view,
          columnMeta: [{ fieldId: idOf(name), columnMeta: { width: 77 } }],
        }),
      ),
    ])
    const { name, options, columnMeta, version } = await get()
    expect({ name, options, version }).toEqual({
      name: 'At once',
      options: { rowHeight: 'tall' },
      version: 8,
    })
    expect(names.map((one) => columnMeta[idOf(one)]?.width)).toEqual(names.map(() => 77))
  })

  describe('[VIEW-14] options', () => {
    const set = (type: string, options: object) =>
      api.views.setViewOptions({ ...viewOf(type), options } as never)

    test('are set one by one, and taken away by null', async () => {
      await set('grid', { rowHeight: 'tall', frozenColumnCount: 1 })
      await set('grid', { rowHeight: 'autoFit', fieldNameDisplayLines: 3 })
      const options = { rowHeight: 'autoFit', frozenColumnCount: 1, fieldNameDisplayLines: 3 }
      expect((await get()).options).toEqual(options)
      await set('grid', { frozenColumnCount: null })
      expect((await get()).options).toEqual({ rowHeight: 'autoFit', fieldNameDisplayLines: 3 })
    })

    test('are those of the kind of view', async () => {
      const options = {
        grid: { frozenFieldId: idOf('Count') },
        kanban: {
          ...{ stackFieldId: idOf('State'), coverFieldId: idOf('Cover'), isCoverFit: true },
          ...{ isFieldNameHidden: false, isEmptyStackHidden: true },
        },
        gallery: { coverFieldId: idOf('Cover'), isCoverFit: false, isFieldNameHidden: true },
        calendar: {
          ...{ startDateFieldId: idOf('Day'), endDateFieldId: idOf('Day') },
          titleFieldId: idOf('Name'),
          colorConfig: { type: 'field', fieldId: idOf('State') },
        },
        form: { coverUrl: '/cover.png', logoUrl: '', submitLabel: 'Send', successMessage: 'Done' },
      }
      for (const [type, one] of Object.entries(options)) {
        await set(type, one)
        expect((await get(type)).options).toEqual(one)
      }
    })

    const misfits: readonly (readonly [string, string, () => object, readonly string[]])[] = [
      ['another kind has', 'form', () => ({ rowHeight: 'tall' }), []],
      ['no kind has', 'grid', () => ({ height: 3 }), []],
      ['has another value', 'grid', () => ({ rowHeight: 'low' }), ['rowHeight']],
      ['is too large', 'grid', () => ({ frozenColumnCount: 501 }), ['frozenColumnCount']],
      ['names no field', 'kanban', () => ({ stackFieldId: 'fldNone' }), ['stackFieldId']],
      [
        'names a field of other cells',
        'calendar',
        () => ({ startDateFieldId: idOf('Count') }),
        ['startDateFieldId'],
      ],
      [
        'names a field without files',
        'gallery',
        () => ({ coverFieldId: idOf('Name') }),
        ['coverFieldId'],
      ],
      [
        'takes colors of no select',
        'calendar',
        () => ({ colorConfig: { type: 'field', fieldId: idOf('Name') } }),
        ['colorConfig', 'fieldId'],
      ],
    ]
    test.each(misfits)('are refused where one %s', async (_what, type, options, path) => {
      await world.expectNoTrace(() => set(type, options()), invalidAt('options', ...path))
    })
  })

  describe('[VIEW-19] what is kept is bounded:', () => {
    const long = (length: number) => ({
      fieldId: idOf('State'),
      operator: 'isAnyOf',
      value: new Array(length / 100).fill('x'.repeat(100)),
    })

    test('a filter', async () => {
      await setFilter(long(99_000))
      await world.expectNoTrace(() => setFilter(long(100_000)), invalidAt('filter'))
    })

    test('all that the views of a table keep', async () => {
      const filter = filterOf(long(10_000))
      await setFilter(long(1_000))
      const message = expect.stringMatching(/^the views of a table may keep 11000/)
      await withLimits({ tableViewsLength: 11_000 }, async () => {
        const refused = { code: 'validation_error', message }
        const input = { ...viewOf('form'), filter }
        await world.expectNoTrace(() => api.views.setViewFilter(input), refused)
        await world.expectNoTrace(
          () => api.views.createView({ tableId, type: 'grid', filter }),
          refused,
        )
        await setFilter(long(5_000))
        const second = await api.views.duplicateView(viewOf('grid'))
        const third = () => api.views.duplicateView({ tableId, viewId: second.id })
        await world.expectNoTrace(third, refused)
      })
      // What is too much already may become less.
      await withLimits({ tableViewsLength: 10 }, () => setFilter(long(100)))
    })
  })

  test('[VIEW-4] counts changes, and tells when and by whom', async () => {
    const bob = await world.newCollaborator('Bob', 'editor')
    const before = await get()
    expect(before).not.toHaveProperty('lastModifiedBy')
    expect(before).not.toHaveProperty('lastModifiedTime')
    await bob.api.views.renameView({ ...viewOf('grid'), name: 'Bobs' })
    const after = await get()
    expect(after).toMatchObject({ name: 'Bobs', lastModifiedBy: bob.userId, version: 2 })
    expect(after.lastModifiedTime).toEqual(expect.stringMatching(/^2026-/))
    const input = { ...viewOf('grid'), name: 'Again' }
    const stale = { code: 'precondition_failed' }
    await world.expectNoTrace(() => api.views.renameView(input, { ifMatch: [1] }), stale)
    await api.views.renameView(input, { ifMatch: [2] })
    expect(await get()).toMatchObject({ name: 'Again', lastModifiedBy: world.ada.userId })
  })

  test('[VIEW-4] [VIEW-21] tells of changes, and of none where nothing changes', async () => {
    const { userId } = world.ada
    const { viewId } = viewOf('grid')
    const filter = filterOf({ fieldId: idOf('Count'), operator: 'is', value: 1 })
    const sort = { sortObjs: [{ fieldId: idOf('Count'), order: 'asc' as const }] }
    const columnMeta = [{ fieldId: idOf('Count'), columnMeta: { hidden: true } }]
    const calls = [
      () => api.views.renameView({ tableId, viewId, name: 'Told' }),
      () => api.views.describeView({ tableId, viewId, description: 'Told' }),
      () => api.views.setViewFilter({ tableId, viewId, filter }),
      () => api.views.setViewSort({ tableId, viewId, sort }),
      () => api.views.setViewGroup({ tableId, viewId, group: sort.sortObjs }),
      () => api.views.setViewOptions({ tableId, viewId, options: { rowHeight: 'tall' } }),
      () => api.views.setColumnMeta({ tableId, viewId, columnMeta }),
      () =>
        api.views.moveView({ tableId, viewId, anchorId: viewOf('form').viewId, position: 'after' }),
      () => api.views.lockView({ tableId, viewId, isLocked: true }),
    ]
    const told = [{ name: 'view.updated', userId, tableId, viewId }]
    for (const [index, call] of calls.entries()) {
      expect(await world.heard(call)).toEqual(told)
      expect((await get()).version).toBe(index + 2)
      if (index === calls.length - 1) continue
      expect(await world.heard(call)).toEqual([])
      expect((await get()).version).toBe(index + 2)
    }
  })

  test('[VIEW-90] keep what is sent as undefined', async () => {
    const viewId = views.grid ?? ''
    const of = { tableId, viewId }
    await api.views.setViewOptions({ ...of, options: { rowHeight: 'tall' } })
    await api.views.setViewOptions({
      ...of,
      options: { rowHeight: undefined, frozenColumnCount: 1 },
    })
    const fieldId = idOf('Count')
    const set = (columnMeta: Readonly<Record<string, unknown>>) =>
      api.views.setColumnMeta({ ...of, columnMeta: [{ fieldId, columnMeta }] })
    await set({ width: 200 })
    await set({ width: undefined, hidden: true })
    await api.views.setShareMeta({ ...of, includeRecords: false })
    await api.views.setShareMeta({ ...of, includeRecords: undefined, allowCopy: true })
    expect(await api.views.getView(of)).toMatchObject({
      options: { rowHeight: 'tall', frozenColumnCount: 1 },
      columnMeta: { [fieldId]: { width: 200, hidden: true } },
      shareMeta: { includeRecords: false, allowCopy: true },
    })
    const form = { tableId, viewId: views.form ?? '' }
    await api.views.setShareMeta({ ...form, submit: { requireLogin: true } })
    await api.views.setShareMeta({ ...form, submit: { requireLogin: undefined, allow: true } })
    expect(await api.views.getView(form)).toMatchObject({
      shareMeta: { submit: { requireLogin: true, allow: true } },
    })
  })
})
