import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { type BaseWorld, invalidAt, openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, expect, test } from 'vitest'

type Values = readonly unknown[]

describeOnEveryStorage('unique values that records of one request hand on', (storage) => {
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
  const create = async (...rows: readonly object[]) => {
    const records = rows.map((fields) => ({ fields }))
    const made = await api.records.createRecords({ tableId, records } as never)
    return made.records.map(({ id }) => id)
  }
  const update = (records: readonly object[]) =>
    api.records.updateRecords({ tableId, records: records as never })
  const keysFor = (ids: readonly string[], keys: Values) =>
    ids.map((id, index) => ({ id, fields: { Key: keys[index] } }))
  const list = async (name: string): Promise<Values> => {
    const { records } = await api.records.listRecords({ tableId })
    return records.map(({ fields }) => fields[name])
  }

  test.each<[string, Values]>([
    ['singleLineText', ['p', 'q', 'r', 's']],
    ['longText', ['p', 'q', 'r', 's'].map((text) => text.repeat(20_000))],
    ['number', [0, 0.1, -7, 1e300]],
    ['date', [1, 2, 3, 4].map((day) => `2024-03-0${day}T00:00:00.000Z`)],
  ])('[RECORD-10] are allowed where the outcome is unique: %s', async (type, [p, q, r, s]) => {
    // Required, so that no cell can be empty in between.
    await addField({ type, name: 'Key', unique: true, notNull: true })
    const [a = '', b = '', c = ''] = await create({ Key: p }, { Key: q }, { Key: r })
    const steps: readonly (readonly [readonly string[], Values, Values])[] = [
      [
        [a, b],
        [q, p],
        [q, p, r],
      ],
      [
        [b, a],
        [q, p],
        [p, q, r],
      ],
      // One goes on to a free value, another takes its old one; in either order.
      [
        [a, b],
        [s, p],
        [s, p, r],
      ],
      [
        [b, a],
        [s, p],
        [p, s, r],
      ],
      [
        [a, b, c],
        [s, r, p],
        [s, r, p],
      ],
      [
        [c, b, a],
        [s, p, r],
        [r, p, s],
      ],
    ]
    for (const [ids, keys, outcome] of steps) {
      const answered = await update(keysFor(ids, keys))
      expect(answered.map(({ fields }) => fields.Key)).toEqual(keys)
      expect(await list('Key')).toEqual(outcome)
    }
    await world.expectNoTrace(
      () => update(keysFor([a, b], [p, null])),
      invalidAt('records', 1, 'fields', 'Key'),
    )
  })

  test('[RECORD-10] are handed on in several fields, by records that change unlike cells', async () => {
    await addField({ type: 'singleLineText', name: 'Key', unique: true })
    await addField({ type: 'number', name: 'Code', unique: true })
    const [a, b, c] = await create({ Key: 'p', Code: 1 }, { Key: 'q', Code: 2 }, { Key: 'r' })
    const before = (await api.records.listRecords({ tableId })).records
    const answered = await update([
      { id: c, fields: { Code: 1 } },
      { id: a, fields: { Key: 'q', Code: null } },
      { id: b, fields: { Key: 'p', Name: 'b' } },
    ])
    expect(answered.map(({ id }) => id)).toEqual([c, a, b])
    expect(await list('Key')).toEqual(['q', 'p', 'r'])
    expect(await list('Code')).toEqual([undefined, 2, 1])
    const { records } = await api.records.listRecords({ tableId })
    expect(records.map(({ id, autoNumber }) => [id, autoNumber])).toEqual(
      before.map(({ id, autoNumber }) => [id, autoNumber]),
    )
    for (const recordId of [a, b, c]) {
      expect(await api.records.getRecord({ tableId, recordId: recordId ?? '' })).toMatchObject({
        version: 2,
      })
    }
  })

  test('[RECORD-10] are still refused where two would have one', async () => {
    await addField({ type: 'singleLineText', name: 'Key', unique: true })
    const [a = '', b = '', c = ''] = await create({ Key: 'p' }, { Key: 'q' }, { Key: 'r' })
    const refusals: readonly (readonly [readonly string[], Values, number])[] = [
      // The third record keeps its value; so does the one that is sent what it has.
      [[a, b], ['r', 'p'], 0],
      [[b, c], ['p', 'q'], 0],
      [[a, b], ['p', 'p'], 1],
      [[a, b], ['q', 'q'], 0],
      [[a, b, c], ['s', 'p', 's'], 2],
    ]
    for (const [ids, keys, row] of refusals) {
      await world.expectNoTrace(
        () => update(keysFor(ids, keys)),
        invalidAt('records', row, 'fields', 'Key'),
      )
    }
    expect(await list('Key')).toEqual(['p', 'q', 'r'])
  })

  test('[RECORD-3] [RECORD-10] name what is wrong in the order of the records, the first of much', async () => {
    await addField({ type: 'singleLineText', name: 'Key', unique: true })
    await addField({ type: 'number', name: 'Code', unique: true })
    const values = ['d', 'b', 'a', 'c']
    await create(...values.map((Key, index) => ({ Key, Code: 4 - index })))
    const rows = [
      { Code: 3 },
      { Key: 'c', Code: 2 },
      { Key: 'x' },
      { Key: 'a', Code: 4 },
      { Key: 'x', Code: 1 },
      { Key: 'b' },
    ]
    const issuesOf = async (most: number) =>
      withLimits({ issuesNamed: most }, async () => {
        const error = await create(...rows).catch((reason) => reason)
        const issues: readonly { readonly path: readonly unknown[] }[] = error.data.issues
        return issues.map(({ path }) => `${path[1]} ${path[3]}`)
      })
    const all = ['0 Code', '1 Key', '1 Code', '3 Key', '3 Code', '4 Key', '4 Code', '5 Key']
    expect(await issuesOf(20)).toEqual(all)
    for (const most of [1, 2, 3]) expect(await issuesOf(most)).toEqual(all.slice(0, most))
  })

  test('[RECORD-12] are given to one of two requests that take them at one time', async () => {
    await addField({ type: 'singleLineText', name: 'Key', unique: true })
    const [a = '', b = ''] = await create({ Key: 'p' }, { Key: 'q' })
    const exchange = () => update(keysFor([a, b], ['q', 'p']))
    const outcomes = await Promise.allSettled([
      exchange(),
      create({ Key: 'p' }),
      create({ Key: 'q' }),
      exchange(),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ])
    expect(new Set(await list('Key'))).toEqual(new Set(['p', 'q']))
  })
})
