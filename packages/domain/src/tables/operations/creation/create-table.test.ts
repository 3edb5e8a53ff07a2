import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { type BaseWorld, invalidAt, openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, expect, test } from 'vitest'
import { limits } from '../../../limits.ts'

describeOnEveryStorage('the creation of tables', (storage) => {
  const world = worldOfBlock(() => openBaseWorld(storage))
  let tables: BaseWorld['api']['tables']
  let baseId: string

  beforeAll(async () => {
    tables = world.api.tables
    baseId = world.baseId
  })

  const create = (definition: object = {}) => tables.createTable({ baseId, ...definition })
  const text = (more: object = {}) => ({ type: 'singleLineText', ...more })

  test.each([
    ['fields', ['fields'], []],
    ['fields', ['fields', 0, 'type'], [{ type: 'nope' }]],
    ['fields', ['fields', 0, 'type'], [{ name: 'Name' }]],
    ['fields', ['fields', 1, 'name'], [text(), text({ name: ' ' })]],
    ['fields', ['fields', 0, 'name'], [text({ name: '__proto__' })]],
    ['fields', ['fields', 0, 'options'], [text({ options: { color: 1 } })]],
    ['fields', ['fields', 0, 'type'], [{ type: 'checkbox' }]],
    ['fields', ['fields', 0, 'type'], [{ type: 'button' }]],
    ['views', ['views'], []],
    ['views', ['views', 0, 'type'], [{ type: 'plugin' }]],
    ['records', ['records', 0, 'fields'], [{}]],
    ['records', ['records', 0, 'fields'], [{ fields: [] }]],
    ['records', ['records', 0, 'fields', 'Count'], [{ fields: { Count: 'x' } }]],
    ['dbTableName', ['dbTableName'], '1st'],
    ['dbTableName', ['dbTableName'], 'a b'],
    ['dbTableName', ['dbTableName'], `a${'b'.repeat(63)}`],
    ['name', ['name'], ' '],
    ['name', ['name'], 'x'.repeat(101)],
    ['icon', ['icon'], ''],
    ['description', ['description'], 'x'.repeat(2_001)],
    ['fieldKeyType', ['fieldKeyType'], 'key'],
  ])('[TABLE-23] [TABLE-5] refuses %s, wrong at %j', async (member, path, value) => {
    await world.expectNoTrace(() => create({ [member]: value }), invalidAt(...path))
  })

  test('[TABLE-2] [TABLE-4] makes what is not given', async () => {
    const table = await create()
    expect(table).toEqual({
      id: expect.stringMatching(/^tbl/),
      name: 'New table',
      dbTableName: `${baseId}.New_table`,
      order: expect.any(Number),
      lastModifiedTime: '2026-01-01T00:00:00.000Z',
      defaultViewId: table.views[0]?.id,
      fields: [
        expect.objectContaining({ name: 'Name', type: 'singleLineText', isPrimary: true }),
        expect.objectContaining({ name: 'Count', type: 'number', dbFieldType: 'REAL' }),
        expect.objectContaining({
          name: 'Status',
          type: 'singleSelect',
          options: {
            choices: ['grayBright', 'yellowBright', 'tealBright'].map((color, index) => ({
              id: expect.stringMatching(/^cho/),
              name: ['light', 'medium', 'heavy'][index],
              color,
            })),
          },
        }),
      ],
      views: [
        {
          id: expect.stringMatching(/^viw/),
          name: 'Grid view',
          type: 'grid',
          order: 0,
          options: {},
          columnMeta: Object.fromEntries(table.fields.map(({ id }, order) => [id, { order }])),
          isLocked: false,
          createdBy: world.ada.userId,
          createdTime: '2026-01-01T00:00:00.000Z',
        },
      ],
      records: [1, 2, 3].map((autoNumber) =>
        expect.objectContaining({ id: expect.stringMatching(/^rec/), fields: {}, autoNumber }),
      ),
      version: 1,
    })
    expect(table.records[0]).not.toHaveProperty('version')
    const { records } = await world.api.records.listRecords({ tableId: table.id })
    expect(records).toEqual(table.records)
    expect(await world.api.fields.listFields({ tableId: table.id })).toEqual(table.fields)
    expect(await world.api.views.listViews({ tableId: table.id })).toEqual(table.views)
  })

  test('[TABLE-3] makes the records that are given, by the keys that the caller says', async () => {
    const fields = [text({ name: 'Title', dbFieldName: 'heading' })]
    const records = ['b', 'a', 'c'].map((heading) => ({ fields: { heading } }))
    const table = await create({ fields, records, fieldKeyType: 'dbFieldName' })
    expect(table.records.map((record) => record.fields)).toEqual(
      records.map((record) => record.fields),
    )
    expect((await create({ records: [] })).records).toEqual([])
    const unknown = { fields, records: [{ fields: { Title: 'x' } }], fieldKeyType: 'id' }
    await world.expectNoTrace(() => create(unknown), { code: 'not_found' })
  })

  test('[TABLE-1] numbers a name that a living table has', async () => {
    const { id } = await create({ name: ' Plan ' })
    const names = []
    for (const name of ['Plan', 'Plan 2', 'plan']) names.push((await create({ name })).name)
    expect(names).toEqual(['Plan 2', 'Plan 3', 'plan'])
    await tables.deleteTable({ baseId, tableId: id })
    expect((await create({ name: 'Plan' })).name).toBe('Plan')
  })

  test('[TABLE-6] refuses two fields of one name, and lets made up names give way', async () => {
    const twice = [text({ name: 'A' }), text({ name: ' A' })]
    await world.expectNoTrace(() => create({ fields: twice }), invalidAt('fields', 1, 'name'))
    const columns = [text({ dbFieldName: 'a' }), text({ dbFieldName: 'a' })]
    await world.expectNoTrace(
      () => create({ fields: columns }),
      invalidAt('fields', 1, 'dbFieldName'),
    )
    const { fields } = await create({
      fields: [text(), text({ name: 'Label' }), text({ name: 'Big cost', dbFieldName: 'Label' })],
    })
    expect(fields.map(({ name, dbFieldName }) => [name, dbFieldName])).toEqual([
      ['Label 2', 'Label_2'],
      ['Label', 'Label_3'],
      ['Big cost', 'Label'],
    ])
  })

  test('[TABLE-7] keeps physical names apart, those in the trash too', async () => {
    const taken = invalidAt('dbTableName')
    const { id, dbTableName } = await create({ name: 'Größe; "x"', records: [] })
    expect(dbTableName).toBe(`${baseId}.Grosse_x_`)
    expect((await create({ name: 'x', dbTableName: 'Orders' })).dbTableName).toBe(
      `${baseId}.Orders`,
    )
    await world.expectNoTrace(() => create({ dbTableName: 'orders' }), taken)
    await tables.deleteTable({ baseId, tableId: id })
    await world.expectNoTrace(() => create({ dbTableName: 'GROSSE_X_' }), taken)
    const again = await create({ name: 'Größe; "x"', records: [{ fields: { Name: 'new' } }] })
    expect(again.dbTableName).toBe(`${baseId}.Grosse_x__2`)
    expect((await create({ name: '日本' })).dbTableName).toBe(`${baseId}.Ri_Ben`)
  })

  test('[TABLE-7] gives no name that an index of the storage has, or may get', async () => {
    const fields = [
      { type: 'singleLineText', name: 'Name' },
      { type: 'number', name: 'Code' },
    ] as const
    const made = await create({ name: 'Indexed', fields: [...fields], records: [] })
    const code = made.fields[1]?.id ?? ''
    for (const dbTableName of [`${made.id}_pk`, `${made.id}_NUMBERS`, `${code}_unique`]) {
      await world.expectNoTrace(() => create({ dbTableName }), invalidAt('dbTableName'))
    }
    const derived = await create({ name: `${code}_unique`, records: [] })
    expect(derived.dbTableName).toBe(`${baseId}.t_${code}_unique`)
    const unique = { type: 'number', unique: true } as const
    await world.api.fields.convertField({ tableId: made.id, fieldId: code, ...unique })
  })

  test('[TABLE-8] names views', async () => {
    const views = [
      { type: 'grid' },
      { type: 'form', name: 'Ask', description: 'Please' },
      { type: 'kanban' },
      { type: 'gallery', name: 'Ask' },
      { type: 'calendar', name: 'New view' },
    ]
    const made = (await create({ views })).views
    expect(made.map(({ name, type, order }) => [name, type, order])).toEqual([
      ['New view', 'grid', 0],
      ['Ask', 'form', 1],
      ['New view 2', 'kanban', 2],
      ['Ask 2', 'gallery', 3],
      ['New view 3', 'calendar', 4],
    ])
    expect(made[1]?.description).toBe('Please')
  })

  test('[TABLE-9] refuses fields that empty records can not have', async () => {
    const required = [text(), text({ notNull: true })]
    const unique = [text(), text({ unique: true, options: { defaultValue: 'x' } })]
    await world.expectNoTrace(() => create({ fields: required }), invalidAt('fields', 1, 'notNull'))
    await world.expectNoTrace(() => create({ fields: unique }), invalidAt('fields', 1, 'unique'))
    const fit = [
      text({ unique: true }),
      text({ notNull: true, options: { defaultValue: 'x' }, name: 'B' }),
    ]
    const { records } = await create({ fields: fit })
    expect(records.map(({ fields }) => fields)).toEqual([{ B: 'x' }, { B: 'x' }, { B: 'x' }])
    const [table, other] = [
      await create({ fields: required, records: [] }),
      await create({ fields: unique, records: [{ fields: {} }] }),
    ]
    await expect(
      world.api.records.createRecords({ tableId: table.id, records: [{ fields: {} }] }),
    ).rejects.toMatchObject(invalidAt('records', 0, 'fields', 'Label 2'))
    await expect(
      world.api.records.createRecords({ tableId: other.id, records: [{ fields: {} }] }),
    ).rejects.toMatchObject(invalidAt('records', 0, 'fields', 'Label 2'))
    await world.expectNoTrace(
      () => create({ fields: required, records: [{ fields: { Label: 'a' } }] }),
      invalidAt('records', 0, 'fields', 'Label 2'),
    )
  })

  test('[TABLE-10] keeps odd texts as they are, and refuses what is none', async () => {
    const name = `";--'😀${'x'.repeat(80)}`
    const definition = { name, description: " 'quoted'; drop ", icon: '👩‍👩‍👧' }
    expect(await create(definition)).toMatchObject(definition)
    for (const bad of ['a\0b', 'a\ud83d', '\ude00']) {
      for (const member of ['name', 'description', 'icon']) {
        await world.expectNoTrace(() => create({ [member]: bad }), invalidAt(member))
      }
      const fields = [text({ name: bad })]
      await world.expectNoTrace(() => create({ fields }), invalidAt('fields', 0, 'name'))
      const views = [{ type: 'grid', name: bad }]
      await world.expectNoTrace(() => create({ views }), invalidAt('views', 0, 'name'))
    }
  })

  test('[TABLE-1] [TABLE-10] cuts no character in half when it numbers a long name', async () => {
    const name = `a${'😀'.repeat(49)}b`
    await create({ name })
    const { name: numbered } = await create({ name })
    expect(numbered).toBe(`a${'😀'.repeat(48)} 2`)
  })

  test('[TABLE-11] refuses one table too many', async () => {
    const { id: other } = await world.api.bases.createBase({ spaceId: world.ada.spaceId })
    const { id: tableId } = await tables.createTable({ baseId: other })
    await tables.createTable({ baseId: other })
    const [node] = await world.api.tree.listNodes({ baseId: other })
    await withLimits({ tablesPerBase: 2 }, async () => {
      for (const call of [
        () => tables.createTable({ baseId: other }),
        () => world.api.tree.createNode({ baseId: other, resourceType: 'table' }),
        () => world.api.tree.duplicateNode({ baseId: other, nodeId: node?.id ?? '' }),
      ]) {
        await expect(call()).rejects.toMatchObject({
          code: 'validation_error',
          message: 'a base has 2 tables at most',
        })
      }
      await tables.deleteTable({ baseId: other, tableId })
      await tables.createTable({ baseId: other })
    })
    expect(limits.tablesPerBase).toBe(1_000)
  })
})
