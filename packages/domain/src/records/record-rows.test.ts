import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Action } from '../access/roles.ts'

describeOnEveryStorage('records and their rows', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let api: TableWorld['api']
  let table: TestTable
  let tableId: string
  let viewId: string

  beforeAll(async () => {
    api = world.api
  })
  beforeEach(async () => {
    await world.clear()
    table = await world.makeNames('Letters', 'a', 'b', 'c')
    tableId = table.id
    viewId = (await api.views.listViews({ tableId }))[0]?.id ?? ''
  })

  const names = async () => {
    const { records } = await api.records.listRecords({ tableId, viewId })
    return records.map(({ fields }) => fields.Name).join('')
  }
  const idAt = (index: number) => table.recordIds[index] ?? ''
  const at = (index: number, position: 'before' | 'after' = 'after') => ({
    ...{ viewId, anchorId: idAt(index), position },
  })
  const rows = (...of: string[]) => of.map((Name) => ({ fields: { Name } }))

  test('[RECORD-59] puts records that are created where the request says', async () => {
    const created = await api.records.createRecords({
      ...{ tableId, records: rows('y', 'x', 'z'), order: at(0) },
    })
    expect(created.records.map(({ fields }) => fields.Name)).toEqual(['y', 'x', 'z'])
    expect(await names()).toBe('ayxzbc')
    await api.records.createRecords({ tableId, records: rows('0'), order: at(0, 'before') })
    await api.records.createRecords({ tableId, records: rows('9'), order: at(2) })
    await world.add(table, { Name: '!' })
    expect(await names()).toBe('0ayxzbc9!')
  })

  test('[RECORD-59] puts records that are changed where the request says', async () => {
    const [a, b, c] = [idAt(0), idAt(1), idAt(2)]
    const record = { fields: { Name: 'A' } }
    await api.records.updateRecord({ tableId, recordId: a, record, order: at(2) })
    expect(await names()).toBe('bcA')
    // What changes no cell moves as well.
    const { version } = await api.records.updateRecord({
      ...{ tableId, recordId: a, record, order: at(1, 'before') },
    })
    expect([await names(), version]).toEqual(['Abc', 2])
    const both = [c, a].map((id) => ({ id, fields: { Name: id === a ? 'A' : 'C' } }))
    await api.records.updateRecords({ tableId, records: both, order: at(1, 'before') })
    expect(await names()).toBe('CAb')
    expect(await world.recordOf(table, b)).toMatchObject({ Name: 'b' })
  })

  test('[RECORD-59] refuses a place that there is not, and writes nothing', async () => {
    const creating =
      (order: Parameters<typeof api.records.createRecords>[0]['order'], calls = api.records) =>
      () =>
        calls.createRecords({ tableId, records: rows('x'), order })
    await world.expectNoTrace(creating({ ...at(0), viewId: 'viwNone' }), { code: 'view_not_found' })
    await world.expectNoTrace(creating({ ...at(0), anchorId: 'recNone' }), { code: 'not_found' })
    // Not even a number is used up.
    const { records } = await api.records.createRecords({ tableId, records: rows('d') })
    expect(records).toMatchObject([{ autoNumber: 4 }])
    const record = { fields: { Name: 'A' } }
    await world.expectNoTrace(
      () => api.records.updateRecord({ tableId, recordId: idAt(0), record, order: at(0) }),
      invalidAt('order', 'anchorId'),
    )
    await world.expectNoTrace(
      () => api.records.createRecords({ tableId, records: rows('x'), order: { viewId } as never }),
      { code: 'validation_error' },
    )
    const scopes = new Set<Action>(['table|read', 'record|create', 'record|read'])
    const withToken = world.engine.as({
      ...{ kind: 'token', userId: world.ada.userId, tokenId: 'accNone', scopes },
    })
    const restricted = { code: 'restricted_resource' }
    await world.expectNoTrace(creating(at(0), withToken.records), restricted)
    await creating(undefined, withToken.records)()
    await api.views.lockView({ tableId, viewId, isLocked: true })
    await world.expectNoTrace(creating(at(0)), restricted)
    await creating(undefined)()
  })

  test('[RECORD-60] copies what people entered, and works out the rest', async () => {
    const tags = await world.makeNames('Tags', 't1', 't2')
    const twice = '{Count} * 2'
    await world.addField(table, { type: 'formula', name: 'Twice', options: { expression: twice } })
    await world.addField(table, { type: 'lastModifiedBy', name: 'Changed by' })
    await world.addField(table, { type: 'number', name: 'Default', options: { defaultValue: 7 } })
    const linkTo = (relationship: string, name: string) =>
      world.addField(table, {
        ...{ type: 'link', name, options: { relationship, foreignTableId: tags.id } },
      })
    await linkTo('manyMany', 'Many')
    await linkTo('manyOne', 'One')
    await linkTo('oneMany', 'Only here')
    await linkTo('oneOne', 'One to one')
    const [t1, t2] = tags.recordIds
    await world.change(table, idAt(0), {
      ...{ Default: null, Many: [{ id: t2 }, { id: t1 }], One: { id: t1 } },
      ...{ 'Only here': [{ id: t1 }], 'One to one': { id: t2 } },
    })
    const { records } = await api.records.duplicateRecord({ tableId, recordId: idAt(0), ...at(0) })
    const linked = {
      Many: [
        { id: t2, title: 't2' },
        { id: t1, title: 't1' },
      ],
      One: { id: t1, title: 't1' },
    }
    const copied = { Name: 'a', Count: 1, Twice: 2, ...linked }
    expect(records.map(({ fields }) => fields)).toEqual([copied])
    expect(records[0]?.id).not.toBe(idAt(0))
    expect(await world.recordOf(table, records[0]?.id)).toEqual(copied)
    expect(await names()).toBe('aabc')
    const { Letters } = await world.recordOf(tags, t2)
    expect(Letters).toHaveLength(2)
    await api.records.duplicateRecord({ tableId, recordId: idAt(1) })
    expect(await names()).toBe('aabcb')
  })

  test('[RECORD-140] copies no presses, so that a button of the copy can be pressed', async () => {
    const options = { maxCount: 1 }
    const { id: fieldId } = await world.addField(table, { type: 'button', name: 'Send', options })
    const press = (recordId = '') => api.records.pressButton({ tableId, recordId, fieldId })
    await press(idAt(0))
    const { records } = await api.records.duplicateRecord({ tableId, recordId: idAt(0) })
    expect(records[0]?.fields).toEqual({ Name: 'a', Count: 1 })
    await press(records[0]?.id)
    expect(await world.recordOf(table, records[0]?.id)).toMatchObject({ Send: { count: 1 } })
  })

  test('[RECORD-60] refuses a copy that can’t be, and half a place', async () => {
    const copying =
      (more: object = {}) =>
      () =>
        api.records.duplicateRecord({ tableId, recordId: idAt(0), ...more })
    await world.expectNoTrace(copying({ viewId }), invalidAt('anchorId'))
    await world.expectNoTrace(copying({ viewId, anchorId: idAt(0) }), invalidAt('position'))
    await world.expectNoTrace(copying({ recordId: 'recNone' }), { code: 'not_found' })
    await world.expectNoTrace(copying({ ...at(0), anchorId: 'recNone' }), { code: 'not_found' })
    await world.addField(table, { type: 'number', name: 'Key', unique: true })
    await copying()()
    await world.change(table, idAt(0), { Key: 1 })
    await world.expectNoTrace(copying(), invalidAt('fields', 'Key'))
  })

  test('[RECORD-61] tells whether a list has a record', async () => {
    const status = (recordId: string, query: object = {}) =>
      api.records.getRecordStatus({ tableId, recordId, ...query })
    const shown = { isVisible: true, isDeleted: false }
    const hidden = { isVisible: false, isDeleted: false }
    expect(await status(idAt(0))).toEqual(shown)
    const filterSet = [{ fieldId: 'Name', operator: 'is', value: 'a' }]
    const filter = { conjunction: 'and', filterSet }
    expect(await status(idAt(0), { filter })).toEqual(shown)
    expect(await status(idAt(1), { filter })).toEqual(hidden)
    await api.views.moveRows({ tableId, recordIds: [idAt(2)], ...at(0, 'before') })
    expect(await status(idAt(2), { viewId, take: 1 })).toEqual(shown)
    expect(await status(idAt(2), { take: 2 })).toEqual(hidden)
    expect(await status(idAt(2), { skip: 2 })).toEqual(shown)
    expect(await status(idAt(2), { viewId, skip: 1 })).toEqual(hidden)
    await world.remove(table, idAt(1))
    expect(await status(idAt(1), { filter })).toEqual({ isVisible: false, isDeleted: true })
    await expect(status('recNone')).rejects.toMatchObject({ code: 'not_found' })
  })
})
