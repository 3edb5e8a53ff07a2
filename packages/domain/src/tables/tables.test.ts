import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { type BaseWorld, invalidAt, openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, expect, test } from 'vitest'

const hidden = { code: 'not_found' }

describeOnEveryStorage('tables', (storage) => {
  const world = worldOfBlock(() => openBaseWorld(storage))
  let tables: BaseWorld['api']['tables']
  let baseId: string
  let tableId: string

  beforeAll(async () => {
    tables = world.api.tables
  })
  beforeEach(async () => {
    baseId = (await world.api.bases.createBase({ spaceId: world.ada.spaceId })).id
    tableId = await create('Plans')
  })

  const create = async (name: string) =>
    (await tables.createTable({ baseId, name, records: [] })).id
  const get = () => tables.getTable({ baseId, tableId })
  const listNames = async () => (await tables.listTables({ baseId })).map(({ name }) => name)

  const expectNoTrace = async (call: () => Promise<unknown>, refusal: object) => {
    const before = await world.api.bases.verifyBase({ baseId })
    await expect(call()).rejects.toMatchObject(refusal)
    expect(await world.api.bases.verifyBase({ baseId })).toEqual(before)
  }

  test('[TABLE-13] hides tables of other bases, deleted ones and those there are not', async () => {
    const { id: other } = await world.api.bases.createBase({ spaceId: world.ada.spaceId })
    const deleted = await create('Old')
    await tables.deleteTable({ baseId, tableId: deleted })
    const places = [
      { baseId: other, tableId },
      { baseId, tableId: deleted },
      { baseId, tableId: 'tbl0' },
    ]
    for (const place of places) {
      for (const call of [
        () => tables.getTable(place),
        () => tables.getDefaultView(place),
        () => tables.getTablePermissions(place),
        () => tables.renameTable({ ...place, name: 'x' }),
        () => tables.describeTable({ ...place, description: 'x' }),
        () => tables.setTableIcon({ ...place, icon: 'x' }),
        () => tables.moveTable({ ...place, anchorId: tableId, position: 'after' }),
        () => tables.deleteTable(place),
      ]) {
        await expectNoTrace(call, hidden)
      }
    }
    for (const id of [tableId, deleted, 'tbl0']) {
      const call = () => tables.deleteTablePermanently({ baseId: other, tableId: id })
      await expectNoTrace(call, hidden)
    }
    for (const id of [deleted, 'tbl0']) {
      await expect(world.api.records.listRecords({ tableId: id })).rejects.toMatchObject(hidden)
      await expect(world.api.fields.listFields({ tableId: id })).rejects.toMatchObject(hidden)
      await expect(world.api.views.listViews({ tableId: id })).rejects.toMatchObject(hidden)
    }
  })

  test('[TABLE-14] refuses settings that can not be', async () => {
    for (const [member, value] of [
      ['name', ''],
      ['name', undefined],
      ['description', 1],
      ['icon', 'x'.repeat(65)],
    ] as const) {
      const input = { baseId, tableId, [member]: value } as never
      const call = {
        name: () => tables.renameTable(input),
        description: () => tables.describeTable(input),
        icon: () => tables.setTableIcon(input),
      }[member]
      await expectNoTrace(call, invalidAt(member))
    }
  })

  test('[TABLE-14] [TABLE-15] changes one setting at a time', async () => {
    await create('Jobs')
    world.clock.advance(1_000)
    await tables.renameTable({ baseId, tableId, name: ' Jobs ' })
    await tables.describeTable({ baseId, tableId, description: 'What to do' })
    await tables.setTableIcon({ baseId, tableId, icon: '🧰' })
    const table = await get()
    expect(table).toMatchObject({
      id: tableId,
      name: 'Jobs',
      description: 'What to do',
      icon: '🧰',
      dbTableName: `${baseId}.Plans`,
      version: 4,
    })
    expect(Date.parse(table.lastModifiedTime)).toBe(world.clock.now())
    expect(await listNames()).toEqual(['Jobs', 'Jobs'])
    await tables.describeTable({ baseId, tableId, description: null })
    await tables.setTableIcon({ baseId, tableId, icon: null })
    const { description: _, icon: __, ...bare } = table
    expect(await get()).toEqual({ ...bare, version: 6 })
  })

  test('[TABLE-14] [TABLE-20] tells of a change, and not of what is equal already', async () => {
    const [node] = await world.api.tree.listNodes({ baseId })
    const { userId } = world.ada
    const place = { baseId, nodeId: node?.id, resourceType: 'table', resourceId: tableId }
    expect(await world.heard(() => tables.renameTable({ baseId, tableId, name: 'Jobs' }))).toEqual([
      { name: 'node.updated', userId, ...place },
      { name: 'table.updated', userId, tableId },
    ])
    const equal = await world.heard(async () => {
      await tables.renameTable({ baseId, tableId, name: 'Jobs' })
      await tables.setTableIcon({ baseId, tableId, icon: null })
      await tables.describeTable({ baseId, tableId, description: null })
    })
    expect(equal).toEqual([])
    expect(await get()).toMatchObject({ version: 2 })
  })

  test('[TABLE-15] counts changes of fields, not of records', async () => {
    await world.api.records.createRecords({ tableId, records: [{ fields: {} }] })
    expect(await get()).toMatchObject({ version: 1 })
    const { id: fieldId } = await world.api.fields.createField({ tableId, type: 'number' })
    await world.api.fields.updateField({ tableId, fieldId, name: 'Cost' })
    await world.api.fields.deleteField({ tableId, fieldId })
    expect(await get()).toMatchObject({ version: 4 })
    const refusal = { code: 'precondition_failed' }
    const rename = (version: number) =>
      tables.renameTable({ baseId, tableId, name: 'x' }, { ifMatch: [version] })
    await expectNoTrace(() => rename(1), refusal)
    await rename(4)
  })

  test('[TABLE-12] lists tables in the order of their nodes, with their first view', async () => {
    const views = [{ type: 'form' as const }, { type: 'grid' as const }]
    const other = await tables.createTable({ baseId, name: 'Forms', views })
    const third = await create('Third')
    await tables.moveTable({ baseId, tableId: third, anchorId: tableId, position: 'before' })
    const listed = await tables.listTables({ baseId })
    expect(listed.map(({ id }) => id)).toEqual([third, tableId, other.id])
    const { fields: _, views: made, records: __, version: ___, ...table } = other
    expect(listed[2]).toEqual(table)
    expect(table.defaultViewId).toBe(made[0]?.id)
    expect(await tables.getTable({ baseId, tableId: other.id })).toEqual({ ...table, version: 1 })
    const viewId = await tables.getDefaultView({ baseId, tableId: other.id })
    expect(viewId).toEqual({ id: made[0]?.id })
  })

  test('[TABLE-30] says what the caller may do in a table, by area, as it is said of the base', async () => {
    const bob = await world.newPerson('Bob')
    const collaborators = [{ principalId: bob.userId, principalType: 'user' }] as const
    await world.api.collaborators.addBaseCollaborators({
      ...{ baseId, collaborators: [...collaborators], role: 'editor' },
    })
    const ofBase = await bob.api.bases.getBasePermissions({ baseId })
    const ofTable = await bob.api.tables.getTablePermissions({ baseId, tableId })
    for (const area of ['table', 'view', 'record', 'field'] as const) {
      const actions = Object.entries(ofBase).filter(([action]) => action.startsWith(`${area}|`))
      expect(ofTable[area]).toEqual(Object.fromEntries(actions))
    }
    expect(ofTable.record).toMatchObject({ 'record|update': true, 'record|comment': true })
    expect(ofTable.field).toMatchObject({ 'field|read': true, 'field|create': false })
  })

  test('[TABLE-17] refuses to move a table beside itself or what is no table', async () => {
    const { id: otherBase } = await world.api.bases.createBase({ spaceId: world.ada.spaceId })
    const foreign = (await tables.createTable({ baseId: otherBase })).id
    const deleted = await create('Old')
    await tables.deleteTable({ baseId, tableId: deleted })
    const dashboard = await world.api.tree.createNode({
      baseId,
      resourceType: 'dashboard',
      name: 'x',
    })
    const move = (anchorId: string, position: unknown = 'after') =>
      tables.moveTable({ baseId, tableId, anchorId, position } as never)
    await expectNoTrace(() => move(tableId), invalidAt('anchorId'))
    await expectNoTrace(() => move(dashboard.resourceId, 'in'), invalidAt('position'))
    const [node] = await world.api.tree.listNodes({ baseId })
    const stranger = await world.newPerson('Sam')
    await expect(
      stranger.api.tables.moveTable({
        baseId,
        tableId: node?.id ?? '',
        anchorId: deleted,
        position: 'after',
      }),
    ).rejects.toMatchObject({ message: `There is no table "${node?.id}" that you can see` })
    for (const anchorId of [foreign, deleted, dashboard.id, dashboard.resourceId, 'tbl0']) {
      // It says no more of what is elsewhere than the caller said.
      const message = `There is no table "${anchorId}" that you can see`
      await expectNoTrace(() => move(anchorId), { ...hidden, message })
    }
  })

  test('[TABLE-16] moves a table beside another, into its folder too', async () => {
    const b = await create('B')
    const c = await create('C')
    const move = (id: string, anchorId: string, position: 'before' | 'after') =>
      tables.moveTable({ baseId, tableId: id, anchorId, position })
    await move(tableId, c, 'after')
    expect(await listNames()).toEqual(['B', 'C', 'Plans'])
    await move(tableId, c, 'before')
    expect(await listNames()).toEqual(['B', 'Plans', 'C'])
    const folder = await world.api.tree.createNode({ baseId, resourceType: 'folder', name: 'F' })
    const nodeOf = async (id: string) =>
      (await world.api.tree.listNodes({ baseId })).find(({ resourceId }) => resourceId === id)
    const node = await nodeOf(b)
    await world.api.tree.moveNode({ baseId, nodeId: node?.id ?? '', parentId: folder.id })
    await move(c, b, 'before')
    expect((await nodeOf(c))?.parentId).toBe(folder.id)
    expect(await world.heard(() => move(c, b, 'before'))).toEqual([])
    expect(await get()).toMatchObject({ version: 1 })
  })

  test('[TREE-27] moves a table beside another by the ids of their nodes', async () => {
    const b = await create('B')
    const nodes = await world.api.tree.listNodes({ baseId })
    const nodeOf = (id: string) => nodes.find(({ resourceId }) => resourceId === id)?.id ?? ''
    const move = (id: string, anchorId: string) =>
      tables.moveTable({ baseId, tableId: id, anchorId, position: 'after' })
    await move(nodeOf(tableId), nodeOf(b))
    expect(await listNames()).toEqual(['B', 'Plans'])
    await move(b, nodeOf(tableId))
    expect(await listNames()).toEqual(['Plans', 'B'])
  })

  test('[TABLE-18] [TABLE-20] moves a deleted table to the trash, which keeps it whole', async () => {
    await world.api.records.createRecords({ tableId, records: [{ fields: { Name: 'kept' } }] })
    const [node] = await world.api.tree.listNodes({ baseId })
    const { userId } = world.ada
    const place = { baseId, nodeId: node?.id, resourceType: 'table', resourceId: tableId }
    const { records } = await world.api.bases.verifyBase({ baseId })
    expect(await world.heard(() => tables.deleteTable({ baseId, tableId }))).toEqual([
      { name: 'table.deleted', userId, tableId },
      { name: 'node.deleted', userId, ...place },
    ])
    expect(await listNames()).toEqual([])
    expect(await world.api.bases.verifyBase({ baseId })).toMatchObject({ records, problems: [] })
    expect((await tables.createTable({ baseId, name: 'Plans' })).name).toBe('Plans')
  })

  test('[TABLE-19] leaves nothing of a table that is deleted for good', async () => {
    const { id: empty } = await world.api.bases.createBase({ spaceId: world.ada.spaceId })
    const { hash } = await world.api.bases.verifyBase({ baseId: empty })
    const make = () =>
      tables.createTable({
        baseId: empty,
        dbTableName: 'plans',
        fields: [{ type: 'singleLineText', unique: true, notNull: true, name: 'Key' }],
        records: [{ fields: { Key: 'a' } }],
      })
    for (let round = 0; round < 2; round++) {
      await tables.deleteTablePermanently({ baseId: empty, tableId: (await make()).id })
      expect(await world.api.bases.verifyBase({ baseId: empty })).toMatchObject({ hash })
    }
  })

  test('[TABLE-25] takes a table out of the trash for good, with its node and links, by who could delete it, once', async () => {
    const { api, ada } = world
    const { id: own } = await api.bases.createBase({ spaceId: ada.spaceId })
    const reader = await tables.createTable({ baseId: own, name: 'Reader' })
    const before = await api.bases.verifyBase({ baseId: own })
    const gone = await tables.createTable({ baseId: own, dbTableName: 'gone' })
    const options = { relationship: 'manyMany', foreignTableId: gone.id } as const
    const link = await api.fields.createField({ tableId: reader.id, type: 'link', options })
    await tables.deleteTable({ baseId: own, tableId: gone.id })
    const broken = await api.fields.getField({ tableId: reader.id, fieldId: link.id })
    const viewer = await world.newPerson('Vio')
    await api.collaborators.addBaseCollaborators({
      baseId: own,
      collaborators: [{ principalId: viewer.userId, principalType: 'user' }],
      role: 'viewer',
    })
    const remove = (calls = tables, id = own) =>
      calls.deleteTablePermanently({ baseId: id, tableId: gone.id })
    const hidden = { code: 'not_found' }
    await expect(remove(viewer.api.tables)).rejects.toMatchObject(hidden)
    await expect(remove(tables, baseId)).rejects.toMatchObject(hidden)
    const events = await world.heard(() => remove())
    expect(events).toMatchObject([{ name: 'table.deleted', tableId: gone.id }])
    await expect(remove()).rejects.toMatchObject(hidden)
    expect(await api.fields.getField({ tableId: reader.id, fieldId: link.id })).toEqual(broken)
    await api.fields.deleteField({ tableId: reader.id, fieldId: link.id })
    expect((await api.bases.verifyBase({ baseId: own })).problems).toEqual([])
    const structure = await world.engine.store.read((tx) => tx.canonical.structure(own))
    expect(structure.tables).toHaveLength(1)
    expect(structure.nodes).toHaveLength(1)
    expect((await api.bases.verifyBase({ baseId: own })).records).toEqual(before.records)
    const again = await tables.createTable({ baseId: own, dbTableName: 'gone', records: [] })
    await tables.deleteTable({ baseId: own, tableId: again.id })
    await api.bases.deleteBase({ baseId: own })
    await expect(
      tables.deleteTablePermanently({ baseId: own, tableId: again.id }),
    ).rejects.toMatchObject(hidden)
  })
})
