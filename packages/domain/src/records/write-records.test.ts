import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { type BaseWorld, invalidAt, openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { shownUser } from '@gateleg/testing/worlds/world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, expect, test } from 'vitest'

const hidden = { code: 'not_found' }

describeOnEveryStorage('the writing of records', (storage) => {
  const world = worldOfBlock(() => openBaseWorld(storage))
  let api: BaseWorld['api']
  let tableId: string
  /** The ids of the records a, b and c. */
  let ids: [string, string, string]

  beforeAll(async () => {
    api = world.api
  })
  beforeEach(async () => {
    const records = ['a', 'b', 'c'].map((Name, Count) => ({ fields: { Name, Count } }))
    const table = await api.tables.createTable({ baseId: world.baseId, records })
    tableId = table.id
    ids = table.records.map(({ id }) => id) as typeof ids
    world.clock.advance(1_000)
  })

  const now = () => new Date(world.clock.now()).toISOString()
  const addField = (definition: object) =>
    api.fields.createField({ tableId, ...definition } as never)
  const get = (recordId: string) => api.records.getRecord({ tableId, recordId })
  const update = (recordId: string, fields: object) =>
    api.records.updateRecord({ tableId, recordId, record: { fields } as never })
  const updateMany = (...changes: readonly (readonly [string, object])[]) =>
    api.records.updateRecords({
      tableId,
      records: changes.map(([id, fields]) => ({ id, fields })) as never,
    })
  const remove = (...recordIds: string[]) => api.records.deleteRecords({ tableId, recordIds })
  const listNames = async () =>
    (await api.records.listRecords({ tableId })).records.map(({ name }) => name)

  test('[RECORD-19] [RECORD-25] finds no record that is not there, and changes none then', async () => {
    const other = await api.tables.createTable({ baseId: world.baseId })
    const [a, b] = ids
    await remove(b)
    for (const id of [other.records[0]?.id ?? '', b, 'rec0', '__proto__']) {
      for (const call of [
        () => get(id),
        () => update(id, { Name: 'x' }),
        () => updateMany([a, { Name: 'x' }], [id, { Name: 'y' }]),
        () => api.records.deleteRecord({ tableId, recordId: id }),
        () => remove(a, id),
      ]) {
        await world.expectNoTrace(call, hidden)
      }
    }
  })

  test('[RECORD-25] [RECORD-27] refuses to change a record twice, or in part', async () => {
    const [a, b] = ids
    const twice = () => updateMany([a, { Name: 'x' }], [b, {}], [a, { Count: 1 }])
    await world.expectNoTrace(twice, invalidAt('records', 2, 'id'))
    const bad = () => updateMany([a, { Name: 'x' }], [b, { Count: 'x' }])
    await world.expectNoTrace(bad, invalidAt('records', 1, 'fields', 'Count'))
    for (const recordIds of [[], new Array(2_001).fill(a)]) {
      await world.expectNoTrace(() => remove(...recordIds), invalidAt('recordIds'))
    }
  })

  test('[RECORD-20] creates records in order, with numbers that rise', async () => {
    const create = async (...names: string[]) =>
      (
        await api.records.createRecords({
          tableId,
          records: names.map((Name) => ({ fields: { Name } })),
        })
      ).records
    const made = await create('z', 'y', 'x')
    expect(made.map(({ name, autoNumber }) => [name, autoNumber])).toEqual([
      ['z', 4],
      ['y', 5],
      ['x', 6],
    ])
    await remove(...made.map(({ id }) => id))
    const [last] = await create('w')
    expect(last?.autoNumber).toBeGreaterThan(6)
    expect(await listNames()).toEqual(['a', 'b', 'c', 'w'])
  })

  test('[RECORD-20] keeps the order of more records than one statement takes', async () => {
    const names = Array.from({ length: 1_337 }, (_, number) => `n${number}`)
    const { records } = await api.records.createRecords({
      tableId,
      records: names.map((Name) => ({ fields: { Name } })),
    })
    expect(records.map(({ name }) => name)).toEqual(names)
    const numbers = records.map(({ autoNumber }) => autoNumber)
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    expect(new Set(numbers).size).toBe(names.length)
    const listed = await api.records.listRecords({ tableId, take: 2_000, skip: 3 })
    expect(listed.records).toEqual(records)
  })

  test('[RECORD-21] [RECORD-23] changes the cells that are named, and empties with null', async () => {
    const [a] = ids
    const bob = await world.newCollaborator('Bob', 'editor')
    const before = await get(a)
    const after = await bob.api.records.updateRecord({
      tableId,
      recordId: a,
      record: { fields: { Count: null, Status: 'light' } },
    })
    expect(after).toEqual({
      ...before,
      fields: { Name: 'a', Status: 'light' },
      lastModifiedTime: now(),
      lastModifiedBy: 'bob',
      version: 2,
    })
    expect(before).toMatchObject({ createdBy: 'ada', lastModifiedBy: 'ada' })
    expect(await get(a)).toEqual(after)
    expect(await update(a, { Name: '' })).not.toHaveProperty('name')
    expect(await get(a)).toMatchObject({ fields: { Status: 'light' }, version: 3 })
  })

  test('[RECORD-21] changes different cells of many records at once', async () => {
    const [a, b, c] = ids
    const answer = await updateMany(
      [c, { Name: 'C', Count: null }],
      [a, { Status: 'heavy' }],
      [b, { Count: 7, Name: 'B' }],
    )
    expect(answer.map(({ id, fields }) => [id, fields])).toEqual([
      [c, { Name: 'C' }],
      [a, { Name: 'a', Count: 0, Status: 'heavy' }],
      [b, { Name: 'B', Count: 7 }],
    ])
    expect(answer[0]).not.toHaveProperty('version')
    const { records } = await api.records.listRecords({ tableId })
    expect(records).toEqual([answer[1], answer[2], answer[0]])
  })

  test('[RECORD-22] leaves records as they are that have the values already', async () => {
    await addField({ type: 'multipleSelect', options: { choices: [{ name: 'x' }, { name: 'y' }] } })
    await addField({ type: 'user', options: { isMultiple: true } })
    const { id: fieldId } = await addField({ type: 'button' })
    await addField({ type: 'date' })
    const [a, b, c] = ids
    await api.records.pressButton({ tableId, recordId: a, fieldId })
    const values = {
      Tags: ['x', 'y'],
      Collaborators: [world.ada.userId],
      Button: { count: 1 },
      Date: '2024-03-05',
    }
    await update(a, values)
    world.clock.advance(1_000)
    const before = await get(a)
    const same = { ...values, Name: ' a\n', Count: 0, Status: null, Date: '2024-03-05T00:00:00Z' }
    const events = await world.heard(async () => {
      expect(await update(a, {})).toEqual(before)
      expect(await update(a, same)).toEqual(before)
    })
    expect(events).toEqual([])
    expect(await get(a)).toEqual(before)
    const told = await world.heard(() => updateMany([a, same], [b, { Name: 'B' }], [c, {}]))
    expect(told).toEqual([
      { name: 'record.updated', userId: world.ada.userId, tableId, recordIds: [b] },
    ])
    expect(await get(a)).toEqual(before)
    expect(await get(b)).toMatchObject({ lastModifiedTime: now(), version: 2 })
    expect((await update(a, { Tags: ['y', 'x'] })).version).toBe(4)
  })

  test('[RECORD-23] compares the version of the record with the one that is asked for', async () => {
    const [a] = ids
    const place = { tableId, recordId: a, record: { fields: { Name: 'x' } } }
    const refusal = { code: 'precondition_failed' }
    await world.expectNoTrace(() => api.records.updateRecord(place, { ifMatch: [2] }), refusal)
    expect((await api.records.updateRecord(place, { ifMatch: [1] })).version).toBe(2)
    await world.expectNoTrace(() => api.records.deleteRecord(place, { ifMatch: [1] }), refusal)
    await api.records.deleteRecord(place, { ifMatch: [2] })
  })

  test('[RECORD-41] compares the version of each record that a request changes', async () => {
    const [a, b, c] = ids
    await update(b, { Name: 'newer' })
    const change = (...changed: readonly string[]) => ({
      tableId,
      records: changed.map((id) => ({ id, fields: { Name: 'x' } })) as never,
    })
    const { updateRecords, deleteRecords } = api.records
    const stale = { code: 'precondition_failed' }
    // Which of the two records somebody else has changed isn't known of versions that are one set.
    for (const ifMatch of [[1], [2], [1, 1, 1], [2, 1, 1], [1, 1, 2], [2, 2, 2], [0, 2, 1]]) {
      await world.expectNoTrace(() => updateRecords(change(a, b, c), { ifMatch }), stale)
      const recordIds = [a, b, c]
      await world.expectNoTrace(() => deleteRecords({ tableId, recordIds }, { ifMatch }), stale)
    }
    await updateRecords(change(a, b), { ifMatch: [1, 2] })
    expect(await listNames()).toEqual(['x', 'x', 'c'])
    await deleteRecords({ tableId, recordIds: [c] }, { ifMatch: [1] })
    await deleteRecords({ tableId, recordIds: [b, a, b] }, { ifMatch: [3, 2, 3] })
    expect(await listNames()).toEqual([])
  })

  test('[RECORD-41] refuses another number of versions than one, or one for each record', async () => {
    const [a, b, c] = ids
    const records = ids.map((id) => ({ id, fields: {} })) as never
    const refusal = invalidAt('If-Match')
    for (const ifMatch of [[], [1, 1], [1, 1, 1, 1]]) {
      const { updateRecords, deleteRecords } = api.records
      await world.expectNoTrace(() => updateRecords({ tableId, records }, { ifMatch }), refusal)
      const recordIds = [a, b, c]
      await world.expectNoTrace(() => deleteRecords({ tableId, recordIds }, { ifMatch }), refusal)
    }
    const one = () => api.records.deleteRecords({ tableId, recordIds: [a] }, { ifMatch: [1, 2] })
    await world.expectNoTrace(one, refusal)
  })

  test('[RECORD-41] tells who may not write that, and not which version a record has', async () => {
    const stranger = await world.newPerson('stranger')
    const input = { tableId, recordIds: [ids[0]] }
    const call = () => stranger.api.records.deleteRecords(input, { ifMatch: [99] })
    await world.expectNoTrace(call, hidden)
  })

  test('[RECORD-41] compares the version of the table where records are created', async () => {
    const { version } = await api.tables.getTable({ baseId: world.baseId, tableId })
    const input = { tableId, records: [{ fields: { Name: 'd' } }] as never }
    const { createRecords } = api.records
    const refusal = { code: 'precondition_failed' }
    await world.expectNoTrace(() => createRecords(input, { ifMatch: [version + 1] }), refusal)
    await createRecords(input, { ifMatch: [version] })
    expect(await listNames()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('[RECORD-24] follows the changes of some fields', async () => {
    const [nameId = '', countId = ''] = (await api.fields.listFields({ tableId })).map(
      ({ id }) => id,
    )
    await addField({ type: 'lastModifiedTime', name: 'Any' })
    await addField({
      type: 'lastModifiedTime',
      name: 'When',
      options: { trackedFieldIds: [nameId, countId] },
    })
    await addField({ type: 'lastModifiedBy', name: 'Who', options: { trackedFieldIds: [nameId] } })
    const [a, b] = ids
    const follows = async () => {
      const { Any, When, Who } = (await get(a)).fields
      return { Any, When, Who }
    }
    expect(await follows()).toEqual({})
    const { createdTime, createdBy } = await get(a)
    expect(await get(a)).toMatchObject({
      lastModifiedTime: createdTime,
      lastModifiedBy: createdBy,
    })
    const me = shownUser(world.ada, 'ada')
    const bob = await world.newCollaborator('Bert', 'editor')
    const updateAsBob = (fields: object) =>
      bob.api.records.updateRecord({ tableId, recordId: a, record: { fields } as never })

    const first = now()
    await update(a, { Name: 'A' })
    expect(await follows()).toEqual({ Any: first, When: first, Who: me })
    world.clock.advance(1_000)
    const second = now()
    await updateAsBob({ Status: 'light', Name: 'A' })
    expect(await follows()).toEqual({ Any: second, When: first, Who: me })
    world.clock.advance(1_000)
    const third = now()
    await updateAsBob({ Count: 5 })
    expect(await follows()).toEqual({ Any: third, When: third, Who: me })
    const answer = await updateAsBob({ Name: null })
    const him = shownUser(bob, 'bert')
    expect(answer.fields).toMatchObject({ When: third, Who: him })
    expect((await get(b)).fields).toEqual({ Name: 'b', Count: 1 })

    const made = await api.records.createRecords({ tableId, records: [{ fields: {} }] })
    expect(made.records[0]?.fields).toEqual({})
    const madeId = made.records[0]?.id ?? ''
    await update(madeId, { Status: 'light' })
    expect((await get(madeId)).fields).toEqual({ Status: 'light', Any: now() })
    await api.fields.deleteField({ tableId, fieldId: countId })
    world.clock.advance(1_000)
    await updateMany([a, { Status: 'heavy' }], [b, { Name: 'B' }])
    expect(await follows()).toMatchObject({ When: third, Who: him })
    expect((await get(b)).fields).toMatchObject({ When: now(), Who: me })
  })

  test('[RECORD-26] [RECORD-28] deletes records as one operation', async () => {
    const [a, b, c] = ids
    const { userId } = world.ada
    const { records: before } = await api.bases.verifyBase({ baseId: world.baseId })
    expect(await world.heard(() => remove(c, a, c))).toEqual([
      { name: 'record.deleted', userId, tableId, recordIds: [c, a] },
    ])
    expect(await listNames()).toEqual(['b'])
    expect(await world.heard(() => api.records.deleteRecord({ tableId, recordId: b }))).toEqual([
      { name: 'record.deleted', userId, tableId, recordIds: [b] },
    ])
    expect(await listNames()).toEqual([])
    expect((await api.bases.verifyBase({ baseId: world.baseId })).records).toBe(before)
    const { rows: marks } = await world.engine.store.read((tx) =>
      tx.canonical.records({ tableId, after: 0 }, 10),
    )
    expect(marks.map(({ deletedBy, deletedTime }) => [deletedBy, deletedTime])).toEqual(
      ids.map(() => [userId, now()]),
    )
    const operations = marks.map(({ deletionId }) => deletionId)
    expect(operations).toEqual([operations[0], expect.stringMatching(/^opr/), operations[0]])
    expect(operations[1]).not.toBe(operations[0])
  })

  test('[RECORD-28] tells what was created and changed', async () => {
    const { userId } = world.ada
    const [a, b] = ids
    let made: string[] = []
    const events = await world.heard(async () => {
      const records = [{ fields: {} }, { fields: {} }]
      made = (await api.records.createRecords({ tableId, records })).records.map(({ id }) => id)
      await updateMany([b, { Name: 'B' }], [a, { Name: 'A' }])
      await api.records
        .createRecords({ tableId, records: [{ fields: { Count: 'x' } }] as never })
        .catch(() => undefined)
    })
    expect(events).toEqual([
      { name: 'record.created', userId, tableId, recordIds: made },
      { name: 'record.updated', userId, tableId, recordIds: [b, a] },
    ])
  })

  test('[RECORD-5] [RECORD-28] tells of the field that got new choices', async () => {
    const fieldId = (await api.fields.listFields({ tableId }))[2]?.id
    const [a] = ids
    const { userId } = world.ada
    const record = { fields: { Status: 'new' } }
    const events = await world.heard(() =>
      api.records.updateRecord({ tableId, recordId: a, record, typecast: true }),
    )
    expect(events).toEqual([
      { name: 'field.updated', userId, tableId, fieldId },
      { name: 'record.updated', userId, tableId, recordIds: [a] },
    ])
  })
})
