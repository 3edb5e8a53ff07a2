import { setTimeout } from 'node:timers/promises'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, expect, test } from 'vitest'

const hidden = { code: 'not_found' }
const refused = { code: 'restricted_resource' }
const invalid = { code: 'validation_error' }

describeOnEveryStorage('bases that move into another space', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let people = 0
  let left: string
  let spaceId: string
  let baseId: string
  let table: TestTable

  beforeEach(async () => {
    const { spaces, bases } = world.api
    left = (await spaces.createSpace({ name: 'Left' })).id
    spaceId = (await spaces.createSpace({ name: 'Other' })).id
    baseId = (await bases.createBase({ spaceId: left, name: 'Plans' })).id
    table = await world.makeTable(
      'Books',
      [
        { type: 'singleLineText', name: 'Name' },
        { type: 'attachment', name: 'Files' },
      ],
      [{ Name: 'One' }, { Name: 'Two' }],
      baseId,
    )
  })
  afterEach(() => world.clear())

  const move = (to = spaceId, { api } = { api: world.api }) =>
    api.bases.moveBaseToSpace({ baseId, spaceId: to })
  const spaceOf = async () => (await world.api.bases.getBase({ baseId })).spaceId
  const newPerson = () => world.newPerson(`P${++people}`)
  type Someone = Awaited<ReturnType<typeof newPerson>>
  const join = async (
    { userId }: Someone,
    place: { spaceId: string } | { baseId: string },
    role: 'owner' | 'creator' | 'editor',
  ) => {
    const collaborators = [{ principalId: userId, principalType: 'user' as const }]
    const { addSpaceCollaborators, addBaseCollaborators } = world.api.collaborators
    if ('spaceId' in place) await addSpaceCollaborators({ ...place, collaborators, role })
    else await addBaseCollaborators({ ...place, collaborators, role: role as 'editor' })
  }

  test('[BASE-23] are moved by owners of the space that they leave who may create bases in the other one', async () => {
    const bob = await newPerson()
    await expect(move(spaceId, bob)).rejects.toMatchObject(hidden)
    await join(bob, { baseId }, 'creator')
    await expect(move(bob.spaceId, bob)).rejects.toMatchObject(refused)
    await join(bob, { spaceId: left }, 'creator')
    await expect(move(bob.spaceId, bob)).rejects.toMatchObject(refused)
    await world.api.collaborators.changeSpaceCollaborator({
      ...{ spaceId: left, principalId: bob.userId, principalType: 'user', role: 'owner' },
    })
    await expect(move(spaceId, bob)).rejects.toMatchObject(hidden)
    await join(bob, { spaceId }, 'editor')
    await expect(move(spaceId, bob)).rejects.toMatchObject(refused)
    await expect(move('spcNone')).rejects.toMatchObject(hidden)
    expect(await spaceOf()).toBe(left)
    await move(bob.spaceId, bob)
    await expect(spaceOf()).rejects.toMatchObject(hidden)
  })

  test('[BASE-23] need a token that reaches both spaces', async () => {
    const scopes = new Set(['base|read', 'base|delete', 'space|update', 'base|create'] as const)
    const { userId } = await world.api.accounts.getMe({}).then(({ id }) => ({ userId: id }))
    const byToken = (spaceIds: string[], baseIds: string[] = []) => ({
      api: world.engine.as({
        ...{ kind: 'token', userId, tokenId: 'acc0000000000000000', scopes },
        reach: { spaceIds: new Set(spaceIds), baseIds: new Set(baseIds) },
      }),
    })
    await expect(move(spaceId, byToken([spaceId]))).rejects.toMatchObject(hidden)
    await expect(move(spaceId, byToken([spaceId], [baseId]))).rejects.toMatchObject(refused)
    await expect(move(spaceId, byToken([left]))).rejects.toMatchObject(hidden)
    await move(spaceId, byToken([left, spaceId]))
    expect(await spaceOf()).toBe(spaceId)
  })

  test('[BASE-24] stand last in the other space, keep what they have, and count as changed once', async () => {
    const { bases } = world.api
    await bases.createBase({ spaceId, name: 'First' })
    const { version } = await bases.getBase({ baseId })
    const events: string[] = []
    world.engine.subscribe(({ name, payload }) => events.push(`${name} ${JSON.stringify(payload)}`))
    await move()
    await move()
    expect(events).toEqual([`base.updated {"spaceId":"${spaceId}","baseId":"${baseId}"}`])
    const names = async (id: string) =>
      (await bases.listBases({ spaceId: id })).map(({ name }) => name)
    expect([await names(left), await names(spaceId)]).toEqual([[], ['First', 'Plans']])
    expect(await bases.getBase({ baseId })).toMatchObject({ version: (version ?? 0) + 1 })
    expect(await bases.verifyBase({ baseId })).toMatchObject({ problems: [] })
    expect(await world.textsOf(table, 'Name')).toEqual(['One', 'Two'])
  })

  test('[BASE-25] are out of reach for who had a role in the space that they left alone', async () => {
    const [gone, stays, comes] = [await newPerson(), await newPerson(), await newPerson()]
    await join(gone, { spaceId: left }, 'editor')
    await join(stays, { baseId }, 'editor')
    await join(comes, { spaceId }, 'editor')
    const read = ({ api }: Someone) => api.records.listRecords({ tableId: table.id })
    await expect(read(comes)).rejects.toMatchObject(hidden)
    await gone.api.pins.addPin({ type: 'base', id: baseId })
    const pins = world.api.pins
    await pins.addPin({ type: 'base', id: baseId })
    const visit = { resourceType: 'base', resourceId: baseId, parentResourceId: left } as const
    await world.api.lastVisits.noteLastVisit(visit)
    const writing = Promise.allSettled(
      Array.from({ length: 5 }, () =>
        gone.api.records.createRecords({ tableId: table.id, records: [{ fields: {} }] }),
      ),
    )
    await move()
    await expect(read(gone)).rejects.toMatchObject(hidden)
    const late = { tableId: table.id, records: [{ fields: {} }] }
    await expect(gone.api.records.createRecords(late)).rejects.toMatchObject(hidden)
    const made = (await writing).filter(({ status }) => status === 'fulfilled').length
    expect((await read(stays)).records).toHaveLength(2 + made)
    expect((await read(comes)).records).toHaveLength(2 + made)
    expect(await gone.api.pins.listPins({})).toEqual([])
    await world.api.spaces.deleteSpacePermanently({ spaceId: left })
    expect(await pins.listPins({})).toMatchObject([{ id: baseId }])
    expect(
      await world.api.lastVisits.getLastVisit({ ...visit, parentResourceId: spaceId }),
    ).toEqual({})
    await pins.removePin({ type: 'base', id: baseId })
  })

  test('[BASE-24] [BASE-25] are not changed by calls that waited for the move', async () => {
    const { bases, tables } = world.api
    const { userId } = world.ada
    const { id: besideId } = await bases.createBase({ spaceId: left })
    const { id: otherId } = await tables.createTable({ baseId, name: 'Other' })
    await bases.createBase({ spaceId })
    const gone = await newPerson()
    await join(gone, { spaceId: left }, 'creator')
    const { id: tableId } = table
    const toEnd = { anchorId: besideId, position: 'after' } as const
    let waiting: readonly Promise<unknown>[] = []
    await world.engine.store.write(async (tx) => {
      await tx.access.findSpace(left, userId, 'update')
      const found = await tx.access.findBase(baseId, userId, 'update')
      waiting = [
        gone.api.bases.moveBase({ baseId, ...toEnd }),
        world.api.bases.moveBase({ baseId, ...toEnd }),
        gone.api.tables.duplicateTable({ baseId, tableId }),
        gone.api.tables.moveTable({ baseId, tableId, anchorId: otherId, position: 'after' }),
      ].map((call) => call.then(() => undefined).catch((error: unknown) => error))
      await setTimeout(300)
      if (!found) throw new Error('the base is there')
      await tx.bases.moveTo(found.base, {
        spaceId,
        order: 7,
        lastModifiedTime: found.base.lastModifiedTime,
      })
    })
    // By storages of one writer the call of the owner begins after the move, and finds the anchor in another space.
    const moved = { code: expect.stringMatching(/^(conflict|not_found)$/) }
    expect(await Promise.all(waiting)).toMatchObject([hidden, moved, hidden, hidden])
    const places = await world.engine.store.read((tx) => tx.bases.listPlaces(spaceId))
    expect(places).toContainEqual(expect.objectContaining({ id: baseId, order: 7 }))
    const names = (await tables.listTables({ baseId })).map(({ name }) => name)
    expect(names).toEqual(['Books', 'Other'])
  })

  test('[BASE-26] stay where a field links them with another base, or did before it was deleted', async () => {
    const { api } = world
    const { id: besideId } = await api.bases.createBase({ spaceId: left })
    const beside = await world.makeTable(
      'Beside',
      [{ type: 'singleLineText', name: 'Name' }],
      [],
      besideId,
    )
    const options = { relationship: 'manyMany', foreignTableId: table.id, isOneWay: true }
    const link = await world.addField(beside, { type: 'link', name: 'Of', options })
    await expect(move()).rejects.toMatchObject({
      ...invalid,
      message: expect.stringContaining('"Books"'),
    })
    const other = api.bases.moveBaseToSpace({ baseId: besideId, spaceId })
    await expect(other).rejects.toMatchObject({
      ...invalid,
      message: expect.stringContaining('"Beside"'),
    })
    await api.fields.deleteField({ tableId: beside.id, fieldId: link.id })
    await expect(move()).rejects.toMatchObject(invalid)
    await api.trash.resetTrash({ resourceType: 'table', resourceId: beside.id })
    while (await world.runJob()) {}
    await move()
    expect(await spaceOf()).toBe(spaceId)
  })

  test('[BASE-27] take their files along, which cells of the other space may name then', async () => {
    const { attachments, records } = world.api
    const [recordId = '', otherId = ''] = table.recordIds
    const fieldId = (await world.fieldOf(table, 'Files')).id
    const file = new File(['text'], 'a.txt')
    const source = { name: 'a.txt', stream: () => file.stream() }
    const inCell = { tableId: table.id, recordId, fieldId }
    await attachments.uploadAttachment({ ...inCell, file: source as never })
    await records.deleteRecord({ tableId: table.id, recordId: otherId })
    const cell = (await world.recordOf(table, recordId)).Files as { token: string }[]
    await move()
    const [added] = await world.add(table, { Files: [{ ...cell[0], name: 'b.txt' }] })
    const copied = (await world.recordOf(table, added)).Files
    expect(copied).toMatchObject([{ token: cell[0]?.token, name: 'b.txt' }])
  })

  test('[RECORD-90] leave files to cells of others, whose records can be copied', async () => {
    const { attachments, bases, records } = world.api
    const fieldId = (await world.fieldOf(table, 'Files')).id
    const [recordId = ''] = table.recordIds
    const source = { name: 'a.txt', stream: () => new File(['text'], 'a.txt').stream() }
    const inCell = { tableId: table.id, recordId, fieldId }
    await attachments.uploadAttachment({ ...inCell, file: source as never })
    const files = (await world.recordOf(table, recordId)).Files as { token: string }[]
    const { id: besideId } = await bases.createBase({ spaceId: left })
    const beside = await world.makeTable(
      'Beside',
      [
        { type: 'singleLineText', name: 'Name' },
        { type: 'attachment', name: 'Files' },
      ],
      [{ Name: 'One', Files: files }],
      besideId,
    )
    await move()
    const tableId = beside.id
    await records.duplicateRecord({ tableId, recordId: beside.recordIds[0] ?? '' })
    const all = (await records.listRecords({ tableId })).records
    const token = files[0]?.token
    expect(all.map(({ fields }) => fields.Files)).toMatchObject([[{ token }], [{ token }]])
  })

  test('[BASE-28] stay where the other space has no room for them', async () => {
    const { bases } = world.api
    await bases.createBase({ spaceId })
    await withLimits({ basesPerSpace: 1 }, async () => {
      await expect(move()).rejects.toMatchObject(invalid)
    })
    expect(await spaceOf()).toBe(left)
  })
})
