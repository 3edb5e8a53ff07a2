import { openTableWorld } from '@gateleg/testing/table-world'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { worldOfBlock } from '@gateleg/testing/world-of-block'
import { expect, test } from 'vitest'
import type { Scalar } from '../../queries/condition.ts'
import { findPage } from './find-page.ts'

describeOnEveryStorage('pages of tables with many records', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  test('[QUERY-29] wait among long work only where what stands first is not enough', async () => {
    const names = Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? 'even' : `odd ${n}`))
    const { id, recordIds } = await world.makeNames('Many', ...names)
    const becomeLong = () => {
      throw new Error('it is long')
    }
    /** The places of the records of a page, where it is found at once. */
    const find = (value: Scalar, { take = 5, skip = 0, isSorted = false } = {}) =>
      withLimits({ recordsSearchedAtOnce: 50 }, () =>
        world.engine.store.read(async (tx) => {
          const [table] = await tx.tables.findAll([id], 'none')
          if (!table) throw new Error('the table is there')
          const schema = await tx.fields.schemaOf(table)
          const field = schema.fields[0]
          if (!field) throw new Error('the table has a field')
          const condition = {
            kind: 'some',
            field,
            test: { kind: 'oneOf', values: [value, 'no other'] },
          } as const
          const query = { condition, keys: isSorted ? [{ field, isDescending: false }] : [] }
          const { recordFinder, recordScanner } = tx
          const context = { recordFinder, recordScanner, becomeLong }
          const found = await findPage(context, schema, query, { skip, take })
          return found.map((record) => recordIds.indexOf(record.id))
        }),
      )
    expect(await find('even')).toEqual([0, 2, 4, 6, 8])
    expect(await find('even', { skip: 20 })).toEqual([40, 42, 44, 46, 48])
    expect(await find('odd 3', { take: 1 })).toEqual([3])
    // Of the first forty too few are asked for, and of all too many would be looked at.
    await expect(find('odd 59')).rejects.toThrow('it is long')
    await expect(find('even', { skip: 60 })).rejects.toThrow('it is long')
    // Nothing has them in that order.
    await expect(find('even', { isSorted: true })).rejects.toThrow('it is long')
  })
})
