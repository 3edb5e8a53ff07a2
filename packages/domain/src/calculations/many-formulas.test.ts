import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { assert } from '../errors.ts'
import { formulaFunctions } from '../formulas/functions/formula-functions.ts'
import { limits } from '../limits.ts'

/** The texts that formulas begin with which were compiled, in their order. */
const compiled: unknown[] = []

const len = formulaFunctions.get('LEN')
assert(len, 'there is LEN')
const { compile } = len
vi.spyOn(len, 'compile').mockImplementation((args) => {
  compiled.push(args[0]?.literal)
  return compile(args)
})

/** So many that each was forgotten by the time that it is asked for again. */
const count = Math.ceil(limits.compiledFormulaBytes / (200 * 8_000)) + 4
const padding = 'x'.repeat(8_000)

describeOnEveryStorage('more formulas than are kept compiled', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  beforeAll(async () => {
    await world.finishJobs()
  })
  beforeEach(() => {
    compiled.length = 0
  })
  afterEach(async () => {
    await world.clear()
    await world.finishJobs()
  })

  const names = Array.from({ length: count }, (_, n) => `F${n + 1}`)
  const makeTable = async (title: string) => {
    const formulas = names.map((name, n) => ({
      type: 'formula',
      name,
      options: {
        expression: `LEN("${title}${n}${padding}") * 0 + {${n === 0 ? 'Count' : `F${n}`}} + 1`,
      },
    }))
    const fields = [
      { type: 'singleLineText', name: 'Name' },
      { type: 'number', name: 'Count' },
      ...formulas,
    ]
    const table = await world.makeTable(title, fields, rows)
    await world.finishJobs()
    compiled.length = 0
    return table
  }
  const rows = Array.from({ length: 5 }, (_, n) => ({ Count: n }))
  const last = `F${count}`
  const changeAll = (table: TestTable, by: number) => {
    const records = table.recordIds.map((id, n) => ({ id, fields: { Count: n + by } }))
    return world.api.records.updateRecords({ tableId: table.id, records } as never)
  }
  const expected = (by: number) => rows.map((_, n) => n + by + count)
  /** How often each formula was compiled, at most. */
  const most = () =>
    Math.max(
      0,
      ...Map.groupBy(compiled, (text) => text)
        .values()
        .map((all) => all.length),
    )

  test('[CALC-40] are compiled once for all records of a write, and of the background', async () => {
    const table = await makeTable('Written')
    await changeAll(table, 100)
    expect(compiled.length).toBeGreaterThan(0)
    expect(most()).toBe(1)
    await world.finishJobs()
    expect(await world.cellsOf(table, last)).toEqual(expected(100))
    compiled.length = 0
    await withLimits({ recordsCalculated: 0 }, () => changeAll(table, 200))
    await world.finishJobs()
    expect(compiled.length).toBeGreaterThan(0)
    expect(most()).toBe(1)
    expect(await world.cellsOf(table, last)).toEqual(expected(200))
  })

  test('[CALC-40] count as work: beyond what a write may take, they are pending', async () => {
    const table = await makeTable('Pending')
    await changeAll(table, 300)
    expect(await world.fieldOf(table, last)).toMatchObject({ isPending: true })
    await world.finishJobs()
    expect(await world.fieldOf(table, last)).not.toHaveProperty('isPending')
    expect(await world.cellsOf(table, last)).toEqual(expected(300))
  })

  test('[CALC-40] are worked out cell by cell where a transaction may take nothing', async () => {
    const table = await makeTable('Cells')
    const none = { stepsPerWrite: 0, stepsPerCalculation: 1 }
    await withLimits(none, async () => {
      await changeAll(table, 400)
      for (let round = 0; round < 4; round++) await world.finishJobs()
    })
    expect(await world.cellsOf(table, last)).toEqual(expected(400))
  })
})
