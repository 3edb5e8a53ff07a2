import { tableStep } from '@gateleg/testing/arbitraries/table-step'
import {
  type ModelRow,
  TableModel,
  type TableStep,
} from '@gateleg/testing/models/table/table-model'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { type BaseWorld, openBaseWorld } from '@gateleg/testing/worlds/base-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'

describeOnEveryStorage('a table that is changed at random', (storage) => {
  const world = worldOfBlock(() => openBaseWorld(storage))
  let api: BaseWorld['api']

  beforeAll(async () => {
    api = world.api
  })

  /** Makes the change on the real table. Answers `done`, or the code of the refusal. */
  const run = async (tableId: string, step: TableStep): Promise<string> => {
    const fields = await api.fields.listFields({ tableId })
    const { records } = await api.records.listRecords({ tableId })
    const fieldId = (place: number) => fields[place]?.id ?? `fld${place}`
    const recordId = (place: number) => records[place]?.id ?? `rec${place}`
    const toFields = (row: ModelRow) =>
      Object.fromEntries(row.map(([place, value]) => [fieldId(place), value]))
    const calls = {
      'add field': ({ field }: Extract<TableStep, { kind: 'add field' }>) => {
        const { type, defaultValue, ...definition } = field
        const input = {
          tableId,
          ...definition,
          type: type === 'text' ? 'singleLineText' : 'number',
          ...(defaultValue !== undefined && { options: { defaultValue } }),
        }
        // The model gives numbers numbers as their defaults, and texts texts.
        return api.fields.createField(input as Parameters<typeof api.fields.createField>[0])
      },
      'rename field': ({ field, name }: Extract<TableStep, { kind: 'rename field' }>) =>
        api.fields.updateField({ tableId, fieldId: fieldId(field), name }),
      'delete fields': (step: Extract<TableStep, { kind: 'delete fields' }>) =>
        api.fields.deleteFields({ tableId, fieldIds: step.fields.map(fieldId) }),
      create: ({ rows }: Extract<TableStep, { kind: 'create' }>) =>
        api.records.createRecords({
          tableId,
          fieldKeyType: 'id',
          records: rows.map((row) => ({ fields: toFields(row) })),
        }),
      update: ({ changes }: Extract<TableStep, { kind: 'update' }>) =>
        api.records.updateRecords({
          tableId,
          fieldKeyType: 'id',
          records: changes.map(({ record, row }) => ({
            id: recordId(record),
            fields: toFields(row),
          })),
        }),
      delete: (step: Extract<TableStep, { kind: 'delete' }>) =>
        api.records.deleteRecords({ tableId, recordIds: step.records.map(recordId) }),
    }
    return calls[step.kind](step as never).then(
      () => 'done',
      (error) => error.code ?? error,
    )
  }

  test('[RECORD-30] [RECORD-25] [RECORD-27] always holds what the model holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(tableStep, { maxLength: 25, size: 'max' }), async (steps) => {
        const { id: tableId } = await api.tables.createTable({
          baseId: world.baseId,
          fields: [{ type: 'singleLineText', name: 'Key' }],
          records: [],
        })
        const model = new TableModel()
        for (const step of steps) {
          world.clock.advance(1_000)
          const expected = model.apply(step, new Date(world.clock.now()).toISOString())
          expect(await run(tableId, step), JSON.stringify(step)).toBe(expected)
          const fields = await api.fields.listFields({ tableId })
          expect(fields.map(({ name }) => name)).toEqual(model.fields.map(({ name }) => name))
          const { records } = await api.records.listRecords({ tableId })
          expect(
            records.map(({ fields: cells, lastModifiedTime }) => ({
              fields: cells,
              modified: lastModifiedTime,
            })),
          ).toEqual(model.list())
        }
        await api.tables.deleteTablePermanently({ baseId: world.baseId, tableId })
      }),
      { numRuns: 40 },
    )
  })
})
