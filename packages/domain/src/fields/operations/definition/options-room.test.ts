import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { type BaseWorld, openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '../../../limits.ts'

const refusal = {
  code: 'validation_error',
  message: expect.stringContaining('characters at most'),
}

describeOnEveryStorage('the room that options of fields have', (storage) => {
  const world = worldOfBlock(() => openBaseWorld(storage))
  let api: BaseWorld['api']
  let baseId: string
  let tableId: string

  beforeAll(async () => {
    api = world.api
    baseId = world.baseId
  })
  beforeEach(async () => {
    const fields = [{ type: 'singleLineText' as const, name: 'Name' }]
    tableId = (await api.tables.createTable({ baseId, fields, records: [] })).id
  })

  const create = (definition: object) => api.fields.createField({ tableId, ...definition } as never)
  const long = (length: number) => ({
    type: 'longText',
    options: { defaultValue: 'd'.repeat(length) },
  })
  const record = (fields: object, typecast = false) =>
    api.records.createRecords({ tableId, records: [{ fields }] as never, typecast })

  test('[FIELD-199] refuses fields, and tables, beyond the limit', async () => {
    expect(limits.tableOptionsLength).toBe(1_000_000)
    const fields = Array.from({ length: 16 }, (_, n) => ({ ...long(65_000), name: `D${n}` }))
    await world.expectNoTrace(
      () => api.tables.createTable({ baseId, fields, records: [] } as never),
      {
        ...refusal,
        message: expect.stringContaining('1000000'),
        data: { issues: [expect.objectContaining({ path: ['fields', 15, 'options'] })] },
      },
    )
    await api.tables.createTable({ baseId, fields: fields.slice(1), records: [] } as never)
  })

  test('[FIELD-199] refuses every way in which a field grows', async () => {
    const { id: fieldId } = await create(long(500))
    const { id: other } = await create({ type: 'number', name: 'Other' })
    await withLimits({ tableOptionsLength: 1_100 }, async () => {
      await world.expectNoTrace(() => create(long(500)), refusal)
      await world.expectNoTrace(() => api.fields.duplicateField({ tableId, fieldId }), refusal)
      await world.expectNoTrace(
        () => api.fields.convertField({ tableId, fieldId: other, ...long(500) } as never),
        refusal,
      )
      await world.expectNoTrace(
        () => api.fields.updateField({ tableId, fieldId, description: 'd'.repeat(600) }),
        refusal,
      )
      await api.fields.updateField({ tableId, fieldId: other, description: 'short' })
    })
    await withLimits({ tableOptionsLength: 100 }, async () => {
      expect(await api.fields.listFields({ tableId })).toHaveLength(3)
      await api.fields.updateField({ tableId, fieldId, name: 'Renamed' })
      await api.fields.convertField({ tableId, fieldId, ...long(400) } as never)
      const { nodes } = await api.tree.getTree({ baseId })
      const nodeId = nodes.find(({ resourceId }) => resourceId === tableId)?.id ?? ''
      await api.tree.duplicateNode({ baseId, nodeId })
      await api.fields.deleteField({ tableId, fieldId })
    })
  })

  test('[FIELD-199] refuses choices that values name where they find no room', async () => {
    await create({ type: 'singleSelect', name: 'One' })
    await create({ type: 'singleSelect', name: 'Two' })
    await withLimits({ tableOptionsLength: 330 }, async () => {
      const [one, two] = ['o'.repeat(99), 't'.repeat(99)]
      await world.expectNoTrace(() => record({ One: one, Two: two }, true), refusal)
      await record({ One: one }, true)
      await record({ One: one }, true)
      await world.expectNoTrace(() => record({ Two: two }, true), refusal)
    })
  })

  test('[FIELD-199] leaves out choices of a conversion that find no room', async () => {
    const names = ['a', 'b', 'c', 'a'].map((letter) => letter.repeat(99))
    for (const name of names) await record({ Name: name })
    const [field] = await api.fields.listFields({ tableId })
    const fieldId = field?.id ?? ''
    await withLimits({ tableOptionsLength: 430 }, async () => {
      await api.fields.convertField({ tableId, fieldId, type: 'singleSelect' } as never)
    })
    const { records } = await api.records.listRecords({ tableId })
    expect(records.map(({ fields }) => fields.Name ?? null)).toEqual([
      names[0],
      names[1],
      null,
      names[0],
    ])
  })

  test('[FIELD-199] gives a lookup an error that would grow beyond with what it reads', async () => {
    const source = await api.tables.createTable({
      baseId,
      fields: [{ type: 'singleSelect', name: 'Kind' }],
      records: [],
    } as never)
    const kind = source.fields[0]?.id ?? ''
    const options = { relationship: 'manyMany', foreignTableId: source.id, isOneWay: true }
    const { id: linkFieldId } = await create({ type: 'link', name: 'Link', options })
    for (const name of ['L1', 'L2', 'L3']) {
      const lookupOptions = { foreignTableId: source.id, linkFieldId, lookupFieldId: kind }
      await create({ type: 'singleSelect', name, isLookup: true, lookupOptions })
    }
    const before = await api.fields.listFields({ tableId })
    const convert = (length: number) =>
      api.fields.convertField({
        tableId: source.id,
        fieldId: kind,
        type: 'singleSelect',
        options: { choices: Array.from({ length }, (_, n) => ({ name: `${n}`.padEnd(99, 'x') })) },
      } as never)
    const errors = async () =>
      (await api.fields.listFields({ tableId })).filter(({ hasError }) => hasError).length
    const room = JSON.stringify(before).length + 2_500
    await withLimits({ tableOptionsLength: room }, async () => {
      await convert(15)
      expect(await errors()).toBe(2)
    })
    await convert(14)
    expect(await errors()).toBe(0)
  })
})
