import type { Api } from '@gateleg/domain/api'
import type { DomainError } from '@gateleg/domain/errors'
import type { Engine } from '@gateleg/engine/engine'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OpenEngines, openEngines } from './open-engines.ts'
import { isOn, storageNames } from './storages.ts'

/** Calls at one time; more than a storage has connections. */
const writers = 16

describe.each(storageNames.filter(isOn))('writers at one time on %s', (storage) => {
  let opened: OpenEngines
  let apis: readonly Api[]
  let api: Api
  let baseId: string

  beforeEach(async () => {
    opened = await openEngines[storage]()
    const [engine] = opened.engines as [Engine]
    const user = await engine.public.accounts.signUp({
      email: 'ada@example.com',
      password: 'correct horse 1',
    })
    apis = opened.engines.map((one) => one.as({ userId: user.id }))
    api = apis[0] as Api
    const [space] = await api.spaces.listSpaces({})
    baseId = (await api.bases.createBase({ spaceId: space?.id ?? '' })).id
  })
  afterEach(() => opened.close())

  /** Has all writers call at once, by turns through the one engine and the other. */
  const together = <T>(call: (api: Api, writer: number) => Promise<T>): Promise<T[]> =>
    Promise.all(
      Array.from({ length: writers }, (_, writer) => call(apis[writer % 2] as Api, writer)),
    )

  test('lose no cell of a record that each changes another cell of', async () => {
    const names = Array.from({ length: writers }, (_, writer) => `Field ${writer}`)
    const { id: tableId, records } = await api.tables.createTable({
      baseId,
      fields: names.map((name) => ({ type: 'number' as const, name })),
      records: [{ fields: {} }],
    })
    const recordId = records[0]?.id ?? ''
    for (let round = 1; round <= 3; round++) {
      await together((by, writer) =>
        by.records.updateRecord({
          tableId,
          recordId,
          record: { fields: { [names[writer] ?? '']: round } },
        }),
      )
    }
    const record = await api.records.getRecord({ tableId, recordId })
    expect(record.fields).toEqual(Object.fromEntries(names.map((name) => [name, 3])))
    expect(record.version).toBe(1 + 3 * writers)
  })

  test('[POSTGRES-31] are told where a unique value stands that one of them was first to write', async () => {
    const { id: tableId } = await api.tables.createTable({
      baseId,
      fields: [{ type: 'singleLineText', name: 'Code', unique: true }],
      records: [],
    })
    for (let round = 1; round <= 3; round++) {
      const records = [{ fields: {} }, { fields: { Code: `Code ${round}` } }]
      const issues: unknown[] = []
      await together((by) =>
        by.records.createRecords({ tableId, records }).catch((error: DomainError) => {
          issues.push(error.data?.issues)
        }),
      )
      expect(issues).toHaveLength(writers - 1)
      for (const one of issues) {
        expect(one).toEqual([
          {
            path: ['records', 1, 'fields', 'Code'],
            message: 'must be unique: another record has this value',
          },
        ])
      }
    }
  })

  test('give every record a number of its own', async () => {
    const { id: tableId } = await api.tables.createTable({
      baseId,
      fields: [
        { type: 'singleLineText', name: 'Name' },
        { type: 'autoNumber', name: 'Number' },
      ],
      records: [],
    })
    await together((by, writer) =>
      by.records.createRecords({
        tableId,
        records: ['a', 'b', 'c'].map((name) => ({ fields: { Name: `${name} ${writer}` } })),
      }),
    )
    const { records } = await api.records.listRecords({ tableId })
    const numbers = records.map(({ fields }) => fields.Number as number)
    expect(new Set(numbers).size).toBe(3 * writers)
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  })

  test('add every choice that their cells name, each once', async () => {
    const { id: tableId } = await api.tables.createTable({
      baseId,
      fields: [{ type: 'singleLineText' }, { type: 'singleSelect', name: 'Status' }],
      records: [],
    })
    await together((by, writer) =>
      by.records.createRecords({
        tableId,
        typecast: true,
        records: [{ fields: { Status: `choice ${writer >> 1}` } }],
      }),
    )
    const fields = await api.fields.listFields({ tableId })
    const options = fields.at(-1)?.options as { choices: { name: string }[] } | undefined
    const expected = Array.from({ length: writers / 2 }, (_, half) => `choice ${half}`)
    expect(options?.choices.map(({ name }) => name).toSorted()).toEqual(expected.toSorted())
  })

  test('make tables and fields whose names differ', async () => {
    const tables = await together((by) => by.tables.createTable({ baseId, name: 'Plans' }))
    expect(new Set(tables.map(({ name }) => name)).size).toBe(writers)
    const [{ id: tableId } = { id: '' }] = tables
    const fields = await together((by) =>
      by.fields.createField({ tableId, type: 'number', name: 'Effort' }),
    )
    expect(new Set(fields.map(({ name }) => name)).size).toBe(writers)
    expect(new Set(fields.map(({ dbFieldName }) => dbFieldName)).size).toBe(writers)
  })

  test('keep the tree a tree, whoever moves what', async () => {
    const made = await together((by, writer) =>
      by.tree.createNode({ baseId, resourceType: 'folder', name: `Folder ${writer}` }),
    )
    const ids = made.map(({ id }) => id)
    const outcomes = await Promise.allSettled(
      ids.flatMap((nodeId, index) => {
        const other = ids[(index + 1) % ids.length] ?? ''
        const by = apis[index % 2] as Api
        return [
          by.tree.moveNode({ baseId, nodeId, parentId: other }),
          by.tree.moveNode({ baseId, nodeId, anchorId: other, position: 'after' }),
        ]
      }),
    )
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue
      expect(outcome.reason).toMatchObject({ code: 'validation_error' })
    }
    const nodes = await api.tree.listNodes({ baseId })
    expect(nodes.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    const parents = new Map(nodes.map(({ id, parentId }) => [id, parentId]))
    for (const id of ids) {
      let steps = 0
      for (let at: string | null = id; at !== null; at = parents.get(at) ?? null) steps++
      expect(steps).toBeLessThanOrEqual(ids.length)
    }
    const places = nodes.map(({ parentId, order }) => `${parentId} ${order}`)
    expect(new Set(places).size).toBe(places.length)
  })
})
