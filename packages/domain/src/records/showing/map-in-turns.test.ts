import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { expect, test } from 'vitest'
import { StepBudget } from '../../calculations/evaluation/step-budget.ts'
import { SchemaGraph } from '../../schemas/schema-graph.ts'
import type { ReadTx } from '../../store.ts'
import { Change } from '../writing/change.ts'
import type { RecordWrite } from '../writing/record-write.ts'
import { checkRows } from '../writing/stages/check-rows.ts'
import { readRows } from '../writing/stages/read-rows.ts'
import { mapInTurns } from './map-in-turns.ts'
import { toRecordOutputs } from './record-output.ts'

test('[RECORD-33] many items are worked on in turns, in their order', async () => {
  let turns = 0
  const tx = { giveWay: async () => void turns++ }
  const items = Array.from({ length: 1_000 }, (_, index) => index)
  expect(await mapInTurns(tx, items, (item, index) => [item, index])).toEqual(
    items.map((item) => [item, item]),
  )
  expect(turns).toBeGreaterThan(20)
  turns = 0
  expect(await mapInTurns(tx, [1], (item) => item)).toEqual([1])
  expect(turns).toBe(0)
  const long = Array.from({ length: 10 }, () => 'x'.repeat(100_000))
  const length = (text: string) => text.length
  expect(await mapInTurns(tx, long, length, length)).toEqual(long.map(length))
  expect(turns).toBe(long.length)
})

describeOnEveryStorage('the turns of records', (storage) => {
  test('[RECORD-33] reading, checking and showing many records gives way', async () => {
    const world = await openTableWorld(storage)
    const { id: tableId } = await world.makeNames('Names', ...Array(200).fill('a'))
    await world.engine.store.read(async (tx) => {
      const turns: Record<string, number> = {}
      const counting = (name: string): ReadTx =>
        Object.assign(Object.create(tx), {
          giveWay: async () => {
            turns[name] = (turns[name] ?? 0) + 1
          },
        })
      const [table] = await tx.tables.findAll([tableId], 'none')
      if (!table) throw new Error('the table is there')
      const schema = await tx.fields.schemaOf(table)
      const { records } = await tx.records.page(schema, { after: 0, skip: 0, take: 200 })
      const sent = records.map(() => ({ fields: { Name: 'b' } }))
      const write = (name: string): RecordWrite => ({
        context: { tx: counting(name), table } as never,
        graph: new SchemaGraph(tx, 'none'),
        options: { fieldKeyType: 'name', typecast: false, pathOf: () => [] },
        strategy: new Change(records),
        budget: new StepBudget(1),
      })
      const read = await readRows(write('reading'), sent)
      await checkRows(write('checking'), { ...read, existing: records })
      const shape = {
        fieldKeyType: 'name',
        cellFormat: 'json',
        actor: { kind: 'anonymous' },
        publicUrl: undefined,
      } as const
      await toRecordOutputs(counting('showing'), schema, records, shape)
      expect(turns).toEqual({ reading: 6, checking: 18, showing: 6 })
    })
    await world.close()
  })
})
