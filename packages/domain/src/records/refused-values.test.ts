import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { type BaseWorld, openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('what is said of values that are refused', (storage) => {
  const world = worldOfBlock(() => openBaseWorld(storage))
  let api: BaseWorld['api']
  let tableId: string

  beforeAll(async () => {
    api = world.api
  })
  beforeEach(async () => {
    tableId = (await api.tables.createTable({ baseId: world.baseId, records: [] })).id
  })

  const create = (rows: readonly object[]) => {
    const records = rows.map((fields) => ({ fields })) as never
    return api.records.createRecords({ tableId, records })
  }
  const update = (recordId: string, fields: object) =>
    api.records.updateRecord({ tableId, recordId, record: { fields } } as never)

  test('[RECORD-2] says where the key stands that names no field', async () => {
    const { records: made } = await create([{ Name: 'a' }])
    const id = made[0]?.id ?? ''
    const message = 'There is no field with the name "Titel" that you can see'
    const at = (...path: (string | number)[]) => ({
      message,
      data: { issues: [{ path, message }] },
    })
    await expect(create([{ Name: 'b' }, { Titel: 'c' }])).rejects.toMatchObject(
      at('records', 1, 'fields', 'Titel'),
    )
    await expect(update(id, { Titel: 'c' })).rejects.toMatchObject(at('record', 'fields', 'Titel'))
    await expect(create([{ ['x'.repeat(1_000)]: 1 }])).rejects.toMatchObject({
      data: { issues: [{ path: ['records', 0, 'fields', 'x'.repeat(80)] }] },
    })
  })

  test('[RECORD-2] says what to send where a key names a field in other terms', async () => {
    const { id = '', dbFieldName = '' } = (await api.fields.listFields({ tableId }))[1] ?? {}
    const told = (key: string, type: string, sent: string) => ({
      code: 'not_found',
      message: `There is no field with the ${sent} "${key}" that you can see: a field has that as its ${type}, and the request names fields by their ${sent}: send "fieldKeyType": "${type}"`,
    })
    await expect(create([{ [id]: 1 }])).rejects.toMatchObject(told(id, 'id', 'name'))
    const byId = { tableId, fieldKeyType: 'id' as const, records: [{ fields: { Count: 1 } }] }
    await expect(api.records.createRecords(byId)).rejects.toMatchObject(told('Count', 'name', 'id'))
    await api.fields.updateField({ tableId, fieldId: id, name: 'How many' })
    await expect(create([{ [dbFieldName]: 1 }])).rejects.toMatchObject(
      told(dbFieldName, 'dbFieldName', 'name'),
    )
  })

  test('[RECORD-3] says what is missing of a record, and what a text can be', async () => {
    const told = (message: string, ...path: (string | number)[]) => ({
      data: { issues: [{ path: ['records', 0, 'fields', ...path], message }] },
    })
    const records = [{ Name: 'a' }] as never
    await expect(api.records.createRecords({ tableId, records })).rejects.toMatchObject(
      told('is required'),
    )
    await expect(create([{ Name: 7 }])).rejects.toMatchObject(told('must be text or null', 'Name'))
    await expect(create([{ Name: 'a\0' }])).rejects.toMatchObject(
      told('must be well-formed Unicode without the character U+0000', 'Name'),
    )
  })
})
