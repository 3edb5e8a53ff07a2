import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { type BaseWorld, invalidAt, openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, expect, test } from 'vitest'

const hidden = { code: 'not_found' }

describeOnEveryStorage('fields', (storage) => {
  const world = worldOfBlock(() => openBaseWorld(storage))
  let api: BaseWorld['api']
  let fields: BaseWorld['api']['fields']
  let tableId: string
  let viewId: string
  /** Name, Count and Status, by name. */
  let ids: Record<string, string>

  beforeAll(async () => {
    api = world.api
    fields = api.fields
  })
  beforeEach(async () => {
    const records = [{ fields: { Name: 'a', Count: 1, Status: 'light' } }]
    const table = await api.tables.createTable({ baseId: world.baseId, records })
    tableId = table.id
    viewId = table.views[0]?.id ?? ''
    ids = Object.fromEntries(table.fields.map(({ name, id }) => [name, id]))
  })

  const update = (name: string, change: object) =>
    fields.updateField({ tableId, fieldId: ids[name] ?? '', ...change })
  const get = (name: string) => fields.getField({ tableId, fieldId: ids[name] ?? '' })
  const listNames = async (more: object = {}) =>
    (await fields.listFields({ tableId, ...more })).map(({ name }) => name)
  const cells = async () =>
    (await api.records.listRecords({ tableId })).records.map((record) => record.fields)

  const physicalNameOf = (name: string) =>
    world.engine.store.read(async (tx) => {
      const access = await tx.access.findTable(tableId, world.ada.userId, 'none')
      const schema = access && (await tx.fields.schemaOf(access.table))
      return schema?.byKey.id.get(ids[name] ?? '')?.field.columnName
    })

  test('[FIELD-19] hides fields and views that are not of the table', async () => {
    const other = await api.tables.createTable({ baseId: world.baseId })
    const foreign = other.fields[1]?.id ?? ''
    await fields.deleteField({ tableId, fieldId: ids.Count ?? '' })
    for (const fieldId of [foreign, ids.Count ?? '', 'fld0', '__proto__', 'x'.repeat(64)]) {
      for (const call of [
        () => fields.getField({ tableId, fieldId }),
        () => fields.updateField({ tableId, fieldId, name: 'x' }),
        () => fields.deleteField({ tableId, fieldId }),
        () => fields.deleteFields({ tableId, fieldIds: [ids.Status ?? '', fieldId] }),
      ]) {
        await world.expectNoTrace(call, hidden)
      }
    }
    for (const id of ['viw0', other.views[0]?.id]) {
      const refusal = { code: 'view_not_found' }
      await expect(fields.listFields({ tableId, viewId: id })).rejects.toMatchObject(refusal)
    }
  })

  test.each([
    [{ name: ' ' }, 'name'],
    [{ name: '__proto__' }, 'name'],
    [{ name: 'x\0' }, 'name'],
    [{ name: 'Count' }, 'name'],
    [{ dbFieldName: '' }, 'dbFieldName'],
    [{ dbFieldName: '__version' }, 'dbFieldName'],
    [{ dbFieldName: 'x y' }, 'dbFieldName'],
    [{ dbFieldName: 'Count', name: 'New' }, 'dbFieldName'],
    [{ description: 1 }, 'description'],
    [{ description: '\ud800' }, 'description'],
  ])('[FIELD-26] [FIELD-20] refuses %j', async (change, member) => {
    await world.expectNoTrace(() => update('Status', change), invalidAt(member))
  })

  test('[FIELD-20] [FIELD-22] changes what is given, and keeps the values', async () => {
    await update('Count', { name: ' Cost; "x" ', dbFieldName: 'cost', description: 'How much' })
    expect(await get('Count')).toMatchObject({
      name: 'Cost; "x"',
      dbFieldName: 'cost',
      description: 'How much',
      version: 2,
    })
    expect(await cells()).toEqual([{ Name: 'a', 'Cost; "x"': 1, Status: 'light' }])
    await update('Count', { description: null })
    expect(await get('Count')).not.toHaveProperty('description')
    await update('Name', { name: 'Title' })
    expect(await get('Name')).toMatchObject({ name: 'Title', dbFieldName: 'Name', isPrimary: true })
    await api.records.createRecords({ tableId, records: [{ fields: { Title: 'b' } }] })
    expect(await cells()).toEqual([{ Title: 'a', 'Cost; "x"': 1, Status: 'light' }, { Title: 'b' }])
  })

  test('[FIELD-20] [FIELD-5] renames columns to names that differ in case, and back', async () => {
    const renames = {
      COUNT: 'COUNT',
      count: 'count',
      // An engine's own.
      rowid: 'rowid_2',
      Rowid: 'Rowid_2',
      // A column of another field has that name already.
      status: 'status_2',
      Count: 'Count',
    }
    for (const [dbFieldName, columnName] of Object.entries(renames)) {
      await update('Count', { dbFieldName })
      expect(await get('Count')).toMatchObject({ dbFieldName })
      expect(await physicalNameOf('Count')).toBe(columnName)
      expect(await cells()).toEqual([{ Name: 'a', Count: 1, Status: 'light' }])
    }
    await update('Count', { name: 'status' })
    expect(await cells()).toEqual([{ Name: 'a', status: 1, Status: 'light' }])
  })

  test('[FIELD-20] [FIELD-6] takes the names of a deleted field', async () => {
    await fields.deleteField({ tableId, fieldId: ids.Count ?? '' })
    await update('Status', { name: 'Count', dbFieldName: 'Count' })
    expect(await cells()).toEqual([{ Name: 'a', Count: 'light' }])
  })

  test('[FIELD-21] [FIELD-25] counts and tells no change where nothing is new', async () => {
    const described = { description: 'x' }
    await update('Count', described)
    const { version } = await api.tables.getTable({ baseId: world.baseId, tableId })
    const { name, dbFieldName } = await get('Count')
    const events = await world.heard(async () => {
      for (const same of [{}, { name }, { dbFieldName }, { ...described, name: ` ${name} ` }]) {
        await update('Count', same)
      }
    })
    expect(events).toEqual([])
    expect(await get('Count')).toMatchObject({ version: 2 })
    const table = await api.tables.getTable({ baseId: world.baseId, tableId })
    expect(table).toMatchObject({ version })
  })

  test('[FIELD-22] compares the version of the field with the one that is asked for', async () => {
    const change = { tableId, fieldId: ids.Count ?? '', name: 'x' }
    const refusal = { code: 'precondition_failed' }
    await world.expectNoTrace(() => fields.updateField(change, { ifMatch: [2] }), refusal)
    await fields.updateField(change, { ifMatch: [1] })
    await world.expectNoTrace(() => fields.deleteField(change, { ifMatch: [1] }), refusal)
    await fields.deleteField(change, { ifMatch: [2] })
  })

  test('[FIELD-18] lists the fields of a projection, in order', async () => {
    expect(await listNames()).toEqual(['Name', 'Count', 'Status'])
    expect(await listNames({ viewId })).toEqual(['Name', 'Count', 'Status'])
    const projection = [ids.Status ?? '', 'fld0', ids.Name ?? '']
    expect(await listNames({ projection })).toEqual(['Name', 'Status'])
    expect(await listNames({ projection: [], viewId })).toEqual([])
  })

  test('[FIELD-24] keeps the primary field, and tells its name to nobody', async () => {
    const message = `${ids.Name} is the primary field, which can't be deleted`
    const refusal = { code: 'restricted_resource', message }
    const fieldIds = [ids.Count ?? '', ids.Name ?? '']
    await world.expectNoTrace(
      () => fields.deleteField({ tableId, fieldId: ids.Name ?? '' }),
      refusal,
    )
    await world.expectNoTrace(() => fields.deleteFields({ tableId, fieldIds }), refusal)
    const fieldId = ids.Name ?? ''
    await world.expectNoTrace(() => fields.planDeletion({ tableId, fieldId }), refusal)
  })

  test('[FIELD-23] deletes fields, and their values from every record', async () => {
    await fields.deleteField({ tableId, fieldId: ids.Count ?? '' })
    expect(await cells()).toEqual([{ Name: 'a', Status: 'light' }])
    expect(await listNames()).toEqual(['Name', 'Status'])
    const unknown = () =>
      api.records.createRecords({ tableId, records: [{ fields: { Count: 1 } }] })
    await world.expectNoTrace(unknown, hidden)
    const more = ['A', 'B', 'C'].map(async (name) => {
      return (await fields.createField({ tableId, type: 'number', name })).id
    })
    const [a = '', b = '', c = ''] = await Promise.all(more)
    await fields.deleteFields({ tableId, fieldIds: [a, c, a] })
    expect(await listNames()).toEqual(['Name', 'Status', 'B'])
    expect(Object.keys((await api.views.getView({ tableId, viewId })).columnMeta)).toContain(b)
  })

  test('[CALL-1] compares the version of each field that a request deletes', async () => {
    const [a = '', b = ''] = await Promise.all(
      ['A', 'B'].map(async (name) => {
        return (await fields.createField({ tableId, type: 'number', name })).id
      }),
    )
    await fields.updateField({ tableId, fieldId: b, description: 'newer' })
    const { version } = await fields.getField({ tableId, fieldId: b })
    const remove = (ifMatch: readonly number[]) =>
      fields.deleteFields({ tableId, fieldIds: [a, b] }, { ifMatch })
    const stale = { code: 'precondition_failed' }
    for (const ifMatch of [[version], [version - 1], [version, version - 1], [0, version]]) {
      await world.expectNoTrace(() => remove(ifMatch), stale)
    }
    for (const ifMatch of [[], [version - 1, version, version]]) {
      await world.expectNoTrace(() => remove(ifMatch), invalidAt('If-Match'))
    }
    await remove([version - 1, version])
    expect(await listNames()).not.toContain('A')
  })

  test('[FIELD-23] writes records without a deleted field that was required or unique', async () => {
    const definition = { type: 'number', unique: true, notNull: true, options: { defaultValue: 1 } }
    const { id: fieldId } = await fields.createField({ tableId, ...definition } as never)
    await fields.deleteField({ tableId, fieldId })
    const { records } = await api.records.createRecords({
      tableId,
      records: [{ fields: {} }, { fields: { Name: 'x' } }],
    })
    expect(records.map((record) => record.fields)).toEqual([{}, { Name: 'x' }])
  })

  test('[FIELD-25] tells what was made, changed and deleted', async () => {
    const { userId } = world.ada
    const { id } = await fields.createField({ tableId, type: 'number', name: 'Gone' })
    const events = await world.heard(async () => {
      const made = await fields.createField({ tableId, type: 'number', name: 'New' })
      ids.New = made.id
      await update('New', { name: 'Newer' })
      await fields.deleteFields({ tableId, fieldIds: [id, made.id] })
    })
    expect(events).toEqual([
      { name: 'field.created', userId, tableId, fieldId: ids.New },
      { name: 'field.updated', userId, tableId, fieldId: ids.New },
      { name: 'field.deleted', userId, tableId, fieldId: id },
      { name: 'field.deleted', userId, tableId, fieldId: ids.New },
    ])
  })
})
