import { ProcessorTurns } from '@gateleg/sql/core/processor-turns'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'

/*
 * How often work asks whether others should have their turn, not how long it takes: a loop that never asks
 * holds everybody up as soon as there is enough for it to do.
 */
describeOnEveryStorage('work that may be long', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  beforeAll(async () => {
    await world.finishJobs()
  })
  afterEach(() => world.clear())

  const asked = vi.spyOn(ProcessorTurns.prototype, 'giveWay')

  /** How often it asks while the work is done. */
  const turnsOf = async (work: () => Promise<unknown>) => {
    const before = asked.mock.calls.length
    await work()
    return asked.mock.calls.length - before
  }
  const makeThings = (count: number) =>
    world.makeTable(
      'Things',
      [
        { type: 'singleLineText', name: 'Name' },
        { type: 'singleLineText', name: 'Value' },
      ],
      Array.from({ length: count }, (_, n) => ({ Name: `thing ${n}`, Value: `${n}` })),
    )
  /** The same work with so many records at a time as usual, and with few: how much oftener it asks then. */
  const oftenerByFew = async (work: (table: TestTable) => Promise<unknown>, count: number) => {
    const usual = await makeThings(count)
    const atOnce = await turnsOf(() => work(usual))
    const sliced = await makeThings(count)
    const few = () => withLimits({ ...recordsPerSlice(2) }, () => work(sliced))
    return (await turnsOf(few)) - atOnce
  }

  test('[STORE-45] asks between the steps of computing', async () => {
    const rows = 20
    const make = (length: number) =>
      turnsOf(async () => {
        const options = { expression: `LEN(REPT("a", ${length}))` }
        const table = await makeThings(rows)
        await world.addField(table, { type: 'formula', options })
      })
    // A text of so many characters takes a step for each at least; it asks every ten thousand steps.
    expect((await make(10_000)) - (await make(1))).toBeGreaterThanOrEqual(rows)
  })

  test('[STORE-45] asks while a new field is filled', async () => {
    const options = { defaultValue: 'x' }
    const fill = (table: TestTable) =>
      world.addField(table, { type: 'singleLineText', notNull: true, options })
    expect(await oftenerByFew(fill, 30)).toBeGreaterThanOrEqual(14)
  })

  test('[FIELD-198] asks while values are brought into another form', async () => {
    const convert = (table: TestTable) => world.convert(table, 'Value', { type: 'number' })
    expect(await oftenerByFew(convert, 30)).toBeGreaterThanOrEqual(14)
  })

  test('[FIELD-198] asks for each long value that is brought into another form', async () => {
    const convert = async (length: number) => {
      const rows = Array.from({ length: 10 }, () => ({ Value: 'x'.repeat(length) }))
      const fields = ['Name', 'Value'].map((name) => ({ type: 'longText', name }))
      const table = await world.makeTable('Things', fields, rows)
      return turnsOf(() => world.convert(table, 'Value', { type: 'multipleSelect' }))
    }
    // When it is converted, when the choices are looked for, and when what was made is measured.
    expect((await convert(50_000)) - (await convert(1))).toBeGreaterThanOrEqual(3 * 10)
  })

  test('[STORE-45] asks for each field that follows from one that changes', async () => {
    const convertWithReaders = async (readers: number) => {
      const table = await makeThings(1)
      const { id } = await world.fieldOf(table, 'Value')
      for (let n = 0; n < readers; n++) {
        const options = { expression: `{${id}} & "${n}"` }
        await world.addField(table, { type: 'formula', options })
      }
      return turnsOf(() => world.convert(table, 'Value', { type: 'number' }))
    }
    const few = await convertWithReaders(1)
    expect((await convertWithReaders(21)) - few).toBeGreaterThanOrEqual(20)
  })

  test('[STORE-45] asks for each record that is given links', async () => {
    const things = await makeThings(1)
    const options = { relationship: 'manyMany', foreignTableId: things.id, isOneWay: true }
    const others = await world.makeNames('Others')
    await world.addField(others, { type: 'link', name: 'Things', options })
    const count = 30
    const add = (row: object) =>
      turnsOf(() => world.add(others, ...Array.from({ length: count }, () => row)))
    const [id] = things.recordIds
    expect((await add({ Things: [{ id }] })) - (await add({}))).toBeGreaterThanOrEqual(count)
  })

  test('[SELECTION-20] asks for each row that is copied or pasted', async () => {
    const { id: tableId } = await makeThings(300)
    const { selections } = world.api
    const ranges: [number, number][] = [[0, 299]]
    const copy = () => selections.copyCells({ tableId, type: 'rows', ranges })
    expect(await turnsOf(copy)).toBeGreaterThanOrEqual(300)
    const { content } = await copy()
    const paste = (text: string) =>
      turnsOf(() => selections.pasteCells({ tableId, type: 'rows', ranges, content: text }))
    const [one, all] = [await paste('x'), await paste(content)]
    // Both write as many rows; the one has a row to read, the other all.
    expect(all - one).toBeGreaterThanOrEqual(299)
  })

  test('[STORE-45] asks while a long input is told from others', async () => {
    const { id: tableId } = await makeThings(0)
    const records = Array.from({ length: 640 }, () => ({ fields: {} }))
    const create = (options: object) =>
      turnsOf(() => world.api.records.createRecords({ tableId, records }, options))
    // Twice: what was asked for, and what was answered.
    const [plain, kept] = [await create({}), await create({ idempotencyKey: 'one' })]
    expect(kept - plain).toBeGreaterThanOrEqual(2 * (640 / 64))
  })
})
