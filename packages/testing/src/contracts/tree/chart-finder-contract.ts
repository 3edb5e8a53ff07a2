import type { ChartField, ChartRows } from '@gateleg/domain/charts/chart-query'
import type { JoinType } from '@gateleg/domain/charts/saved-query'
import { always } from '@gateleg/domain/queries/condition'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import { describe, expect, it } from 'vitest'
import { maker, newRecord } from '../../factories/stored-rows.ts'
import type { OpenedStorage } from '../opened-storage.ts'
import { storedRecords } from '../records/stored-records.ts'

/** Declares what every ChartFinder promises. */
export function chartFinderContract({ store }: OpenedStorage): void {
  const { tableWith, insert, markDeleted } = storedRecords(store)

  /** The rows of a table with its fields. */
  const rowsOf = (schema: TableSchema): ChartRows => ({
    tables: [schema],
    joins: [],
    fields: schema.fields.map((own, index) => fieldOf(own, 0, index)),
  })
  const fieldOf = (
    own: TableSchema['fields'][number],
    table: number,
    index: number,
  ): ChartField => {
    const column = own.column && { ...own.column, name: `c${index}`, index }
    return { own, table, inRow: { ...own, column } }
  }
  /** The rows of a table that is joined with itself by its first field. */
  const joinedRows = (schema: TableSchema, type: JoinType): ChartRows => {
    const [own] = schema.fields
    if (!own) throw new Error('the table has a field')
    const fields = [fieldOf(own, 0, 0), fieldOf(own, 1, 1)] as const
    const join = { type, earlier: fields[0], own: fields[1] }
    return { tables: [schema, schema], joins: [join], fields }
  }

  describe('every ChartFinder', () => {
    it('[STORE-254] finds rows of living records in the order of the keys, then of their numbers', async () => {
      const schema = await tableWith(['number'])
      await insert(schema, [[2], [null], [1], [9], [1]])
      await markDeleted(schema, 'rec4')
      const rows = rowsOf(schema)
      const keys = rows.fields.map(({ inRow }) => ({ field: inRow, isDescending: true }))
      const found = (page: { readonly skip: number; readonly take: number }) =>
        store.read((tx) => tx.chartFinder.find(rows, { condition: always, keys }, page))
      expect(await found({ skip: 0, take: 9 })).toEqual([['rec1'], ['rec3'], ['rec5'], ['rec2']])
      expect(await found({ skip: 1, take: 2 })).toEqual([['rec3'], ['rec5']])
    })

    it('[STORE-255] joins records whose cells are alike, and keeps those without a counterpart as it is told', async () => {
      const schema = await tableWith(['number'])
      await insert(schema, [[1], [null], [1]])
      const page = { skip: 0, take: 99 }
      const found = (type: JoinType) =>
        store.read((tx) =>
          tx.chartFinder.find(joinedRows(schema, type), { condition: always, keys: [] }, page),
        )
      const alike = [
        ...[
          ['rec1', 'rec1'],
          ['rec1', 'rec3'],
        ],
        ...[
          ['rec3', 'rec1'],
          ['rec3', 'rec3'],
        ],
      ]
      expect(await found('INNER JOIN')).toEqual(alike)
      expect(await found('LEFT JOIN')).toEqual([
        ...alike.slice(0, 2),
        ['rec2', null],
        ...alike.slice(2),
      ])
      expect(await found('RIGHT JOIN')).toEqual([[null, 'rec2'], ...alike])
      expect(await found('FULL JOIN')).toEqual([
        [null, 'rec2'],
        ...alike.slice(0, 2),
        ['rec2', null],
        ...alike.slice(2),
      ])
    })

    it('[STORE-256] tells whether a join makes more rows than so many', async () => {
      const schema = await tableWith(['number'])
      await insert(schema, [[1], [1], [1], [2]])
      const isWithin = (most: number) =>
        store.read((tx) => tx.chartFinder.hasAtMost(joinedRows(schema, 'INNER JOIN'), most))
      expect(await isWithin(10)).toBe(true)
      expect(await isWithin(9)).toBe(false)
    })

    it('[STORE-357] tells the bytes of cells of the rows of joins, as often as they are looked at', async () => {
      const schema = await tableWith(['number', 'singleLineText', 'multipleSelect'])
      await store.write((tx) =>
        tx.recordWriter.insert(
          schema,
          [
            newRecord('rec1', [1, 'я'.repeat(500), null]),
            newRecord('rec2', [1, null, null]),
            newRecord('rec3', [2, 'x'.repeat(10), ['a', 'b']]),
          ],
          maker,
        ),
      )
      const bytesOf = (type: JoinType, looks: readonly (readonly [number, number])[]) => {
        const joined = joinedRows(schema, type)
        const texts = schema.fields
          .slice(1)
          .flatMap((own, index) => [fieldOf(own, 0, 2 + 2 * index), fieldOf(own, 1, 3 + 2 * index)])
        const rows = { ...joined, fields: [...joined.fields, ...texts] }
        const fields = looks.flatMap(([place, times]) => {
          const field = rows.fields[place]
          return field ? [[field.inRow, times] as const] : []
        })
        return store.read((tx) => tx.chartFinder.bytesOf(rows, new Map(fields)))
      }
      expect(await bytesOf('INNER JOIN', [])).toBe(0)
      // Each of the two records that are joined by 1 is in two rows.
      expect(await bytesOf('INNER JOIN', [[2, 1]])).toBe(2 * 1_000 + 10)
      expect(
        await bytesOf('INNER JOIN', [
          [2, 1],
          [3, 3],
        ]),
      ).toBe(4 * (2 * 1_000 + 10))
      expect(await bytesOf('FULL JOIN', [[3, 2]])).toBe(2 * (2 * 1_000 + 10))
      // What a list takes is known roughly.
      expect(await bytesOf('LEFT JOIN', [[4, 1]])).toBeGreaterThan(1)
      expect(await bytesOf('RIGHT JOIN', [[5, 1]])).toBeLessThan(1_000)
    })

    it('[STORE-257] groups rows by fields, or all of them, and measures each group', async () => {
      const schema = await tableWith(['singleLineText', 'number'])
      await store.write((tx) =>
        tx.recordWriter.insert(
          schema,
          [newRecord('rec1', ['b', 1]), newRecord('rec2', ['a', 2]), newRecord('rec3', ['b', 4])],
          maker,
        ),
      )
      const rows = rowsOf(schema)
      const [text, number] = rows.fields.map(({ inRow }) => inRow)
      if (!text || !number) throw new Error('the table has two fields')
      const measures = [{ field: number, kind: 'sum' }] as const
      const groupsBy = (fields: (typeof text)[], most = 9) =>
        store.read((tx) => tx.chartFinder.groups(rows, always, { fields, measures, most }))
      const first = { id: 'rec1', autoNumber: 1 }
      expect((await groupsBy([text])).toSorted((a, b) => b.records - a.records)).toEqual([
        { firsts: [first], records: 2, measured: [5] },
        { firsts: [{ id: 'rec2', autoNumber: 2 }], records: 1, measured: [2] },
      ])
      expect(await groupsBy([])).toEqual([{ firsts: [first], records: 3, measured: [7] }])
      const never = { kind: 'any', conditions: [] } as const
      const none = await store.read((tx) =>
        tx.chartFinder.groups(rows, never, { fields: [], measures, most: 9 }),
      )
      expect(none).toEqual([{ firsts: [null], records: 0, measured: [null] }])
      expect((await groupsBy([text], 1)).map(({ measured }) => measured)).toEqual([[]])
    })
  })
}
