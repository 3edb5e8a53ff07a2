import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { describe, expect, test } from 'vitest'
import type { FilterOperator } from '../fields/filter-operators.ts'
import { toRecordQuery } from '../records/query/to-record-query.ts'

describeOnEveryStorage('columns that are called like words of the storage', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  describe.each(['True', 'false', 'null', 'made_by', 'value'])('%s', (dbFieldName) => {
    const choices = [{ name: 'a' }, { name: 'b' }]

    test('[QUERY-180] are in the way of no filter, count or order', async () => {
      const { id: tableId } = await world.makeTable(
        `Words ${dbFieldName}`,
        [
          { type: 'singleLineText', name: 'Name' },
          { type: 'number', name: 'Word', dbFieldName },
          { type: 'checkbox', name: 'Done' },
          { type: 'multipleSelect', name: 'Tags', options: { choices } },
        ],
        [
          { Name: 'x', Word: 1, Done: true, Tags: ['a', 'b'] },
          { Name: 'y', Word: 0, Tags: ['a'] },
          { Name: 'z' },
        ],
      )
      const found = async (fieldId: string, operator: FilterOperator, value: unknown) => {
        const filter = { conjunction: 'and' as const, filterSet: [{ fieldId, operator, value }] }
        const { records } = await world.api.records.listRecords({ tableId, filter })
        return records.map(({ name }) => name)
      }
      expect(await found('Name', 'isNot', 'x')).toEqual(['y', 'z'])
      expect(await found('Name', 'doesNotContain', 'Y')).toEqual(['x', 'z'])
      expect(await found('Word', 'isNot', 1)).toEqual(['y', 'z'])
      expect(await found('Done', 'is', false)).toEqual(['y', 'z'])
      expect(await found('Tags', 'isExactly', ['a'])).toEqual(['y'])
      expect(await found('Tags', 'isNotExactly', ['a'])).toEqual(['x', 'z'])
      expect(await found('Tags', 'hasNoneOf', ['b'])).toEqual(['y', 'z'])
      const { records } = await world.api.records.listRecords({ tableId })
      const places = records.map(async ({ id: recordId }) => {
        const orderBy = [{ fieldId: 'Word', order: 'asc' as const }]
        return world.api.aggregations.getRecordIndex({ tableId, recordId, orderBy })
      })
      expect(await Promise.all(places)).toEqual([{ index: 2 }, { index: 1 }, { index: 0 }])
    })

    test('[QUERY-190] are in the way of no page that an index finds', async () => {
      const { id: tableId } = await world.makeTable(
        `Indexed ${dbFieldName}`,
        [
          { type: 'singleLineText', name: 'Name' },
          { type: 'number', name: 'Word', dbFieldName },
          { type: 'number', name: 'Size' },
        ],
        [
          { Name: 'x', Word: 2, Size: 1 },
          { Name: 'y', Word: 1, Size: 1 },
          { Name: 'z', Word: 1, Size: 2 },
        ],
      )
      const found = await world.engine.store.read(async (tx) => {
        const [table] = await tx.tables.findAll([tableId], 'none')
        if (!table) throw new Error('the table is there')
        const schema = await tx.fields.schemaOf(table)
        // As if there were an index for each field.
        const indexed = { ...schema, indexKeys: { has: () => true } as never }
        const columns = schema.columns.map(({ column }) => column)
        const filterSet = [{ fieldId: 'Size', operator: 'is' as const, value: 1 }]
        const query = toRecordQuery(
          schema,
          {
            fieldKeyType: 'name',
            filter: { conjunction: 'and', filterSet },
            orderBy: [{ fieldId: 'Word', order: 'asc' }],
          },
          { actor: { kind: 'user', userId: world.ada.userId }, now: '2026-01-01T00:00:00.000Z' },
        )
        const page = { skip: 0, take: 10 }
        const alone = await tx.recordFinder.findWithinReach(indexed, query, page)
        const along = await tx.recordFinder.findWithinReach(indexed, query, page, columns)
        return [alone, along].map((all) => all?.map(({ autoNumber }) => autoNumber))
      })
      expect(found).toEqual([
        [2, 1],
        [2, 1],
      ])
    })
  })
})
