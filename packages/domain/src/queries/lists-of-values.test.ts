import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { expect, test } from 'vitest'

describeOnEveryStorage('lists of values', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  /** A table whose records list the numbers and the checks of those that they link to. */
  async function openLists(linked: readonly object[], links: readonly (readonly number[])[]) {
    const other = await world.makeTable(
      'Other',
      [
        { type: 'singleLineText', name: 'Name' },
        { type: 'number', name: 'Amount' },
        { type: 'checkbox', name: 'Is' },
      ],
      linked,
    )
    const main = await world.makeTable(
      'Main',
      [
        { type: 'singleLineText', name: 'Name' },
        {
          type: 'link',
          name: 'Links',
          options: { relationship: 'manyMany', foreignTableId: other.id },
        },
      ],
      links.map((places, index) => ({
        Name: String(index),
        Links: places.map((place) => ({ id: other.recordIds[place] })),
      })),
    )
    const link = await world.fieldOf(main, 'Links')
    for (const [type, name] of [
      ['number', 'Amount'],
      ['checkbox', 'Is'],
    ]) {
      const { id: lookupFieldId } = await world.fieldOf(other, name as string)
      await world.addField(main, {
        type,
        name,
        isLookup: true,
        lookupOptions: { foreignTableId: other.id, linkFieldId: link.id, lookupFieldId },
      })
    }
    return main.id
  }

  test('[FIELD-371] compare, sort and add up numbers as fields of one number do, however large they are', async () => {
    const large = 2 ** 60
    const amounts = [large, 5e18, 6e18, 2 ** 53 + 2]
    const tableId = await openLists(
      amounts.map((Amount) => ({ Amount })),
      [[0], [0, 3], [0], [1], [2]],
    )
    const { records, aggregations } = world.api
    const found = async (operator: 'is' | 'isGreater' | 'isLessEqual') => {
      const item = { fieldId: 'Amount', operator, value: large }
      const filter = { conjunction: 'and' as const, filterSet: [item] }
      return (await records.listRecords({ tableId, filter })).records.map(({ name }) => name)
    }
    expect(await found('is')).toEqual(['0', '1', '2'])
    expect(await found('isGreater')).toEqual(['3', '4'])
    expect(await found('isLessEqual')).toEqual(['0', '1', '2'])

    const orderBy = [{ fieldId: 'Amount', order: 'asc' as const }]
    const listed: (string | undefined)[] = []
    for (let cursor: string | undefined | null; cursor !== null; ) {
      const page = await records.listRecords({
        tableId,
        orderBy,
        take: 1,
        ...(cursor && { cursor }),
      })
      listed.push(...page.records.map(({ name }) => name))
      cursor = page.nextCursor
    }
    expect(listed).toEqual(['0', '2', '1', '3', '4'])

    const field = { sum: ['Amount'], max: ['Amount'] }
    const { aggregations: statistics } = await aggregations.aggregateRecords({ tableId, field })
    const total = 3 * large + 2 ** 53 + 2 + 5e18 + 6e18
    expect(statistics.map(({ total: { value } }) => value)).toEqual([
      Number(total.toPrecision(15)),
      6e18,
    ])
  })

  test('[AGG-3] [FIELD-372] count as checked where some item is, as a filter finds them', async () => {
    const tableId = await openLists([{ Is: true }, { Is: true }, {}], [[0, 1], [0, 2], [2], []])
    const { records, aggregations } = world.api
    const filter = {
      conjunction: 'and' as const,
      filterSet: [{ fieldId: 'Is', operator: 'is' as const, value: true }],
    }
    expect((await records.listRecords({ tableId, filter })).records).toHaveLength(2)
    const names = ['checked', 'unChecked', 'percentChecked', 'percentUnChecked'] as const
    const field = Object.fromEntries(names.map((name) => [name, ['Is']]))
    const { aggregations: statistics } = await aggregations.aggregateRecords({ tableId, field })
    expect(statistics.map(({ total }) => [total.aggFunc, total.value])).toEqual([
      ['checked', 2],
      ['unChecked', 2],
      ['percentChecked', 50],
      ['percentUnChecked', 50],
    ])
  })

  test('[AGG-3] [FIELD-373] have no more different items than they have items', async () => {
    const choices = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name }))
    const { id: tableId } = await world.makeTable(
      'Tagged',
      [
        { type: 'singleLineText', name: 'Name' },
        { type: 'multipleSelect', name: 'Tags', options: { choices } },
      ],
      [{ Tags: ['a', 'b', 'c', 'd'] }, { Tags: ['a', 'b', 'e'] }, {}],
    )
    const field = { unique: ['Tags'], percentUnique: ['Tags', 'Name'] }
    const { aggregations } = await world.api.aggregations.aggregateRecords({ tableId, field })
    expect(aggregations.map(({ total: { value } }) => value)).toEqual([5, 62.5, 0])
  })
})
