import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '../../../limits.ts'

describeOnEveryStorage('the steps that a conversion may take', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let things: TestTable

  beforeAll(async () => {
    await world.finishJobs()
  })
  beforeEach(async () => {
    const fields = [
      { type: 'singleLineText', name: 'Name' },
      { type: 'longText', name: 'Value' },
    ]
    const rows = ['1', 'two', '3', '4', '5'].map((Value, n) => ({ Name: `thing ${n}`, Value }))
    things = await world.makeTable('Things', fields, rows)
  })
  afterEach(async () => {
    await world.clear()
    await world.finishJobs()
  })

  /** Work goes on by two records at a time; a write may take so many steps. */
  const withSteps = <T>(stepsPerWrite: number, work: () => Promise<T>, stepsPerWholeWrite = 1e9) =>
    withLimits({ stepsPerWrite, stepsPerWholeWrite, ...recordsPerSlice(2) }, work)
  const convert = (definition: object) => world.convert(things, 'Value', definition)
  const values = (name = 'Value') => world.cellsOf(things, name)
  const pendingIn = () =>
    world.engine.store.read(async (tx) => ({
      fields: await tx.calculations.listOf([things.id]),
      conversions: (await tx.calculations.conversionsOf(things.id)).length,
    }))

  test('[FIELD-193] [FIELD-198] are those that the rules say', () => {
    expect(limits.stepsPerWrite).toBe(40_000_000)
    expect(limits.stepsPerWholeWrite).toBe(1_000_000_000)
  })

  test('[FIELD-193] end: the rest is pending, and converted afterwards', async () => {
    const events = await world.heard(() =>
      withSteps(1, async () => {
        const field = await convert({ type: 'number' })
        expect(field).toMatchObject({ type: 'number', isPending: true })
        expect(await values()).toEqual([1, null, null, null, null])
        expect(await pendingIn()).toMatchObject({
          fields: [{ after: 2, until: 5 }],
          conversions: 1,
        })
        await world.runJob()
        expect(await values()).toEqual([1, null, 3, 4, null])
        await world.finishJobs()
      }),
    )
    expect(await values()).toEqual([1, null, 3, 4, 5])
    expect(await world.fieldOf(things, 'Value')).not.toHaveProperty('isPending')
    expect(await pendingIn()).toEqual({ fields: [], conversions: 0 })
    const names = (events as { name: string }[]).map(({ name }) => name)
    expect(names.filter((name) => name.startsWith('calculation'))).toEqual([
      'calculation.scheduled',
      'calculation.finished',
    ])
    const retired = await world.engine.store.read((tx) => tx.fields.retiredColumns(things.id))
    expect(retired).toEqual([])
  })

  test('[FIELD-193] count what is read and what is made', async () => {
    const [first] = things.recordIds
    const read = (length: number) => world.change(things, first, { Value: '7'.repeat(length) })
    await read(400)
    // Too long for a number: all of it is read, nothing is made of it.
    expect(await withSteps(400, () => convert({ type: 'number' }))).toMatchObject({
      isPending: true,
    })
    await world.finishJobs()
    await convert({ type: 'longText' })
    await read(400)
    const made = await withSteps(700, () => convert({ type: 'singleLineText' }))
    expect(made).toMatchObject({ isPending: true })
    await world.finishJobs()
    expect((await values())[0]).toBe('7'.repeat(400))
  })

  test('[FIELD-193] [FIELD-194] are not all: long records are converted by the background, deleted ones too', async () => {
    await world.change(things, things.recordIds[3], { Name: 'x'.repeat(1_000) })
    await world.remove(things, things.recordIds[3])
    const inBytes = (bytesCalculated: number, type: string) =>
      withLimits({ bytesCalculated, bytesPerCalculation: 500 }, () => convert({ type }))
    expect(await inBytes(1_000, 'number')).toMatchObject({ type: 'number', isPending: true })
    expect(await values()).toEqual(new Array(4).fill(null))
    await world.change(things, things.recordIds[0], { Value: 7 })
    await world.finishJobs()
    expect(await values()).toEqual([7, null, 3, 5])
    expect(await inBytes(1_500, 'singleLineText')).not.toHaveProperty('isPending')
    expect(await values()).toEqual(['7.00', null, '3.00', '5.00'])
  })

  test('[FIELD-193] are enough where they end with the last record', async () => {
    const field = await withLimits({ stepsPerWrite: 1 }, () => convert({ type: 'number' }))
    expect(field).not.toHaveProperty('isPending')
    expect(await values()).toEqual([1, null, 3, 4, 5])
  })

  test('[FIELD-194] [FIELD-195] [FIELD-196] let what is written, follows and is found be as ever', async () => {
    const formula = { type: 'formula', name: 'Twice', options: { expression: '{Value} & ""' } }
    await world.addField(things, formula)
    await withSteps(1, async () => {
      const made = await convert({ type: 'singleSelect' })
      expect((made.options.choices as object[]).length).toBe(2)
      expect(await world.fieldOf(things, 'Twice')).toMatchObject({ isPending: true })
      await world.change(things, things.recordIds[3], { Value: 'two' })
      await world.change(things, things.recordIds[0], { Value: null })
      await world.finishJobs()
    })
    expect(await values()).toEqual([null, 'two', '3', 'two', '5'])
    expect(await values('Twice')).toEqual([null, 'two', '3', 'two', '5'])
  })

  test('[FIELD-198] are many more where it is one write, and end in a refusal', async () => {
    const refusal = (path: string) => ({
      code: 'validation_error',
      data: { issues: [expect.objectContaining({ path: [path] })] },
    })
    const options = { relationship: 'manyOne', foreignTableId: things.id, isOneWay: true }
    const refuse = (definition: object, path: string) =>
      world.expectNoTrace(() => withSteps(1, () => convert(definition), 20), refusal(path))
    await refuse({ type: 'singleLineText', unique: true }, 'unique')
    await refuse({ type: 'singleLineText', notNull: true }, 'notNull')
    await refuse({ type: 'link', options }, 'type')
    const unique = await withSteps(1, () => convert({ type: 'singleLineText', unique: true }))
    expect(unique).not.toHaveProperty('isPending')
    expect(await values()).toEqual(['1', 'two', '3', '4', '5'])
  })

  test('[FIELD-198] [CALC-34] leave titles of a link pending, the links are there', async () => {
    const rows = things.recordIds.map((id, n) => ({ id, fields: { Value: `thing ${4 - n}` } }))
    await world.api.records.updateRecords({ tableId: things.id, records: rows as never })
    const options = { relationship: 'manyOne', foreignTableId: things.id, isOneWay: true }
    const ids = things.recordIds.toReversed()
    await withSteps(10, async () => {
      const field = await convert({ type: 'link', options })
      expect(field).toMatchObject({ type: 'link', isPending: true })
      const cells = (await values()) as { id: string; title?: string }[]
      expect(cells.map(({ id }) => id)).toEqual(ids)
      expect(cells.map(({ title }) => title).at(-1)).toBeUndefined()
      await world.finishJobs()
    })
    expect(await values()).toEqual(ids.map((id, n) => ({ id, title: `thing ${4 - n}` })))
    expect(await world.fieldOf(things, 'Value')).not.toHaveProperty('isPending')
  })

  test('[FIELD-198] count what all records take where it is one write', async () => {
    await world.change(things, things.recordIds[4], { Name: 'x'.repeat(1_000) })
    const unique = () => convert({ type: 'singleLineText', unique: true })
    await world.expectNoTrace(() => withSteps(1, unique, 900), {
      code: 'validation_error',
      data: { issues: [expect.objectContaining({ path: ['unique'] })] },
    })
    expect(await withSteps(1, unique, 3_000)).not.toHaveProperty('isPending')
  })

  test('[FIELD-148] are where the count of a plan ends', async () => {
    const { id: fieldId } = await world.fieldOf(things, 'Value')
    const input = { tableId: things.id, fieldId, type: 'number' } as const
    const plan = () => world.api.fields.planConversion(input)
    expect(await plan()).toMatchObject({ keptCellCount: 4, emptiedCellCount: 1 })
    const short = await withSteps(1, plan)
    expect(short).toMatchObject({ keptCellCount: 1, emptiedCellCount: 1 })
  })

  test('[FIELD-214] are those of other names of choices, and of the values of a copy, too', async () => {
    const field = await convert({ type: 'singleSelect' })
    const [first, ...others] = field.options.choices as { id: string; name: string }[]
    const choices = [{ ...first, name: 'first' }, ...others]
    const rename = () => convert({ type: 'singleSelect', options: { choices } })
    const input = { tableId: things.id, fieldId: field.id }
    const duplicate = () => world.api.fields.duplicateField(input)
    for (const [call, path] of [
      [rename, ['options', 'choices']],
      [duplicate, []],
    ] as const) {
      const issues = [{ path, message: expect.stringContaining('too many or too long records') }]
      const refusal = { code: 'validation_error', data: { issues } }
      await world.expectNoTrace(() => withSteps(1, call, 500), refusal)
      await withSteps(1, call, 600)
    }
    expect(await values()).toEqual(['first', 'two', '3', '4', '5'])
    await world.change(things, things.recordIds[4], { Name: 'x'.repeat(500) })
    await expect(withSteps(1, duplicate, 600)).rejects.toMatchObject({ code: 'validation_error' })
    await withSteps(1, duplicate, 1_200)
  })

  test('[FIELD-225] rename choices of long records in the background', async () => {
    const field = await convert({ type: 'multipleSelect' })
    await world.change(things, things.recordIds[1], { Value: ['two', '3'] })
    await world.change(things, things.recordIds[4], { Name: 'x'.repeat(1_000) })
    const [first, second, , ...others] = field.options.choices as { id: string; name: string }[]
    const choices = [{ ...first, name: 'two' }, { ...second, name: 'second' }, ...others]
    const rename = (more: object = {}) =>
      withLimits({ bytesCalculated: 1_000, bytesPerCalculation: 500 }, () =>
        convert({ type: 'multipleSelect', options: { choices }, ...more }),
      )
    const same = (field.options.choices as object[]).map((choice) => ({ ...choice, color: 'red' }))
    const colored = await withLimits({ bytesCalculated: 1_000 }, () =>
      convert({ type: 'multipleSelect', options: { choices: same } }),
    )
    expect(colored).not.toHaveProperty('isPending')
    expect(await rename()).toMatchObject({ isPending: true })
    await world.finishJobs()
    expect(await values()).toEqual([['two'], ['second'], null, ['4'], ['5']])
    const after = await world.fieldOf(things, 'Value')
    expect(after).not.toHaveProperty('isPending')
    expect((after.options.choices as { name: string }[]).map(({ name }) => name)).toEqual([
      'two',
      'second',
      '4',
      '5',
    ])
  })

  test('[FIELD-225] rename choices of long records at once where the field is required', async () => {
    const field = await convert({ type: 'singleSelect', notNull: true })
    await world.change(things, things.recordIds[4], { Name: 'x'.repeat(1_000) })
    const [first, ...others] = field.options.choices as { id: string; name: string }[]
    const options = { choices: [{ ...first, name: 'first' }, ...others] }
    const renamed = await withLimits({ bytesCalculated: 1_000 }, () =>
      convert({ type: 'singleSelect', notNull: true, options }),
    )
    expect(renamed).not.toHaveProperty('isPending')
    expect(await values()).toEqual(['first', 'two', '3', '4', '5'])
  })

  test('[FIELD-212] [FIELD-214] are those of a default that fills a required field, too', async () => {
    const definition = { type: 'singleLineText', name: 'State', notNull: true }
    const long = { ...definition, options: { defaultValue: 'x'.repeat(96) } }
    const tableId = things.id
    const refusal = {
      code: 'validation_error',
      data: { issues: [expect.objectContaining({ path: ['notNull'] })] },
    }
    await withSteps(
      1,
      async () => {
        await world.expectNoTrace(() => world.addField(things, long), refusal)
        const plan = () => world.api.fields.planCreation({ tableId, ...long } as never)
        await expect(plan()).rejects.toMatchObject(refusal)
        await world.addField(things, { ...definition, options: { defaultValue: 'x'.repeat(95) } })
      },
      500,
    )
    expect(new Set(await values('State'))).toEqual(new Set(['x'.repeat(95)]))
    const short = { ...definition, name: 'Other', options: { defaultValue: 'x' } }
    await world.expectNoTrace(() => withSteps(1, () => world.addField(things, short), 400), refusal)
    await withSteps(1, () => world.addField(things, short), 700)
  })
})
