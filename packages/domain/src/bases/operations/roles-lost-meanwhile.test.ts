import { setTimeout } from 'node:timers/promises'
import { SchemaGraph } from '@gateleg/domain/schemas/schema-graph'
import type { WriteTx } from '@gateleg/domain/store'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import type { Person } from '@gateleg/testing/worlds/world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeEach, describe, expect, test } from 'vitest'

describeOnEveryStorage('who loses their role in a space while their call waits', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let people = 0
  let bob: Person
  let spaceId: string
  let baseId: string
  let table: TestTable

  beforeEach(async () => {
    const { spaces, bases, collaborators } = world.api
    bob = await world.newPerson(`Bob${++people}`)
    spaceId = (await spaces.createSpace({ name: 'Shared' })).id
    baseId = (await bases.createBase({ spaceId, name: 'Plans' })).id
    const fields = [{ type: 'singleLineText', name: 'Name' }]
    table = await world.makeTable('Books', fields, [{ Name: 'One' }], baseId)
    await collaborators.addSpaceCollaborators({
      ...{ spaceId, role: 'owner' },
      collaborators: [{ principalId: bob.userId, principalType: 'user' }],
    })
  })

  const loseRole = (tx: WriteTx) =>
    tx.collaborators.delete({ resourceType: 'space', resourceId: spaceId }, bob.userId)

  /** What becomes of a call of Bob's that waits for what is held, until he has no role in the space any more, or another one. */
  async function outcomeOf(
    call: () => Promise<unknown>,
    hold: (tx: WriteTx) => Promise<unknown>,
    change: (tx: WriteTx) => Promise<unknown> = loseRole,
  ): Promise<unknown> {
    let waiting: Promise<unknown> = Promise.resolve()
    await world.engine.store.write(async (tx) => {
      await hold(tx)
      waiting = call().catch((error: unknown) => error)
      await setTimeout(300)
      await change(tx)
    })
    return waiting
  }

  const holdSpace = (tx: WriteTx) => tx.access.findSpace(spaceId, world.ada.userId, 'update')
  const holdTable = (tx: WriteTx) => tx.tables.findOrTrash(table.id, 'update')
  const trashOf = async (inTrash: { spaceId: string } | undefined) => {
    const { trash } = world.api
    const { trashItems } = inTrash
      ? await trash.listTrash({ resourceType: 'base', ...inTrash })
      : await trash.listTrashItems({ resourceType: 'base', resourceId: baseId })
    return { trashId: trashItems[0]?.id ?? '' }
  }
  const hidden = { code: 'not_found' }

  test('[BASE-55] brings nothing back from the trash', async () => {
    await world.api.tables.deleteTable({ baseId, tableId: table.id })
    const deletedTable = await trashOf(undefined)
    const restoreTable = () => bob.api.trash.restoreTrash(deletedTable)
    expect(await outcomeOf(restoreTable, holdTable)).toMatchObject(hidden)
    expect(await world.api.tables.listTables({ baseId })).toEqual([])
    await world.api.trash.restoreTrash(deletedTable)
  })

  test('[BASE-55] brings no base back from the trash', async () => {
    await world.api.bases.deleteBase({ baseId })
    const deletedBase = await trashOf({ spaceId })
    const restore = () => bob.api.trash.restoreTrash(deletedBase)
    expect(await outcomeOf(restore, holdSpace)).toMatchObject(hidden)
    expect(await world.api.bases.listBases({ spaceId })).toEqual([])
    await world.api.trash.restoreTrash(deletedBase)
  })

  test.each(['deleteBase', 'deleteBasePermanently'] as const)(
    '[BASE-56] deletes no base: %s',
    async (operation) => {
      const remove = () => bob.api.bases[operation]({ baseId })
      expect(await outcomeOf(remove, holdTable)).toMatchObject(hidden)
      expect(await world.api.bases.listBases({ spaceId })).toHaveLength(1)
    },
  )

  test('[BASE-56] takes no copy of a base elsewhere', async () => {
    const copy = { fromBaseId: baseId, spaceId: bob.spaceId, withRecords: true }
    const duplicate = () => bob.api.bases.duplicateBase(copy)
    expect(await outcomeOf(duplicate, holdTable)).toMatchObject(hidden)
    expect(await bob.api.bases.listBases({ spaceId: bob.spaceId })).toEqual([])
  })

  test('[TREE-40] changes, copies and deletes no table by the tree', async () => {
    const { tree, tables } = world.api
    const [node] = (await tree.listNodes({ baseId })) as unknown as { id: string }[]
    const at = { baseId, nodeId: node?.id ?? '' }
    const before = await tables.listTables({ baseId })
    const calls = [
      () => bob.api.tree.updateNode({ ...at, name: 'Other' }),
      () => bob.api.tree.duplicateNode({ ...at, includeRecords: true }),
      () => bob.api.tree.deleteNode(at),
      () => bob.api.tree.deleteNodePermanently(at),
    ]
    const waiting = (await outcomeOf(
      () => Promise.all(calls.map((call) => call().catch((error: unknown) => error))),
      holdTable,
    )) as unknown[]
    expect(waiting).toMatchObject(calls.map(() => hidden))
    expect(await tables.listTables({ baseId })).toEqual(before)
  })
  test('[TREE-50] copies no table by its own route', async () => {
    const { tables } = world.api
    const before = await tables.listTables({ baseId })
    const copy = { baseId, tableId: table.id, includeRecords: true }
    const duplicate = () => bob.api.tables.duplicateTable(copy)
    expect(await outcomeOf(duplicate, holdTable)).toMatchObject(hidden)
    expect(await tables.listTables({ baseId })).toEqual(before)
  })

  describe('for a table that is linked with that of the call', () => {
    let other: TestTable
    let linkId: string
    const options = () => ({ relationship: 'manyMany' as const, foreignTableId: other.id })

    beforeEach(async () => {
      const fields = [{ type: 'singleLineText', name: 'Name' }]
      other = await world.makeTable('Authors', fields, [{ Name: 'Ann' }, { Name: 'Ben' }], baseId)
      linkId = (await world.addField(table, { type: 'link', name: 'By', options: options() })).id
      await world.change(table, table.recordIds[0], { By: [{ id: other.recordIds[0] }] })
    })

    const holdOther = (tx: WriteTx) => tx.tables.findOrTrash(other.id, 'update')
    const linked = () => ({ By: [{ id: other.recordIds[1] }] })
    const tableId = () => ({ tableId: table.id })
    const calls: Record<string, () => Promise<unknown>> = {
      deleteField: () => bob.api.fields.deleteField({ ...tableId(), fieldId: linkId }),
      convertField: () =>
        bob.api.fields.convertField({ ...tableId(), fieldId: linkId, type: 'singleLineText' }),
      deleteTable: () => bob.api.tables.deleteTable({ ...tableId(), baseId }),
      createTable: () =>
        bob.api.tables.createTable({
          baseId,
          fields: [
            { type: 'singleLineText', name: 'Name' },
            { type: 'link', name: 'To', options: options() },
          ],
        }),
      createRecords: () =>
        bob.api.records.createRecords({ ...tableId(), records: [{ fields: linked() }] }),
      updateRecord: () =>
        bob.api.records.updateRecord({
          ...{ ...tableId(), recordId: table.recordIds[0] ?? '' },
          record: { fields: linked() },
        }),
      deleteRecords: () =>
        bob.api.records.deleteRecords({ ...tableId(), recordIds: [...table.recordIds] }),
    }
    const stateOf = async () => {
      const { fields, records, tables } = world.api
      const listed = await records.listRecords(tableId())
      return [await tables.listTables({ baseId }), await fields.listFields(tableId()), listed]
    }

    test.each(Object.keys(calls))('[ACCESS-60] changes nothing: %s', async (name) => {
      const before = await stateOf()
      const call = () => calls[name]?.() ?? Promise.reject(new Error(name))
      expect(await outcomeOf(call, holdOther)).toMatchObject(hidden)
      expect(await stateOf()).toEqual(before)
    })

    test('[ACCESS-60] does what another role still allows', async () => {
      const update = () => calls.updateRecord?.() ?? Promise.reject(new Error('none'))
      const place = { resourceType: 'space', resourceId: spaceId } as const
      const becoming = (role: 'editor' | 'viewer') => (tx: WriteTx) =>
        tx.collaborators.changeRole(place, bob.userId, role)
      expect(await outcomeOf(update, holdOther, becoming('editor'))).toMatchObject({
        fields: { By: [{ id: other.recordIds[1] }] },
      })
      expect(await outcomeOf(update, holdOther, becoming('viewer'))).toMatchObject({
        code: 'restricted_resource',
      })
    })
  })

  describe('for records that others hold', () => {
    const tableId = () => ({ tableId: table.id })
    const recordId = () => table.recordIds[0] ?? ''
    const holdRecord = async (tx: WriteTx) => {
      const schema = (await new SchemaGraph(tx, 'none').get(table.id)).schema
      await tx.records.find(schema, recordId(), 'update')
    }
    const calls: Record<string, () => Promise<unknown>> = {
      updateRecord: () =>
        bob.api.records.updateRecord({
          ...{ ...tableId(), recordId: recordId() },
          record: { fields: { Name: 'Two' } },
        }),
      updateRecords: () =>
        bob.api.records.updateRecords({
          ...tableId(),
          records: [{ id: recordId(), fields: { Name: 'Two' } }],
        }),
      deleteRecord: () => bob.api.records.deleteRecord({ ...tableId(), recordId: recordId() }),
      deleteRecords: () =>
        bob.api.records.deleteRecords({ ...tableId(), recordIds: [...table.recordIds] }),
    }
    const calling = (name: string) => () => calls[name]?.() ?? Promise.reject(new Error(name))

    test.each(Object.keys(calls))('[ACCESS-90] changes nothing: %s', async (name) => {
      const before = await world.api.records.listRecords(tableId())
      expect(await outcomeOf(calling(name), holdRecord)).toMatchObject(hidden)
      expect(await world.api.records.listRecords(tableId())).toEqual(before)
    })

    test('[ACCESS-90] does what another role still allows', async () => {
      const place = { resourceType: 'space', resourceId: spaceId } as const
      const becoming = (role: 'editor' | 'viewer') => (tx: WriteTx) =>
        tx.collaborators.changeRole(place, bob.userId, role)
      const update = calling('updateRecord')
      expect(await outcomeOf(update, holdRecord, becoming('editor'))).toMatchObject({
        fields: { Name: 'Two' },
      })
      expect(await outcomeOf(update, holdRecord, becoming('viewer'))).toMatchObject({
        code: 'restricted_resource',
      })
    })
  })
})
