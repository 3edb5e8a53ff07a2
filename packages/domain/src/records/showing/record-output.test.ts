import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonBytes } from '../../values/json/json-bytes.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import { outputsOf } from './record-output.ts'

const types = ['singleLineText', 'number', 'checkbox'] as const

/** Of units that take one byte as JSON, two, three and six. */
const text = fc.string({ unit: fc.constantFrom('a', '"', '漢', '\u0001', 'é'), maxLength: 40 })

describeOnEveryStorage('the outputs of records', (storage) => {
  test('[RECORD-44] are never longer than is said of them before they are made', async () => {
    const world = await openTableWorld(storage)
    const fields = types.map((type, index) => ({
      name: `${type} "${'\u0001'.repeat(index)}`,
      type,
    }))
    const { id } = await world.makeTable('T', fields, [])
    await world.engine.store.read(async (tx) => {
      const table = await tx.tables.findOrTrash(id, 'none')
      if (!table) throw new Error('the table is there')
      const schema = await tx.fields.schemaOf(table)
      const property = fc.asyncProperty(
        fc.array(fc.tuple(text, fc.double({ noNaN: true }), fc.boolean()), { maxLength: 3 }),
        async (cells) => {
          const records = cells.map(
            (values, index): StoredRecord => ({
              id: 'recAAAAAAAAAAAAAAAA',
              autoNumber: index + 1,
              version: 1,
              createdTime: '2026-01-01T00:00:00.000Z',
              lastModifiedTime: '2026-01-01T00:00:00.000Z',
              createdBy: 'nobody',
              lastModifiedBy: null,
              cells: values,
            }),
          )
          const shape = { fieldKeyType: 'name', cellFormat: 'json', actor: { kind: 'anonymous' } }
          const { toOutput, mostBytesOf } = await outputsOf(tx, schema, records, shape as never)
          for (const one of records) {
            expect(jsonBytes(toOutput(one))).toBeLessThanOrEqual(mostBytesOf(one))
          }
        },
      )
      await fc.assert(property, { numRuns: 50 })
    })
    await world.close()
  })
})
