import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, expect, test } from 'vitest'
import { limits } from '../limits.ts'

function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 'x'
  for (let level = 0; level < levels; level++) value = wrap(value)
  return value
}

const cycle: unknown[] = []
cycle.push(cycle)

const tooDeep = {
  lists: nested(20_000, (inner) => [inner]),
  objects: nested(20_000, (inner) => ({ a: inner })),
  'a list in itself': cycle,
}

describeOnEveryStorage('inputs that are nested too deep', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let tableId: string
  let recordId: string
  let viewId: string

  beforeAll(async () => {
    const table = await world.makeNames('Names', 'a')
    tableId = table.id
    recordId = table.recordIds[0] ?? ''
    viewId = (await world.api.views.listViews({ tableId }))[0]?.id ?? ''
  })

  const create = (Name: unknown, options: object = {}) =>
    world.api.records.createRecords(
      { tableId, typecast: true, records: [{ fields: { Name } }] } as never,
      options,
    )
  const update = (Name: unknown) =>
    world.api.records.updateRecord({
      ...{ tableId, recordId, typecast: true, record: { fields: { Name } } },
    } as never)
  const paste = (cell: unknown) =>
    world.api.selections.pasteCells({
      ...{ tableId, viewId, content: [[cell]] },
      ranges: [
        [0, 0],
        [0, 0],
      ],
    } as never)
  const createOnce = (Name: unknown) => create(Name, { idempotencyKey: 'once' })
  const addField = (options: unknown) =>
    world.api.fields.createField({ tableId, type: 'number', options } as never)
  const filter = (value: unknown) =>
    world.api.records.listRecords({ tableId, filter: value } as never)

  test.each(
    Object.entries({ create, createOnce, update, paste, addField, filter }).flatMap(
      ([name, call]) =>
        Object.entries(tooDeep).map(([kind, value]) => ({ name, kind, call, value })),
    ),
  )('[ENGINE-110] $name refuses $kind', async ({ call, value }) => {
    await expect(call(value)).rejects.toMatchObject({ code: 'validation_error' })
  })

  test('[ENGINE-110] takes what is nested as deep as is allowed, and says where more is', async () => {
    // The input, its list, the record, its fields.
    const lists = (levels: number) => nested(levels, (inner) => [inner])
    const { records } = await create(lists(limits.inputDepth - 4))
    expect(records[0]?.fields).toEqual({ Name: 'x' })
    await expect(create(lists(limits.inputDepth - 3))).rejects.toMatchObject({
      data: {
        issues: [{ path: ['records', 0], message: 'must be nested at most 80 levels deep' }],
      },
    })
  })
})
