import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('the conversion of many records', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let things: TestTable

  beforeAll(async () => {
    await world.finishJobs()
  })
  beforeEach(async () => {
    const fields = [
      { type: 'singleLineText', name: 'Name' },
      { type: 'singleLineText', name: 'Value' },
    ]
    const values = ['1', 'two', '3', '4', '5']
    const rows = values.map((Value, index) => ({ Name: `thing ${index}`, Value }))
    things = await world.makeTable('Things', fields, rows)
  })
  afterEach(async () => {
    await world.clear()
    await world.finishJobs()
  })

  const few = <T>(work: () => Promise<T>) =>
    withLimits({ recordsCalculated: 2, ...recordsPerSlice(2) }, work)
  const convert = (definition: object) => few(() => world.convert(things, 'Value', definition))
  const runJob = () => few(() => world.runJob())
  const finish = () => few(() => world.finishJobs())
  const values = (name = 'Value') => world.cellsOf(things, name)
  const idOf = async (name: string) => (await world.fieldOf(things, name)).id
  const conflict = { code: 'conflict', message: expect.stringContaining('being converted') }

  test('[FIELD-193] is answered at once and finished in the background, so many at a time', async () => {
    await world.remove(things, things.recordIds[3])
    const events = await world.heard(async () => {
      const field = await convert({ type: 'number' })
      expect(field).toMatchObject({ type: 'number', isPending: true })
      expect(await values()).toEqual([null, null, null, null])
      const seen: string[] = []
      const progress: unknown[] = []
      while (await runJob()) {
        seen.push(JSON.stringify(await values()))
        progress.push((await world.fieldOf(things, 'Value')).progress)
      }
      expect([...new Set(seen)]).toEqual(['[1,null,null,null]', '[1,null,3,null]', '[1,null,3,5]'])
      expect(progress).toEqual(expect.arrayContaining([0.4, 0.8, undefined]))
      expect(await world.fieldOf(things, 'Value')).not.toHaveProperty('isPending')
    })
    const names = (events as { name: string }[]).map(({ name }) => name)
    expect(names.filter((name) => name.startsWith('calculation'))).toEqual([
      'calculation.scheduled',
      'calculation.finished',
    ])
    const stored = await world.engine.store.read((tx) =>
      tx.canonical.records({ tableId: things.id, after: 0 }, 9),
    )
    expect(stored.rows.map(({ cells }) => (cells as Record<string, unknown>).Value)).toEqual([
      1,
      null,
      3,
      4,
      5,
    ])
    const left = await world.engine.store.read(async (tx) => [
      await tx.calculations.listOf([things.id]),
      await tx.calculations.conversionsOf(things.id),
      await tx.fields.retiredColumns(things.id),
    ])
    expect(left).toEqual([[], [], []])
  })

  test('[FIELD-194] keeps what is written meanwhile, nothing among it', async () => {
    const [first, second, third, fourth] = things.recordIds
    await convert({ type: 'number' })
    await runJob()
    await world.change(things, first, { Value: 10 })
    await world.change(things, second, { Value: 20 })
    await world.change(things, third, { Value: null })
    await world.change(things, fourth, { Value: 40 })
    await world.change(things, fourth, { Value: null })
    await world.add(things, { Name: 'new', Value: 60 }, { Name: 'newer' })
    await finish()
    expect(await values()).toEqual([10, 20, null, null, 5, 60, null])
  })

  test('[FIELD-194] keeps what is written over what every record shows', async () => {
    await world.addField(things, { type: 'autoNumber', name: 'Number' })
    await few(() => world.convert(things, 'Number', { type: 'number' }))
    await world.change(things, things.recordIds[0], { Number: null })
    await world.change(things, things.recordIds[1], { Number: 7 })
    await finish()
    expect(await values('Number')).toEqual([null, 7, 3, 4, 5])
  })

  test('[FIELD-193] [FIELD-194] leaves records that are deleted meanwhile where they are', async () => {
    const [first, , third, , fifth] = things.recordIds
    await convert({ type: 'number' })
    await runJob()
    await world.remove(things, first, third, fifth)
    expect(await values()).toEqual([null, null])
    await world.add(things, { Name: 'new', Value: 6 })
    await finish()
    expect(await values()).toEqual([null, 4, 6])
    expect(await world.fieldOf(things, 'Value')).not.toHaveProperty('isPending')
    const stored = await world.engine.store.read((tx) =>
      tx.canonical.records({ tableId: things.id, after: 0 }, 9),
    )
    const cells = stored.rows.map((row) => (row.cells as Record<string, unknown>).Value)
    expect(cells).toEqual([1, null, 3, 4, 5, 6])
  })

  test('[FIELD-195] lets what follows wait, in other tables too', async () => {
    const others = await world.makeNames('Others', 'a')
    const options = { relationship: 'manyMany', foreignTableId: things.id, isOneWay: true }
    const link = await world.addField(others, { type: 'link', name: 'Things', options })
    await world.change(others, others.recordIds[0], { Things: things.recordIds })
    const lookup = { foreignTableId: things.id, linkFieldId: link.id, lookupFieldId: '' }
    const lookupOptions = { ...lookup, lookupFieldId: await idOf('Value') }
    const shown = { type: 'singleLineText', isLookup: true, lookupOptions, name: 'Values' }
    await world.addField(others, shown)
    const formula = { type: 'formula', name: 'Twice', options: { expression: '{Value} & ""' } }
    await world.addField(things, formula)
    await convert({ type: 'number', options: { formatting: { type: 'decimal', precision: 0 } } })
    expect(await world.fieldOf(things, 'Twice')).toMatchObject({ isPending: true })
    expect(await world.fieldOf(others, 'Values')).toMatchObject({ isPending: true, type: 'number' })
    await world.addField(things, { ...formula, name: 'Later' })
    expect(await world.fieldOf(things, 'Later')).toMatchObject({ isPending: true })
    await finish()
    expect(await values('Twice')).toEqual(['1', '', '3', '4', '5'].map((text) => text || null))
    expect(await values('Later')).toEqual(await values('Twice'))
    expect(await world.cellsOf(others, 'Values')).toEqual([[1, 3, 4, 5]])
  })

  test('[FIELD-196] adds the choices that it finds, beside those that others add meanwhile', async () => {
    await convert({ type: 'singleSelect' })
    await runJob()
    await world.change(things, things.recordIds[4], { Value: 'mine' }, true)
    await finish()
    expect(await values()).toEqual(['1', 'two', '3', '4', 'mine'])
    const { options } = await world.fieldOf(things, 'Value')
    const names = (options.choices as { name: string }[]).map(({ name }) => name)
    expect(names).toEqual(['1', 'two', 'mine', '3', '4'])
  })

  test('[FIELD-199] leaves out choices that find no room among the options of the table', async () => {
    await convert({ type: 'singleSelect' })
    await withLimits({ tableOptionsLength: 250 }, finish)
    const { options } = await world.fieldOf(things, 'Value')
    const names = (options.choices as { name: string }[]).map(({ name }) => name)
    expect(names.length).toBeGreaterThan(0)
    expect(names.length).toBeLessThan(5)
    const sent = ['1', 'two', '3', '4', '5']
    expect(await values()).toEqual(sent.map((name) => (names.includes(name) ? name : null)))
  })

  test('[FIELD-197] [FIELD-147] is not disturbed by what would lose values', async () => {
    await convert({ type: 'number' })
    const [tableId, fieldId] = [things.id, await idOf('Value')]
    const { api, baseId } = world
    const refused = [
      () => world.convert(things, 'Value', { type: 'checkbox' }),
      () => api.fields.deleteField({ tableId, fieldId }),
      () => api.fields.planDeletion({ tableId, fieldId }),
      () => api.fields.planConversion({ tableId, fieldId, type: 'checkbox' }),
      () => api.fields.duplicateField({ tableId, fieldId }),
      () => api.tree.duplicateNode({ baseId, nodeId: tableId, includeRecords: true }),
    ]
    for (const refuse of refused) await expect(refuse()).rejects.toMatchObject(conflict)
    await api.fields.updateField({ tableId, fieldId, name: 'Renamed', dbFieldName: 'other' })
    await api.tree.duplicateNode({ baseId, nodeId: tableId, includeRecords: false })
    await finish()
    expect(await values('Renamed')).toEqual([1, null, 3, 4, 5])
    await api.fields.deleteField({ tableId, fieldId })
  })

  test('[FIELD-197] lets the field be renamed by who read it last, by nobody else', async () => {
    const [tableId, fieldId] = [things.id, await idOf('Value')]
    const { getField, updateField } = world.api.fields
    const { version: before } = await getField({ tableId, fieldId })
    await convert({ type: 'number' })
    const rename = (name: string, version: number) =>
      updateField({ tableId, fieldId, name }, { ifMatch: [version] })
    const refusal = { code: 'precondition_failed' }
    await world.expectNoTrace(() => rename('Stale', before), refusal)
    const { version: converted, isPending } = await getField({ tableId, fieldId })
    expect(isPending).toBe(true)
    await runJob()
    await rename('Renamed', converted)
    await world.expectNoTrace(() => rename('Stale', converted), refusal)
    const { version: renamed } = await getField({ tableId, fieldId })
    await finish()
    expect(await values('Renamed')).toEqual([1, null, 3, 4, 5])
    await rename('Done', renamed)
    expect(await values('Done')).toEqual([1, null, 3, 4, 5])
  })

  test('[FIELD-197] ends with its table', async () => {
    await convert({ type: 'number' })
    await world.change(things, things.recordIds[0], { Value: 2 })
    await world.api.tables.deleteTable({ baseId: world.baseId, tableId: things.id })
    await finish()
    const conversions = () =>
      world.engine.store.read((tx) => tx.calculations.conversionsOf(things.id))
    expect(await conversions()).toHaveLength(1)
    await world.engine.store.write(async (tx) => {
      const { tables } = await tx.canonical.structure(world.baseId)
      const dbTableName = tables.find(({ id }) => id === things.id)?.dbTableName as string
      const place = { id: things.id, baseId: world.baseId, dbTableName }
      await tx.tables.deletePermanently(place as never)
    })
    expect(await conversions()).toEqual([])
  })

  test('[FIELD-198] goes through all records at once where the whole column must be known', async () => {
    const unique = await convert({ type: 'number', unique: true })
    expect(unique).not.toHaveProperty('isPending')
    expect(await values()).toEqual([1, null, 3, 4, 5])
    const options = { relationship: 'manyOne', foreignTableId: things.id, isOneWay: true }
    await convert({ type: 'link', options })
    expect(await world.fieldOf(things, 'Value')).toMatchObject({ type: 'link' })
  })
})
