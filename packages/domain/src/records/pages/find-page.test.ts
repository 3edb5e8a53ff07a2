import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { expect, test } from 'vitest'
import type { Scalar } from '../../queries/condition.ts'
import type { ReadTx } from '../../store.ts'
import { findPage } from './find-page.ts'

/** The schema of a table, and its first field. */
async function fieldOf(tx: ReadTx, tableId: string) {
  const [table] = await tx.tables.findAll([tableId], 'none')
  const schema = table && (await tx.fields.schemaOf(table))
  const field = schema?.fields[0]
  if (!field) throw new Error('the table is there, with a field')
  return { schema, field }
}

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
          const { schema, field } = await fieldOf(tx, id)
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
    // Those in the trash are looked at as well where no index leaves them out.
    await world.api.records.deleteRecords({ tableId: id, recordIds: recordIds.slice(0, 45) })
    await expect(find('even')).rejects.toThrow('it is long')
  })

  test('[QUERY-30] wait among long work where a filter looks at much text', async () => {
    const name = (n: number) => `${n}${'Ä'.repeat(100)}`
    const { id } = await world.makeNames('Wordy', ...Array.from({ length: 20 }, (_, n) => name(n)))
    /** How many records are found of those that have one of so many texts, and whether that is long. */
    const find = (texts: number) =>
      world.engine.store.read(async (tx) => {
        const { schema, field } = await fieldOf(tx, id)
        const conditions = Array.from({ length: texts }, (_, n) => {
          const test = { kind: 'contains', text: `${n}ä` } as const
          return { kind: 'some', field, test } as const
        })
        const query = { condition: { kind: 'any', conditions } as const, keys: [] }
        const { recordFinder, recordScanner } = tx
        let isLong = false
        const becomeLong = () => {
          isLong = true
        }
        const context = { recordFinder, recordScanner, becomeLong }
        const found = await findPage(context, schema, query, { skip: 0, take: 20 })
        return { found: found.length, isLong }
      })
    // Of twenty names of some two hundred bytes, each is looked at once for each text.
    for (const recordsSearchedAtOnce of [1_000, 10]) {
      await withLimits(
        { recordsSearchedAtOnce, recordsProbedPerRecord: 1, bytesTestedAtOnce: 9_000 },
        async () => {
          expect(await find(0)).toEqual({ found: 0, isLong: recordsSearchedAtOnce < 20 })
          expect(await find(1)).toEqual({ found: 2, isLong: recordsSearchedAtOnce < 20 })
          expect(await find(3)).toEqual({ found: 6, isLong: true })
        },
      )
    }
  })
})
