import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { type BaseWorld, invalidAt, openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { shownUser } from '@gateleg/testing/worlds/world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '../../limits.ts'

describeOnEveryStorage('the creation of fields', (storage) => {
  const world = worldOfBlock(() => openBaseWorld(storage))
  let api: BaseWorld['api']
  let baseId: string
  let tableId: string

  beforeAll(async () => {
    api = world.api
    baseId = world.baseId
  })
  beforeEach(async () => {
    tableId = (await api.tables.createTable({ baseId, records: [] })).id
  })

  const create = (definition: object) => api.fields.createField({ tableId, ...definition } as never)
  const refuses = (definition: object, refusal: object) =>
    world.expectNoTrace(() => create(definition), refusal)
  const addRecords = (...rows: object[]) =>
    api.records.createRecords({ tableId, records: rows.map((fields) => ({ fields })) as never })
  const listCells = async () =>
    (await api.records.listRecords({ tableId })).records.map(({ fields }) => fields)

  test.each([
    [['type'], {}],
    [['type'], { type: 'conditionalRollup' }],
    [['options', 'relationship'], { type: 'link', options: { foreignTableId: 'tbl0' } }],
    [['options', 'expression'], { type: 'formula' }],
    [['lookupOptions'], { type: 'number', isLookup: true }],
    [['lookupOptions'], { type: 'rollup' }],
    [
      ['lookupOptions'],
      {
        type: 'number',
        lookupOptions: { foreignTableId: 'tbl0', lookupFieldId: 'fld0', linkFieldId: 'fld0' },
      },
    ],
    [['options'], { type: 'number', options: { color: 'red' } }],
    [['options', 'defaultValue'], { type: 'number', options: { defaultValue: 'x' } }],
    [
      ['options', 'choices', 1, 'name'],
      {
        type: 'singleSelect',
        options: { choices: [{ name: 'a' }, { name: ' a' }] },
      },
    ],
    [['name'], { type: 'number', name: ' ' }],
    [['name'], { type: 'number', name: 'x'.repeat(101) }],
    [['name'], { type: 'number', name: '__proto__' }],
    [['name'], { type: 'number', name: 'a\0' }],
    [['name'], { type: 'number', name: '\ud83d' }],
    [['description'], { type: 'number', description: 'x'.repeat(2_001) }],
    [['description'], { type: 'number', description: '\ude00' }],
    [['id'], { type: 'number', id: 'fld1' }],
    [['id'], { type: 'number', id: 'fldabcdefghijklmno_' }],
    [['dbFieldName'], { type: 'number', dbFieldName: '' }],
    [['dbFieldName'], { type: 'number', dbFieldName: 'a b' }],
    [['dbFieldName'], { type: 'number', dbFieldName: 'ä' }],
    [['dbFieldName'], { type: 'number', dbFieldName: 'a"; drop table x; --' }],
    [['dbFieldName'], { type: 'number', dbFieldName: '__id' }],
    [['dbFieldName'], { type: 'number', dbFieldName: 'x'.repeat(64) }],
    [['dbFieldName'], { type: 'number', dbFieldName: 'Count' }],
    [['unique'], { type: 'checkbox', unique: true }],
    [['unique'], { type: 'singleSelect', unique: true }],
    [['notNull'], { type: 'checkbox', notNull: true }],
    [['notNull'], { type: 'autoNumber', notNull: true }],
    [['aiConfig', 'type'], { type: 'number', aiConfig: { type: 'guess', modelKey: 'm' } }],
    [
      ['aiConfig'],
      {
        type: 'number',
        aiConfig: { type: 'summary', modelKey: 'm', sourceFieldId: 'x' },
      },
    ],
    [['order', 'viewId'], { type: 'number', order: { viewId: 'viw0', orderIndex: 1 } }],
    [['order', 'orderIndex'], { type: 'number', order: { viewId: 'viw0' } }],
    [
      ['options', 'trackedFieldIds'],
      {
        type: 'lastModifiedTime',
        options: { trackedFieldIds: ['fld0'] },
      },
    ],
    [['options', 'defaultValue'], { type: 'user', options: { defaultValue: 'usr0' } }],
  ])(
    '[FIELD-26] [FIELD-2] [FIELD-3] [FIELD-8] [FIELD-9] refuses %j of %j',
    async (path, definition) => {
      const issues = [expect.objectContaining({ path: expect.arrayContaining([path[0]]) })]
      await refuses(definition, { code: 'validation_error', data: { issues } })
      await create(definition).catch((error) => expect(error.data.issues[0].path).toEqual(path))
    },
  )

  test('[FIELD-1] [FIELD-13] takes a type alone', async () => {
    expect(await create({ type: 'rating' })).toEqual({
      id: expect.stringMatching(/^fld[0-9a-zA-Z]{16}$/),
      name: 'Rating',
      type: 'rating',
      options: { icon: 'star', color: 'yellowBright', max: 5 },
      cellValueType: 'number',
      dbFieldType: 'REAL',
      dbFieldName: 'Rating',
      version: 1,
    })
    expect(await create({ type: 'rating', unknown: 1, isLookup: false })).toMatchObject({
      name: 'Rating 2',
      dbFieldName: 'Rating_2',
    })
  })

  test('[FIELD-1] numbers a name that is taken', async () => {
    for (const name of ['Status 2', 'Status 3', 'status']) {
      const { name: made } = await create({ type: 'number', name: name.slice(0, 6) })
      expect(made).toBe(name)
    }
  })

  test('[FIELD-2] takes names that begin with underscores, also when they are sent back', async () => {
    const { id: fieldId, name, dbFieldName } = await create({ type: 'number', name: ' __a ' })
    expect({ name, dbFieldName }).toEqual({ name: '__a', dbFieldName: 't__a' })
    await api.fields.convertField({ tableId, fieldId, type: 'singleLineText', name })
    await api.records.createRecords({ tableId, records: [{ fields: { __a: 'x' } }] })
    const { records } = await api.records.listRecords({ tableId })
    expect(records.at(-1)?.fields).toMatchObject({ __a: 'x' })
  })

  test('[FIELD-13] answers everything that a field is', async () => {
    const definition = {
      type: 'user',
      name: ' People ',
      description: 'Who',
      notNull: true,
      dbFieldName: 'WHO_2',
      options: { isMultiple: true, defaultValue: ['me', world.ada.userId] },
      id: 'fldGivenByClient000',
    }
    const field = await create(definition)
    expect(field).toEqual({
      id: 'fldGivenByClient000',
      name: 'People',
      type: 'user',
      description: 'Who',
      notNull: true,
      dbFieldName: 'WHO_2',
      options: { isMultiple: true, shouldNotify: true, defaultValue: ['me', world.ada.userId] },
      cellValueType: 'string',
      dbFieldType: 'JSON',
      isMultipleCellValue: true,
      version: 1,
    })
    expect(await api.fields.getField({ tableId, fieldId: field.id })).toEqual(field)
    expect(await create({ type: 'createdTime', description: null })).toMatchObject({
      name: 'Created Time',
      isComputed: true,
    })
  })

  test('[FIELD-4] derives column names', async () => {
    const derived: string[] = []
    const names = [
      ...[
        'Été à l’eau',
        '9 lives',
        '_x',
        '日本',
        'Größe',
        'Май',
        'ガク',
        'हिन्दी',
        '🎉',
        '🎊',
        '"; drop',
      ],
      'a'.repeat(60),
    ]
    for (const name of names) {
      derived.push((await create({ type: 'number', name })).dbFieldName)
    }
    expect(derived).toEqual([
      'Ete_a_l_eau',
      't9_lives',
      't_x',
      'Ri_Ben',
      'Grosse',
      'May',
      'gaku',
      'hindii',
      'unnamed',
      'unnamed_2',
      't_drop',
      'a'.repeat(40),
    ])
  })

  test('[FIELD-3] [FIELD-5] keeps column names apart that differ in case alone', async () => {
    const names = ['cost', 'Cost', 'COST', 'a'.repeat(63), 'A'.repeat(63)]
    for (const dbFieldName of names) {
      const field = await create({ type: 'number', name: dbFieldName, dbFieldName })
      expect(field).toMatchObject({ name: dbFieldName, dbFieldName })
    }
    const cells = Object.fromEntries(names.map((name, index) => [name, index]))
    await addRecords(cells)
    expect(await listCells()).toEqual([cells])
    const { records } = await api.records.listRecords({ tableId, fieldKeyType: 'dbFieldName' })
    expect(records[0]?.fields).toEqual(cells)
    await refuses({ type: 'number', dbFieldName: 'cost' }, invalidAt('dbFieldName'))
  })

  test('[FIELD-5] takes names that an engine or a language has a use for', async () => {
    const names = [
      'rowid',
      'ROWID',
      'oid',
      '_rowid_',
      'ctid',
      'xmin',
      'tableoid',
      'select',
      'order',
      'true',
      'False',
      'null',
      'made_by',
      'made_time',
    ]
    const odd = ['constructor', 'toString', 'hasOwnProperty', '😀 "x"; --', "'; drop table x", 'v']
    for (const name of names) await create({ type: 'number', name, dbFieldName: name })
    for (const name of odd) await create({ type: 'number', name })
    const cells = Object.fromEntries([...names, ...odd].map((name, index) => [name, index]))
    await addRecords(cells, { Count: 7 })
    expect(await listCells()).toEqual([cells, { Count: 7 }])
  })

  test('[FIELD-6] gives the names of a deleted field again', async () => {
    const definition = { type: 'number', name: 'Cost', dbFieldName: 'cost' }
    await addRecords({})
    for (const value of [1, 2, 3]) {
      const { id, name, dbFieldName } = await create(definition)
      expect([name, dbFieldName]).toEqual(['Cost', 'cost'])
      expect(await listCells()).toEqual([{}])
      const [record] = (await api.records.listRecords({ tableId })).records
      const change = { tableId, recordId: record?.id ?? '', record: { fields: { Cost: value } } }
      await api.records.updateRecord(change)
      expect(await listCells()).toEqual([{ Cost: value }])
      await api.fields.deleteField({ tableId, fieldId: id })
    }
  })

  test('[FIELD-7] refuses an id that a field has or had', async () => {
    const id = 'fldTakenOnce0000000'
    await create({ type: 'number', id })
    const other = await api.tables.createTable({ baseId })
    const at = (...path: (string | number)[]) => ({
      code: 'conflict',
      data: { issues: [{ path, message: expect.stringContaining('leave the id out') }] },
    })
    const refusal = at('id')
    const take = () => api.fields.createField({ tableId: other.id, type: 'number', id })
    await refuses({ type: 'number', id }, refusal)
    await world.expectNoTrace(take, refusal)
    await api.fields.deleteField({ tableId, fieldId: id })
    await refuses({ type: 'number', id }, refusal)
    await world.expectNoTrace(take, refusal)
    await expect(api.fields.planCreation({ tableId, type: 'number', id })).rejects.toMatchObject(
      refusal,
    )
    const fields = [{ type: 'number' as const }, { type: 'number' as const, id }]
    const inTable = at('fields', 1, 'id')
    await world.expectNoTrace(() => api.tables.createTable({ baseId, fields }), inTable)
    const twice = [1, 2].map(() => ({ type: 'number' as const, id: 'fldTwice00000000000' }))
    await world.expectNoTrace(() => api.tables.createTable({ baseId, fields: twice }), inTable)
  })

  test('[FIELD-7] refuses an id that a field has in other letters alone, whatever its type', async () => {
    const conflict = { code: 'conflict', data: { issues: [{ path: ['id'] }] } }
    const link = { type: 'link', options: { relationship: 'manyMany', foreignTableId: tableId } }
    const unique = { type: 'number', unique: true }
    for (const [index, definition] of [link, unique, { type: 'number' }].entries()) {
      const id = `fldInOtherCase000${index}0`
      await create({ ...definition, id })
      await refuses({ ...definition, id: `fld${id.slice(3).toUpperCase()}` }, conflict)
      await refuses({ ...definition, id: `fld${id.slice(3).toLowerCase()}` }, conflict)
      await create({ ...definition, id: `fldInOtherCase000${index}1` })
    }
    const fields = ['fldBothAtOnce00000a', 'fldBothAtOnce00000A'].map((id) => ({ ...link, id }))
    const making = () =>
      api.tables.createTable({ baseId, fields: [{ type: 'number' }, ...fields] } as never)
    await world.expectNoTrace(making, {
      code: 'conflict',
      data: { issues: [{ path: ['fields', 2, 'id'] }] },
    })
  })

  test('[FIELD-10] requires a field of a table without records', async () => {
    await create({ type: 'singleLineText', name: 'Key', notNull: true })
    const missing = invalidAt('records', 0, 'fields', 'Key')
    await world.expectNoTrace(() => addRecords({}), missing)
    await world.expectNoTrace(() => addRecords({ Key: null }), missing)
    await world.expectNoTrace(() => addRecords({ Key: ' \n ' }), missing)
    await addRecords({ Key: 'x' })
    await refuses({ type: 'number', notNull: true }, invalidAt('notNull'))
  })

  test('[FIELD-10] fills records with the default of a required field', async () => {
    const { records } = await addRecords({ Name: 'a' }, { Name: 'b' }, { Name: 'c' })
    await api.records.deleteRecord({ tableId, recordId: records[1]?.id ?? '' })
    world.clock.advance(1_000)
    const options = { defaultValue: 'now' }
    await create({ type: 'date', name: 'When', notNull: true, options })
    const when = new Date(world.clock.now()).toISOString()
    expect(await listCells()).toEqual([
      { Name: 'a', When: when },
      { Name: 'c', When: when },
    ])
    const choices = [{ name: 'x' }, { name: 'y' }]
    const tags = { choices, defaultValue: ['y', 'x'] }
    await create({ type: 'multipleSelect', notNull: true, options: tags })
    expect((await listCells())[1]).toEqual({ Name: 'c', When: when, Tags: ['y', 'x'] })
    const [first] = (await api.records.listRecords({ tableId })).records
    expect(first).toMatchObject({ lastModifiedTime: first?.createdTime })
    expect(await api.records.getRecord({ tableId, recordId: first?.id ?? '' })).toMatchObject({
      version: 3,
    })
  })

  test('[FIELD-10] is not kept from requiring a field by records in the trash', async () => {
    const { records } = await addRecords({ Name: 'a' })
    await api.records.deleteRecord({ tableId, recordId: records[0]?.id ?? '' })
    await create({ type: 'number', name: 'Cost', notNull: true })
    await world.expectNoTrace(() => addRecords({}), invalidAt('records', 0, 'fields', 'Cost'))
    await addRecords({ Cost: 0 })
  })

  test('[FIELD-11] gives no default to several records that must differ', async () => {
    const definition = { type: 'number', unique: true, notNull: true, options: { defaultValue: 1 } }
    await addRecords({ Name: 'a' })
    await create({ ...definition, name: 'One' })
    expect(await listCells()).toEqual([{ Name: 'a', One: 1 }])
    await addRecords({ Name: 'b', One: 2 })
    await refuses(definition, invalidAt('unique'))
  })

  test('[FIELD-12] takes an aiConfig that reads another field of the table alone', async () => {
    const foreign = (await api.tables.createTable({ baseId })).fields[0]?.id ?? ''
    const id = 'fldReadsItself00000'
    const path = ['aiConfig', 'sourceFieldId']
    const reading = (sourceFieldId: string) => ({ type: 'summary', modelKey: 'm', sourceFieldId })
    for (const source of [foreign, id, 'Name']) {
      const definition = { type: 'longText', id, aiConfig: reading(source) }
      await refuses(definition, invalidAt(...path))
      const fields = [{ type: 'number' }, definition] as never
      await world.expectNoTrace(
        () => api.tables.createTable({ baseId, fields }),
        invalidAt('fields', 1, ...path),
      )
    }
    const later = 'fldIsReadLater00000'
    const { id: copiedId, fields } = await api.tables.createTable({
      baseId,
      fields: [
        { type: 'longText', aiConfig: reading(later) as never },
        { type: 'number', id: later },
      ],
    })
    expect(fields[0]).toMatchObject({ aiConfig: reading(later) })
    const nodes = await api.tree.listNodes({ baseId })
    const nodeId = nodes.find(({ resourceId }) => resourceId === copiedId)?.id ?? ''
    const { resourceId } = await api.tree.duplicateNode({ baseId, nodeId })
    const [copy, read] = await api.fields.listFields({ tableId: resourceId })
    expect(copy).toMatchObject({ aiConfig: reading(read?.id ?? '') })
  })

  test('[FIELD-12] keeps an aiConfig', async () => {
    const fields = await api.fields.listFields({ tableId })
    const aiConfig = {
      type: 'extraction',
      modelKey: 'm',
      sourceFieldId: fields[0]?.id ?? '',
      isAutoFill: true,
      attachPrompt: 'Say "it"; \u0001',
    }
    const { id: fieldId } = await create({ type: 'longText', aiConfig })
    expect(await api.fields.getField({ tableId, fieldId })).toMatchObject({ aiConfig })
    expect(await create({ type: 'longText', aiConfig: null })).not.toHaveProperty('aiConfig')
  })

  test('[FIELD-14] places a new field in a view', async () => {
    const views = [{ type: 'grid' as const }, { type: 'grid' as const }]
    const table = await api.tables.createTable({ baseId, views, records: [] })
    tableId = table.id
    const [viewId = '', otherId = ''] = table.views.map(({ id }) => id)
    const namesIn = async (view?: string) =>
      (await api.fields.listFields({ tableId, viewId: view })).map(({ name }) => name)
    await create({ type: 'number', name: 'A', order: { viewId, orderIndex: 0.5 } })
    await create({ type: 'number', name: 'B' })
    await create({ type: 'number', name: 'C', order: { viewId, orderIndex: -1 } })
    await create({ type: 'number', name: 'D', order: { viewId, orderIndex: 3 } })
    expect(await namesIn(viewId)).toEqual(['C', 'Name', 'A', 'Count', 'Status', 'B', 'D'])
    for (const view of [otherId, undefined]) {
      expect(await namesIn(view)).toEqual(['Name', 'Count', 'Status', 'A', 'B', 'C', 'D'])
    }
    const { columnMeta } = await api.views.getView({ tableId, viewId })
    expect(Object.values(columnMeta).map(({ order }) => order)).toEqual([0, 1, 2, 0.5, 3, -1, 3])
    const foreign = (await api.tables.createTable({ baseId })).views[0]?.id ?? ''
    const order = { viewId: foreign, orderIndex: 1 }
    await refuses({ type: 'number', order }, invalidAt('order', 'viewId'))
  })

  test('[FIELD-15] follows other fields of the table alone', async () => {
    const foreign = (await api.tables.createTable({ baseId })).fields[0]?.id ?? ''
    const id = 'fldFollowsItself000'
    const path = ['options', 'trackedFieldIds']
    for (const trackedFieldIds of [[foreign], [id]]) {
      const definition = { type: 'lastModifiedBy', id, options: { trackedFieldIds } }
      await refuses(definition, invalidAt(...path))
      const fields = [{ type: 'number' }, definition] as never
      await world.expectNoTrace(
        () => api.tables.createTable({ baseId, fields }),
        invalidAt('fields', 1, ...path),
      )
    }
    const later = 'fldComesLater000000'
    const { fields } = await api.tables.createTable({
      baseId,
      fields: [
        { type: 'lastModifiedTime', options: { trackedFieldIds: [later] } },
        { type: 'number', id: later },
      ],
    })
    expect(fields[0]).toMatchObject({ isComputed: true })
  })

  test('[FIELD-16] takes a collaborator as default user, and nobody else', async () => {
    const bob = await world.newCollaborator('Bob', 'viewer')
    const eve = await world.newPerson('Eve')
    const options = { defaultValue: bob.userId }
    const { id: bobs } = await create({ type: 'user', name: 'Owner', options })
    const path = ['options', 'defaultValue']
    const bad = { type: 'user', options: { isMultiple: true, defaultValue: ['me', eve.userId] } }
    await refuses(bad, invalidAt(...path))
    await world.expectNoTrace(
      () => api.tables.createTable({ baseId, fields: [bad as never] }),
      invalidAt('fields', 0, ...path),
    )
    await addRecords({})
    expect(await listCells()).toEqual([{ Owner: shownUser(bob, 'bob') }])
    expect(bobs).toMatch(/^fld/)
  })

  test('[FIELD-17] refuses one field too many', async () => {
    await withLimits({ fieldsPerTable: 5 }, async () => {
      await create({ type: 'number' })
      const { id: fieldId } = await create({ type: 'number' })
      await refuses(
        { type: 'number' },
        { code: 'validation_error', message: 'a table has 5 fields at most' },
      )
      await api.fields.deleteField({ tableId, fieldId })
      await create({ type: 'number' })
    })
    await withLimits({ columnsPerTable: 22 }, async () => {
      const refusal = {
        code: 'validation_error',
        message: expect.stringContaining('duplicate the table'),
      }
      for (let round = 0; round < 6; round++) {
        const { id: fieldId } = await create({ type: 'number' })
        await api.fields.deleteField({ tableId, fieldId })
      }
      await refuses({ type: 'number' }, refusal)
    })
    expect([limits.fieldsPerTable, limits.columnsPerTable]).toEqual([500, 1_500])
    const many = Array.from({ length: 501 }, () => ({ type: 'number' as const }))
    await world.expectNoTrace(
      () => api.tables.createTable({ baseId, fields: many }),
      invalidAt('fields'),
    )
  })

  test('[FIELD-17] makes a table with as many fields as it can have, and fills it', async () => {
    const fields = Array.from({ length: 500 }, (_, n) => ({
      type: 'number' as const,
      name: `N${n}`,
    }))
    const cells = Object.fromEntries(fields.map(({ name }, index) => [name, index / 3]))
    const records = Array.from({ length: 70 }, () => ({ fields: cells }))
    const table = await api.tables.createTable({ baseId, fields, records })
    const listed = await api.records.listRecords({ tableId: table.id })
    expect(listed.records.map((record) => record.fields)).toEqual(records.map(() => cells))
  })
})
