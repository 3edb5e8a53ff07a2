import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, expect, test } from 'vitest'

/*
 * Nothing here looks at a clock: a walk that takes each way through sixty sums of the two before would
 * still be under way when the sun is cold, so that a test which ends has shown that there is none.
 */

const levels = 60
/** What the formulas make of 1: each the sum of the two before. */
const sums = Array.from({ length: levels }, () => 1)
for (let n = 2; n < levels; n++) sums[n] = (sums[n - 1] ?? 0) + (sums[n - 2] ?? 0)

/** So long that a test fails only where it would never end. */
const patienceMs = 120_000

describeOnEveryStorage('fields with very many ways between them', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  beforeAll(async () => {
    await world.finishJobs()
  })
  afterEach(async () => {
    await world.clear()
    await world.finishJobs()
  })

  const formula = (name: string, expression: string) => ({
    type: 'formula',
    name,
    options: { expression },
  })
  const whole = (name: string) => ({
    type: 'number',
    name,
    options: { formatting: { type: 'decimal', precision: 0 } },
  })
  const makeSums = () =>
    world.makeTable(
      'Sums',
      [
        whole('F0'),
        formula('F1', '{F0}'),
        ...Array.from({ length: levels - 2 }, (_, n) =>
          formula(`F${n + 2}`, `{F${n + 1}} + {F${n}}`),
        ),
      ],
      [{ F0: 1 }, { F0: 2 }],
    )
  /** A table of its own in which each level adds to the one before what a linked record has there. */
  const makeTwists = async () => {
    const table = await world.makeTable(
      'Twists',
      [{ type: 'singleLineText', name: 'Name' }, whole('F0')],
      [{ Name: 'a', F0: 1 }],
    )
    const options = { relationship: 'manyOne', foreignTableId: table.id, isOneWay: true }
    const link = await world.addField(table, { type: 'link', name: 'Twin', options })
    await world.change(table, table.recordIds[0], { Twin: table.recordIds[0] })
    let { id: lookupFieldId } = await world.fieldOf(table, 'F0')
    for (let n = 1; n < levels; n++) {
      const lookupOptions = { linkFieldId: link.id, foreignTableId: table.id, lookupFieldId }
      const read =
        n % 2 === 0
          ? { type: 'formula', isLookup: true, lookupOptions }
          : { type: 'rollup', options: { expression: 'sum({values})' }, lookupOptions }
      await world.addField(table, { ...read, name: `L${n}` })
      const added = await world.addField(table, formula(`F${n}`, `{L${n}} + {F${n - 1}}`))
      lookupFieldId = added.id
    }
    return table
  }
  const makeChain = (length: number) =>
    world.makeTable(
      'Chain',
      [
        whole('F0'),
        ...Array.from({ length: length - 1 }, (_, n) => formula(`F${n + 1}`, `{F${n}}`)),
      ],
      [{ F0: 1 }],
    )
  const pending = <T>(work: () => Promise<T>) => withLimits({ recordsCalculated: 0 }, work)
  const duplicate = async ({ id }: TestTable) => {
    const { baseId } = world
    const node = { baseId, nodeId: id, includeRecords: true }
    return { id: (await world.api.tree.duplicateNode(node)).resourceId }
  }
  const planConversion = async (table: TestTable, name: string) => {
    const { id: fieldId } = await world.fieldOf(table, name)
    const wanted = { type: 'singleLineText' } as const
    return world.api.fields.planConversion({ tableId: table.id, fieldId, ...wanted })
  }
  const remove = async (table: TestTable, name: string) => {
    const { id: fieldId } = await world.fieldOf(table, name)
    await world.api.fields.deleteField({ tableId: table.id, fieldId })
  }

  const last = `F${levels - 1}`

  test(
    '[CALC-33] sums of the two before are made, changed and duplicated',
    async () => {
      const table = await makeSums()
      expect(await world.cellsOf(table, last)).toEqual([sums.at(-1), 2 * (sums.at(-1) ?? 0)])
      await world.change(table, table.recordIds[1], { F0: 3 })
      expect(await world.cellsOf(table, last)).toEqual([sums.at(-1), 3 * (sums.at(-1) ?? 0)])
      const copy = await duplicate(table)
      expect(await world.cellsOf(copy, last)).toEqual([sums.at(-1), 3 * (sums.at(-1) ?? 0)])
      const { id: fieldId } = await world.fieldOf(table, last)
      const { name } = await world.api.fields.duplicateField({ tableId: table.id, fieldId })
      expect(await world.cellsOf(table, name)).toEqual(await world.cellsOf(table, last))
    },
    patienceMs,
  )

  test(
    '[CALC-33] sums of the two before are worked out in the background',
    async () => {
      const table = await makeSums()
      await pending(async () => {
        await world.change(table, table.recordIds[1], { F0: 3 })
        await world.convert(table, 'F0', { type: 'singleLineText' })
        await world.finishJobs()
        // Not in a list: the last of these texts are so long that a page ends after a record.
        expect(await world.recordOf(table, table.recordIds[1])).toMatchObject({ F4: '33333' })
        await world.convert(table, 'F0', { type: 'number' })
        await world.finishJobs()
      })
      expect(await world.cellsOf(table, last)).toEqual([sums.at(-1), 3 * (sums.at(-1) ?? 0)])
    },
    patienceMs,
  )

  test(
    '[CALC-33] what sums of the two before read is planned, converted and deleted',
    async () => {
      const table = await makeSums()
      expect(await planConversion(table, 'F0')).toMatchObject({ linkFieldCount: 0 })
      await remove(table, 'F1')
      expect(await world.cellsOf(table, 'F2')).toEqual([null, null])
      expect(await world.fieldOf(table, 'F2')).toMatchObject({ hasError: true })
    },
    patienceMs,
  )

  test(
    '[CALC-33] levels that read through links as well are made, changed, converted and duplicated',
    async () => {
      const table = await makeTwists()
      expect(await world.cellsOf(table, last)).toEqual([2 ** (levels - 1)])
      await world.change(table, table.recordIds[0], { F0: 2 })
      expect(await world.cellsOf(table, last)).toEqual([2 ** levels])
      await pending(async () => {
        await world.change(table, table.recordIds[0], { F0: 3 })
        await world.finishJobs()
      })
      expect(await world.cellsOf(table, last)).toEqual([3 * 2 ** (levels - 1)])
      const copy = await duplicate(table)
      expect(await world.cellsOf(copy, last)).toEqual([3 * 2 ** (levels - 1)])
      expect(await planConversion(table, 'F0')).toBeDefined()
      await world.convert(table, 'F0', { type: 'singleLineText' })
      expect(await world.cellsOf(table, 'F2')).toHaveLength(1)
      await remove(table, 'F0')
      expect(await world.fieldOf(table, 'F1')).toMatchObject({ hasError: true })
    },
    patienceMs,
  )

  test('[CALC-33] fields that take their type from the two before become others once each', async () => {
    const count = 20
    const either = (n: number) =>
      formula(`F${n}`, `IF({Is}, {F${n - 1}}, {${n > 1 ? `F${n - 2}` : 'F0'}})`)
    const table = await world.makeTable(
      'Either',
      [
        { type: 'singleLineText', name: 'Name' },
        { type: 'checkbox', name: 'Is' },
        ...Array.from({ length: count }, (_, n) => either(count - n)),
        { type: 'number', name: 'F0' },
      ],
      [],
    )
    const events = await world.heard(async () => {
      await world.convert(table, 'F0', { type: 'date' })
    })
    const updates = events.filter((event) => 'name' in event && event.name === 'field.updated')
    expect(updates).toHaveLength(count + 1)
    const last = await world.fieldOf(table, `F${count}`)
    expect(last).toMatchObject({ cellValueType: 'dateTime' })
  })

  test(
    '[CALC-33] a chain of 499 fields is made, changed, converted and duplicated',
    async () => {
      const table = await makeChain(499)
      expect(await world.cellsOf(table, 'F498')).toEqual([1])
      await world.change(table, table.recordIds[0], { F0: 2 })
      expect(await world.cellsOf(table, 'F498')).toEqual([2])
      await pending(async () => {
        await world.change(table, table.recordIds[0], { F0: 3 })
        await world.finishJobs()
      })
      const copy = await duplicate(table)
      expect(await world.cellsOf(copy, 'F498')).toEqual([3])
      expect(await planConversion(table, 'F0')).toBeDefined()
      await world.convert(table, 'F0', { type: 'singleLineText' })
      expect(await world.cellsOf(table, 'F498')).toEqual(['3'])
      await remove(table, 'F1')
      expect(await world.cellsOf(table, 'F498')).toEqual([null])
    },
    patienceMs,
  )
})
