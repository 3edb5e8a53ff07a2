import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { type BaseWorld, openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'

describeOnEveryStorage('tables and their nodes', (storage) => {
  const world = worldOfBlock(() => openBaseWorld(storage))
  let tables: BaseWorld['api']['tables']
  let tree: BaseWorld['api']['tree']
  let baseId: string

  beforeAll(async () => {
    tables = world.api.tables
    tree = world.api.tree
  })
  beforeEach(async () => {
    baseId = (await world.api.bases.createBase({ spaceId: world.ada.spaceId })).id
  })

  /** What the routes of tables and of nodes say of one table, and whether they agree. */
  const both = async (tableId: string) => {
    const table = await tables.getTable({ baseId, tableId })
    const node = (await tree.listNodes({ baseId })).find(({ resourceId }) => resourceId === tableId)
    expect(node).toMatchObject({
      resourceType: 'table',
      order: table.order,
      resourceMeta: { name: table.name, defaultViewId: table.defaultViewId },
      defaultUrl: `/base/${baseId}/table/${tableId}/${table.defaultViewId}`,
    })
    expect(node?.resourceMeta.icon).toBe(table.icon)
    const { problems } = await world.api.bases.verifyBase({ baseId })
    expect(problems).toEqual([])
    return { table, nodeId: node?.id ?? '' }
  }

  /** The two routes by which a table can be made, changed and deleted. */
  const routes = {
    tables: {
      create: async (definition: object) =>
        (await tables.createTable({ baseId, ...definition })).id,
      rename: (tableId: string, name: string) => tables.renameTable({ baseId, tableId, name }),
      setIcon: (tableId: string, icon: string | null) =>
        tables.setTableIcon({ baseId, tableId, icon }),
      delete: (tableId: string) => tables.deleteTable({ baseId, tableId }),
      deletePermanently: (tableId: string) => tables.deleteTablePermanently({ baseId, tableId }),
    },
    tree: {
      create: async (definition: object) =>
        (await tree.createNode({ baseId, resourceType: 'table', ...definition })).resourceId,
      rename: async (tableId: string, name: string) =>
        tree.updateNode({ baseId, nodeId: await nodeOf(tableId), name }),
      setIcon: async (tableId: string, icon: string | null) =>
        tree.updateNode({ baseId, nodeId: await nodeOf(tableId), icon }),
      delete: async (tableId: string) => tree.deleteNode({ baseId, nodeId: await nodeOf(tableId) }),
      deletePermanently: async (tableId: string) =>
        tree.deleteNodePermanently({ baseId, nodeId: await nodeOf(tableId) }),
    },
  }
  const nodeOf = async (tableId: string) => (await both(tableId)).nodeId

  const fieldsWith = (nameId: string) => [
    { type: 'singleLineText', name: 'Name', id: nameId, unique: true },
    { type: 'number', name: 'Cost', notNull: true, options: { defaultValue: 1 } },
    { type: 'lastModifiedTime', name: 'Seen', options: { trackedFieldIds: [nameId] } },
    { type: 'multipleSelect', name: 'Tags', options: { choices: [{ name: 'a' }, { name: 'b' }] } },
  ]

  test.each(['tables', 'tree'] as const)(
    '[TABLE-21] [TABLE-23] makes neither a table nor a node when it refuses one, by %s',
    async (route) => {
      await routes.tables.create({ dbTableName: 'taken' })
      const before = await world.api.bases.verifyBase({ baseId })
      for (const definition of [
        { dbTableName: 'taken' },
        { fields: [{ type: 'button' }] },
        { records: [{ fields: { Count: 'x' } }] },
      ]) {
        await expect(routes[route].create(definition)).rejects.toMatchObject({
          code: 'validation_error',
        })
      }
      const nowhere = { fields: [{ type: 'number' }], records: [{ fields: { Nope: 1 } }] }
      await expect(routes[route].create(nowhere)).rejects.toMatchObject({ code: 'not_found' })
      expect(await world.api.bases.verifyBase({ baseId })).toEqual(before)
    },
  )

  test.each(['tables', 'tree'] as const)(
    '[TABLE-21] makes, renames and deletes a table and its node together, by %s',
    async (route) => {
      const { create, rename, setIcon, delete: remove, deletePermanently } = routes[route]
      const records = [{ fields: { Name: 'x' } }]
      const tableId = await create({ name: 'Plans', icon: '📘', records })
      const { table } = await both(tableId)
      expect(table).toMatchObject({ name: 'Plans', icon: '📘', version: 1 })
      expect((await world.api.records.listRecords({ tableId })).records).toHaveLength(1)
      await rename(tableId, 'Jobs')
      expect((await both(tableId)).table).toMatchObject({ name: 'Jobs', icon: '📘', version: 2 })
      await setIcon(tableId, null)
      expect((await both(tableId)).table).not.toHaveProperty('icon')
      const other = await create({ name: 'Jobs' })
      expect((await both(other)).table.name).toBe('Jobs 2')
      await remove(tableId)
      await deletePermanently(other)
      expect(await tables.listTables({ baseId })).toEqual([])
      expect(await tree.listNodes({ baseId })).toEqual([])
      expect(await world.api.bases.verifyBase({ baseId })).toMatchObject({
        records: 1,
        problems: [],
      })
    },
  )

  test('[TABLE-24] refuses to copy more records than one write should', async () => {
    expect(limits.stepsPerWholeWrite).toBe(1_000_000_000)
    const { nodeId } = await both((await tables.createTable({ baseId, name: 'Plans' })).id)
    const duplicate = (includeRecords: boolean) =>
      withLimits({ stepsPerWholeWrite: 4_500 }, () =>
        world.api.tree.duplicateNode({ baseId, nodeId, includeRecords }),
      )
    expect(await duplicate(true)).toMatchObject({ resourceMeta: { name: 'Plans 2' } })
    const tableId = (await tree.listNodes({ baseId }))[0]?.resourceId ?? ''
    await world.api.records.createRecords({ tableId, records: Array(3).fill({ fields: {} }) })
    await world.expectNoTrace(() => duplicate(true), {
      code: 'validation_error',
      data: { issues: [{ path: ['includeRecords'] }] },
    })
    expect(await duplicate(false)).toMatchObject({ resourceMeta: { name: 'Plans 3' } })
  })

  test.each([false, true])(
    '[TABLE-22] copies a table with includeRecords %s',
    async (includeRecords) => {
      const cells = [{ Name: 'one', Tags: ['b', 'a'] }, { Cost: 0.1 }, { Name: 'three' }]
      const original = await tables.createTable({
        baseId,
        name: 'Plans',
        icon: '📘',
        description: 'Much to do',
        fields: fieldsWith(`fld${includeRecords ? 'With' : 'Sans'}NameField000`) as never,
        views: [{ type: 'grid' }, { type: 'form', name: 'Ask' }],
        records: cells.map((values) => ({ fields: values })),
      })
      const { id: tableId } = original
      const [, second] = original.records
      await world.api.records.deleteRecord({ tableId, recordId: second?.id ?? '' })
      const gone = await world.api.fields.createField({ tableId, type: 'number', name: 'Gone' })
      const viewId = original.views[1]?.id ?? ''
      const late = await world.api.fields.createField({
        tableId,
        type: 'checkbox',
        order: { viewId, orderIndex: 0.5 },
      })
      await world.api.fields.deleteField({ tableId, fieldId: gone.id })
      const bob = await world.newPerson(`Bob${includeRecords}`)
      await world.api.collaborators.addBaseCollaborators({
        baseId,
        collaborators: [{ principalId: bob.userId, principalType: 'user' }],
        role: 'creator',
      })
      world.clock.advance(1_000)
      const { nodeId } = await both(tableId)
      const node = await bob.api.tree.duplicateNode({ baseId, nodeId, includeRecords })
      const copyId = node.resourceId
      const { table: copy } = await both(copyId)
      expect(copy).toMatchObject({
        name: 'Plans 2',
        icon: '📘',
        description: 'Much to do',
        dbTableName: `${baseId}.Plans_2`,
        version: 1,
      })

      const [from, to] = [
        await world.api.fields.listFields({ tableId }),
        await world.api.fields.listFields({ tableId: copyId }),
      ]
      const idOf = new Map(from.map(({ id }, index) => [id, to[index]?.id]))
      expect(new Set([...idOf.keys(), ...idOf.values()]).size).toBe(from.length * 2)
      const renamed = (settings: unknown) =>
        JSON.parse(
          JSON.stringify(settings).replace(/fld\w{16}/g, (id) => idOf.get(id) ?? 'unknown'),
        )
      expect(to).toEqual(renamed(from))
      const places = async (id: string) =>
        (await world.api.views.listViews({ tableId: id })).map(({ name, type, columnMeta }) => ({
          name,
          type,
          columnMeta,
        }))
      expect(await places(copyId)).toEqual(renamed(await places(tableId)))
      expect((await places(copyId))[1]?.columnMeta).toHaveProperty(idOf.get(late.id) ?? '', {
        order: 0.5,
      })

      const list = async (id: string) =>
        (await world.api.records.listRecords({ tableId: id })).records
      const copied = await list(copyId)
      const originals = await list(tableId)
      if (!includeRecords) expect(copied).toEqual([])
      else {
        expect(copied.map((record) => record.fields)).toEqual(
          originals.map((record) => record.fields),
        )
        expect(copied.map(({ autoNumber }) => autoNumber)).toEqual([1, 2])
        expect(copied[0]).toMatchObject({
          createdBy: bob.email.split('@')[0],
          createdTime: copy.lastModifiedTime,
        })
        expect(originals[0]?.createdBy).toBe('ada')
      }
      // The copy is a table of its own: it keeps the rules of its fields, and nothing else of the original.
      const add = (id: string, values: object) =>
        world.api.records.createRecords({ tableId: id, records: [{ fields: { ...values } }] })
      await add(tableId, { Name: 'four' })
      await add(copyId, { Name: 'four' })
      for (const values of [{ Name: 'four' }, { Name: 'five', Cost: null }]) {
        await expect(add(copyId, values)).rejects.toMatchObject({ code: 'validation_error' })
      }
      expect(await list(tableId)).toHaveLength(3)
    },
  )

  test('[TABLE-31] copies a table by its own route, and tells what fields and views are called in the copy', async () => {
    const {
      id: tableId,
      fields,
      views,
    } = await tables.createTable({
      baseId,
      name: 'Plans',
      views: [{ type: 'grid' }, { type: 'form', name: 'Ask' }],
      records: [{ fields: {} }, { fields: {} }],
    })
    const last = await tables.createTable({ baseId, name: 'Last' })
    const elsewhere = await world.api.bases.createBase({ spaceId: world.ada.spaceId })
    const absent = { code: 'not_found' }
    const inOther = tables.duplicateTable({ baseId: elsewhere.id, tableId })
    await expect(inOther).rejects.toMatchObject(absent)
    const stranger = await world.newPerson('Stan')
    const asStranger = stranger.api.tables.duplicateTable({ baseId, tableId })
    await expect(asStranger).rejects.toMatchObject(absent)
    const editor = await world.newPerson('Ed')
    await world.api.collaborators.addBaseCollaborators({
      baseId,
      collaborators: [{ principalId: editor.userId, principalType: 'user' }],
      role: 'editor',
    })
    const asEditor = editor.api.tables.duplicateTable({ baseId, tableId })
    await expect(asEditor).rejects.toMatchObject({ code: 'restricted_resource' })

    const copy = await tables.duplicateTable({
      baseId,
      tableId,
      name: 'More',
      includeRecords: true,
    })
    const { viewMap, fieldMap, ...table } = copy
    expect((await both(copy.id)).table).toEqual(table)
    expect(table.name).toBe('More')
    const order = (await tables.listTables({ baseId })).map(({ id }) => id)
    expect(order).toEqual([tableId, copy.id, last.id])
    const idsOf = (things: readonly { readonly id: string }[]) => things.map(({ id }) => id)
    expect(Object.keys(viewMap)).toEqual(idsOf(views))
    expect(Object.values(viewMap)).toEqual(
      idsOf(await world.api.views.listViews({ tableId: copy.id })),
    )
    expect(Object.keys(fieldMap)).toEqual(idsOf(fields))
    const copied = await world.api.fields.listFields({ tableId: copy.id })
    expect(Object.values(fieldMap)).toEqual(idsOf(copied))
    const { records } = await world.api.records.listRecords({ tableId: copy.id })
    expect(records).toHaveLength(2)
    const bare = await tables.duplicateTable({ baseId, tableId })
    expect(bare.name).toBe('Plans 2')
    const none = await world.api.records.listRecords({ tableId: bare.id })
    expect(none.records).toEqual([])
  })

  test('[TABLE-28] copies lookups of links of other tables, which say what these links do', async () => {
    const { api } = world
    const other = await tables.createTable({ baseId, name: 'Authors' })
    const { id: tableId } = await tables.createTable({ baseId, name: 'Books' })
    const options = { relationship: 'manyMany', foreignTableId: tableId } as const
    const link = { type: 'link', name: 'Wrote', options } as const
    const wrote = await api.fields.createField({ tableId: other.id, ...link } as never)
    const [by] = (await api.fields.listFields({ tableId })).filter(({ type }) => type === 'link')
    const lookupOptions = {
      ...{ foreignTableId: other.id, linkFieldId: by?.id ?? '', lookupFieldId: wrote.id },
    }
    const lookup = { type: 'link', name: 'Also', isLookup: true, lookupOptions } as const
    await api.fields.createField({ tableId, ...lookup })
    const copy = await tables.duplicateTable({
      baseId,
      tableId,
      name: 'Copy',
      includeRecords: true,
    })
    const also = async (id: string) =>
      (await api.fields.listFields({ tableId: id })).find(({ name }) => name === 'Also')?.options
    expect(await also(copy.id)).toEqual(await also(tableId))
    expect(await also(copy.id)).toMatchObject({ symmetricFieldId: by?.id })
  })

  test('[TABLE-28] copies two-way links as one-way ones, which a conversion makes two-way, but within the table', async () => {
    const { api } = world
    const other = await tables.createTable({ baseId, name: 'Authors' })
    const [author] = other.records
    const { id: tableId, records } = await tables.createTable({ baseId, name: 'Books' })
    const link = (name: string, foreignTableId: string) => ({
      type: 'link' as const,
      name,
      options: { relationship: 'manyMany', foreignTableId },
    })
    await api.fields.createField({ tableId, ...link('By', other.id) } as never)
    await api.fields.createField({ tableId, ...link('After', tableId) } as never)
    await api.records.updateRecord({
      tableId,
      recordId: records[0]?.id ?? '',
      record: { fields: { By: [{ id: author?.id ?? '' }] } },
    })
    const fieldsOf = (id: string) => api.fields.listFields({ tableId: id })
    const before = [await fieldsOf(other.id), await fieldsOf(tableId)]
    const { nodeId } = await both(tableId)
    const node = await tree.duplicateNode({ baseId, nodeId, includeRecords: true })
    const copyId = node.resourceId
    await both(copyId)
    expect([await fieldsOf(other.id), await fieldsOf(tableId)]).toEqual(before)
    const copies = (await fieldsOf(copyId)).filter(({ type }) => type === 'link')
    const [by, after, back] = copies.map(({ options }) => options)
    expect(by).toMatchObject({ foreignTableId: other.id, isOneWay: true })
    expect(by).not.toHaveProperty('symmetricFieldId')
    const { id: backId = '' } = copies[2] ?? {}
    expect(after).toMatchObject({ foreignTableId: copyId, symmetricFieldId: backId })
    expect(back).toMatchObject({ symmetricFieldId: copies[1]?.id })
    const listBy = async () =>
      (await api.records.listRecords({ tableId: copyId })).records.map(({ fields }) => fields.By)
    const linked = await listBy()
    expect(linked[0]).toMatchObject([{ id: author?.id }])
    await api.fields.convertField({
      tableId: copyId,
      fieldId: copies[0]?.id ?? '',
      ...link('By', other.id),
    } as never)
    expect(await listBy()).toEqual(linked)
    expect(await fieldsOf(other.id)).toHaveLength((before[0]?.length ?? 0) + 1)
    await both(copyId)
  })

  test('[TABLE-22] copies more records than it holds at a time, in their order', async () => {
    const records = Array.from({ length: 2_300 }, (_, number) => ({ fields: { Count: number } }))
    const { id: tableId } = await tables.createTable({ baseId, records })
    const { nodeId } = await both(tableId)
    const { resourceId } = await tree.duplicateNode({ baseId, nodeId, includeRecords: true })
    const counts: unknown[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await world.api.records.listRecords({
        tableId: resourceId,
        take: 2_000,
        ...(cursor && { cursor }),
      })
      counts.push(...page.records.map((record) => record.fields.Count))
      cursor = page.nextCursor
    }
    expect(counts).toEqual(records.map((record) => record.fields.Count))
  })
})
