import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { type BaseWorld, invalidAt, openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { beforeAll, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('the reading of records', (storage) => {
  const world = worldOfBlock(() => openBaseWorld(storage))
  let api: BaseWorld['api']
  let tableId: string

  beforeAll(async () => {
    api = world.api
  })
  beforeEach(async () => {
    tableId = (await api.tables.createTable({ baseId: world.baseId, records: [] })).id
  })

  const addField = (definition: object) =>
    api.fields.createField({ tableId, ...definition } as never)
  const create = async (...rows: object[]) =>
    (
      await api.records.createRecords({
        tableId,
        records: rows.map((fields) => ({ fields })) as never,
      })
    ).records
  const list = (more: object = {}) => api.records.listRecords({ tableId, ...more })
  const names = async (more: object = {}) => (await list(more)).records.map(({ name }) => name)

  test.each([
    [{ take: 0 }, 'take'],
    [{ take: 2_001 }, 'take'],
    [{ take: 1.5 }, 'take'],
    [{ take: '1' }, 'take'],
    [{ skip: -1 }, 'skip'],
    [{ skip: 1_000_001 }, 'skip'],
    [{ cellFormat: 'html' }, 'cellFormat'],
    [{ fieldKeyType: 'key' }, 'fieldKeyType'],
    [{ projection: 'Name' }, 'projection'],
    [{ cursor: 'x'.repeat(3_000) }, 'cursor'],
  ])('[RECORD-16] refuses to list by %j', async (query, member) => {
    await expect(list(query)).rejects.toMatchObject(invalidAt(member))
  })

  test('[RECORD-17] refuses cursors that were not issued', async () => {
    await create(...new Array(3).fill({}))
    const cursor = (await list({ take: 1 })).nextCursor ?? ''
    const other = await api.tables.createTable({ baseId: world.baseId })
    const foreign = (await api.records.listRecords({ tableId: other.id, take: 1 })).nextCursor
    const [place = '', signature = ''] = cursor.split('.')
    const forged = [
      foreign,
      '',
      place,
      `${place}.`,
      `${Number(place) + 1}.${signature}`,
      `${place}.0.${signature}`,
      ` ${cursor}`,
      `${cursor} `,
      `0${cursor}`,
      `+${cursor}`,
      `${place}.${signature.toUpperCase()}`,
      `${place}.${'0'.repeat(signature.length)}`,
      `${place}.${signature.slice(0, -1)}`,
      '-1.x',
      'NaN.x',
      '1e3.x',
      '\0',
    ]
    for (const wrong of forged) {
      await expect(list({ cursor: wrong })).rejects.toMatchObject(invalidAt('cursor'))
    }
    expect((await list({ cursor })).records).toHaveLength(2)
  })

  test('[RECORD-13] answers a record', async () => {
    await addField({ type: 'checkbox' })
    const bob = await world.newCollaborator('Bob', 'editor')
    const [made] = await create({ Name: 'a', Done: false, Count: null, Status: 'light' })
    const created = new Date(world.clock.now()).toISOString()
    world.clock.advance(1_000)
    const modified = new Date(world.clock.now()).toISOString()
    const record = { fields: { Count: 0 } }
    await bob.api.records.updateRecord({ tableId, recordId: made?.id ?? '', record })
    const expected = {
      id: expect.stringMatching(/^rec[0-9a-zA-Z]{16}$/),
      fields: { Name: 'a', Status: 'light', Count: 0 },
      name: 'a',
      autoNumber: 1,
      createdTime: created,
      lastModifiedTime: modified,
      createdBy: 'ada',
      lastModifiedBy: 'bob',
    }
    expect((await list()).records).toEqual([expected])
    const recordId = made?.id ?? ''
    expect(await api.records.getRecord({ tableId, recordId })).toEqual({ ...expected, version: 2 })
    expect((await create({}))[0]).not.toHaveProperty('name')
  })

  test('[RECORD-14] answers values as text', async () => {
    const currency = { type: 'currency', precision: 2, symbol: '$' }
    const formatting = { date: 'D/M/YYYY', time: 'HH:mm', timeZone: 'Europe/Berlin' }
    await addField({ type: 'number', name: 'Cost', options: { formatting: currency } })
    await addField({ type: 'date', options: { formatting } })
    await addField({ type: 'checkbox' })
    await addField({
      type: 'multipleSelect',
      options: { choices: [{ name: 'a, b' }, { name: 'c' }] },
    })
    await addField({ type: 'user' })
    await addField({ type: 'autoNumber' })
    await addField({ type: 'rating' })
    const [record] = await create({
      Name: 'x',
      Cost: -1234.5,
      Date: '2024-07-01T10:00:00Z',
      Done: true,
      Tags: ['a, b', 'c'],
      Collaborator: world.ada.userId,
      Rating: 3,
    })
    const text = {
      Name: 'x',
      Cost: '-$1,234.50',
      Date: '1/7/2024 12:00',
      Done: 'true',
      Tags: '"a, b", c',
      Collaborator: 'ada',
      ID: '1',
      Rating: '3',
    }
    expect((await list({ cellFormat: 'text' })).records[0]?.fields).toEqual(text)
    const recordId = record?.id ?? ''
    const one = await api.records.getRecord({ tableId, recordId, cellFormat: 'text' })
    expect(one.fields).toEqual(text)
  })

  test('[RECORD-15] answers the fields of a projection', async () => {
    const [{ id: nameId = '' } = {}, { id: countId = '' } = {}] = await api.fields.listFields({
      tableId,
    })
    const [record] = await create({ Name: 'a', Count: 1, Status: 'light' })
    const recordId = record?.id ?? ''
    for (const [query, fields] of [
      [{ projection: ['Status', 'Nope', 'Name'] }, { Name: 'a', Status: 'light' }],
      [{ projection: [] }, {}],
      [{ projection: [countId, 'Name'], fieldKeyType: 'id' }, { [countId]: 1 }],
      [{ projection: ['Count', nameId], fieldKeyType: 'dbFieldName' }, { Count: 1 }],
    ] as const) {
      const shape = query as unknown as { projection: string[]; fieldKeyType?: 'name' }
      expect((await list(shape)).records).toEqual([expect.objectContaining({ fields, name: 'a' })])
      const one = await api.records.getRecord({ tableId, recordId, ...shape })
      expect(one).toMatchObject({ fields, name: 'a' })
      expect(Object.keys(one.fields)).toEqual(Object.keys(fields))
    }
  })

  test('[RECORD-16] lists in the order of creation, page by page', async () => {
    const expected = Array.from({ length: 105 }, (_, number) => `n${number}`)
    await create(...expected.map((Name) => ({ Name })))
    expect(await names()).toEqual(expected.slice(0, 100))
    expect(await names({ take: 2_000 })).toEqual(expected)
    expect(await names({ take: 2, skip: 3 })).toEqual(['n3', 'n4'])
    expect(await names({ skip: 200 })).toEqual([])
    const first = await list({ take: 50 })
    const cursor = first.nextCursor ?? ''
    expect(await names({ cursor, take: 2 })).toEqual(['n50', 'n51'])
    expect(await names({ cursor, take: 2, skip: 1 })).toEqual(['n51', 'n52'])
    expect((await list({ take: 105 })).nextCursor).toBeNull()
    expect((await list({ take: 104 })).nextCursor).not.toBeNull()
    expect((await list({ skip: 105 })).nextCursor).toBeNull()
  })

  test('[RECORD-18] always walks each record that stays once, in order', async () => {
    const step = fc.record({
      take: fc.integer({ min: 1, max: 4 }),
      created: fc.nat(3),
      /** Which of the records that are there go, as fractions of their number. */
      deleted: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), fc.nat(8), async (steps, begin) => {
        tableId = (await api.tables.createTable({ baseId: world.baseId, records: [] })).id
        let living =
          begin > 0 ? (await create(...new Array(begin).fill({}))).map(({ id }) => id) : []
        const staying = new Set(living)
        const walked: string[] = []
        let cursor: string | null | undefined
        for (const { take, created, deleted } of [...steps, ...finish]) {
          if (cursor === null) break
          const page = await list({ take, ...(cursor && { cursor }) })
          walked.push(...page.records.map(({ id }) => id))
          cursor = page.nextCursor
          const gone = new Set(
            deleted.flatMap((part) => living[Math.floor(part * living.length)] ?? []),
          )
          if (gone.size > 0) await api.records.deleteRecords({ tableId, recordIds: [...gone] })
          for (const id of gone) staying.delete(id)
          living = living.filter((id) => !gone.has(id))
          if (created > 0) {
            living.push(...(await create(...new Array(created).fill({}))).map(({ id }) => id))
          }
        }
        expect(cursor).toBeNull()
        expect(new Set(walked).size).toBe(walked.length)
        expect(walked.filter((id) => staying.has(id))).toEqual([...staying])
      }),
      { numRuns: 30 },
    )
  })

  /** Pages that take what is left, and change nothing. */
  const finish = Array.from({ length: 20 }, () => ({
    take: 5,
    created: 0,
    deleted: [] as number[],
  }))
})
