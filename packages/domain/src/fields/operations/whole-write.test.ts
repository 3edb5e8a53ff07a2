import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '../../limits.ts'

describeOnEveryStorage('the bytes of changes that are one write', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let things: TestTable

  beforeAll(async () => {
    await world.finishJobs()
  })
  beforeEach(async () => {
    const options = { choices: [{ id: 'cho1', name: 'open' }] }
    const fields = [
      { type: 'singleLineText', name: 'Name' },
      { type: 'longText', name: 'Note' },
      { type: 'singleLineText', name: 'Key' },
      { type: 'singleSelect', name: 'State', options, notNull: true },
    ]
    const rows = [1, 2, 3, 4, 5].map((n) => ({
      Name: `${n}`,
      Key: `${n}`,
      Note: `${n}`.repeat(1_000),
      State: 'open',
    }))
    things = await world.makeTable('Things', fields, rows)
  })
  afterEach(async () => {
    await world.clear()
    await world.finishJobs()
  })

  /** The records take a little more than 5,000 bytes. */
  const within = <T>(bytesPerWholeWrite: number, work: () => Promise<T>) =>
    withLimits({ bytesPerWholeWrite }, work)
  const refuses = (call: () => Promise<unknown>, ...path: readonly string[]) =>
    within(5_000, () => world.expectNoTrace(call, invalidAt(...path)))
  const convert = (name: string, definition: object) => world.convert(things, name, definition)

  test('[FIELD-226] are as many as the rule says', () => {
    expect(limits.bytesPerWholeWrite).toBe(256 * 1024 * 1024)
  })

  test('[FIELD-226] are those of records that become unique, required or links', async () => {
    const options = { relationship: 'manyOne', foreignTableId: things.id, isOneWay: true }
    const unique = () => convert('Key', { type: 'longText', unique: true })
    await refuses(unique, 'unique')
    await refuses(() => convert('Key', { type: 'longText', notNull: true }), 'notNull')
    const link = () => convert('Key', { type: 'link', options })
    await refuses(link, 'type')
    await expect(within(5_000, link)).rejects.toThrow(/5000 bytes/)
    await convert('Key', { type: 'longText' })
    expect(await within(5_000, unique)).toMatchObject({ unique: true })
    expect(await within(6_000, link)).toMatchObject({ type: 'link' })
  })

  test('[FIELD-226] are those of deleted records, too', async () => {
    await world.remove(things, things.recordIds[0])
    await refuses(() => convert('Key', { type: 'longText', unique: true }), 'unique')
  })

  test('[FIELD-226] are those of a default that fills the records, and of the records', async () => {
    const definition = { type: 'longText', name: 'New', notNull: true }
    const add = (length: number) => () =>
      world.addField(things, { ...definition, options: { defaultValue: 'x'.repeat(length) } })
    await refuses(add(1), 'notNull')
    const plan = () =>
      world.api.fields.planCreation({
        tableId: things.id,
        ...definition,
        options: { defaultValue: 'x' },
      } as never)
    await refuses(plan, 'notNull')
    await expect(within(6_000, add(300))).rejects.toMatchObject(invalidAt('notNull'))
    await within(6_000, add(100))
    expect(await world.cellsOf(things, 'New')).toEqual(new Array(5).fill('x'.repeat(100)))
  })

  test('[FIELD-226] are those of records whose required choices get other names', async () => {
    const choices = [{ id: 'cho1', name: 'done' }]
    const rename = (more: object = {}) =>
      convert('State', { type: 'singleSelect', options: { choices }, ...more })
    await refuses(rename, 'options', 'choices')
    await within(6_000, rename)
    expect(await world.cellsOf(things, 'State')).toEqual(new Array(5).fill('done'))
  })

  test('[FIELD-227] are those of values that become unique, alone', async () => {
    const unique = (name: string, type: string) => () => convert(name, { type, unique: true })
    const refusal = invalidAt('unique')
    await within(4_900, () => world.expectNoTrace(unique('Note', 'longText'), refusal))
    await within(4_900, unique('Name', 'singleLineText'))
    await world.remove(things, things.recordIds[0])
    expect(await within(4_900, unique('Note', 'longText'))).toMatchObject({ unique: true })
  })

  test('[TABLE-26] are those of a table that is copied with its living records', async () => {
    const { baseId, api } = world
    const copy = () =>
      api.tree.duplicateNode({ baseId, nodeId: things.id, includeRecords: true } as never)
    await refuses(copy, 'includeRecords')
    await world.remove(things, things.recordIds[0])
    expect(await within(5_000, copy)).toMatchObject({ resourceMeta: { name: 'Things 2' } })
  })

  test('[FIELD-229] [TABLE-27] go with so many links at most as are copied in one write', async () => {
    expect(limits.stepsPerWholeWrite / 1_000).toBe(1_000_000)
    const { baseId, api } = world
    const options = { relationship: 'manyMany', foreignTableId: things.id, isOneWay: true }
    const { id: fieldId } = await world.addField(things, { type: 'link', name: 'Links', options })
    const Links = things.recordIds.map((id) => ({ id }))
    for (const id of things.recordIds.slice(0, 2)) await world.change(things, id, { Links })
    const tenLinks = <T>(more: number, work: () => Promise<T>) =>
      withLimits({ stepsPerWholeWrite: 10_000 + more }, work)
    const duplicate = () => api.fields.duplicateField({ tableId: things.id, fieldId })
    await tenLinks(-1, () => world.expectNoTrace(duplicate, invalidAt()))
    expect(await tenLinks(0, duplicate)).toMatchObject({ name: 'Links 2' })
    await api.fields.deleteField({ tableId: things.id, fieldId })
    const copy = () =>
      api.tree.duplicateNode({ baseId, nodeId: things.id, includeRecords: true } as never)
    await tenLinks(-1, () => world.expectNoTrace(copy, invalidAt('includeRecords')))
    const { resourceId } = await withLimits({ stepsPerWholeWrite: 100_000 }, copy)
    const texts = await world.textsOf(things, 'Links 2')
    expect(texts[1]).toBe('1, 2, 3, 4, 5')
    expect(await world.textsOf({ id: resourceId ?? '' }, 'Links 2')).toEqual(texts)
  })
})
