import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { expect, test } from 'vitest'

describeOnEveryStorage('letters that are new to Unicode', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  test('[FIELD-370] are found and sorted in upper and lower case alike', async () => {
    // Georgian, whose capitals came in 2018, and a letter of Latin whose capital came in 2021.
    const names = ['ᲒᲝᲒᲘ', 'ანა', 'ᲐᲜᲐ ᲑᲔᲠᲘᲫᲔ', 'Ꟁa', 'ꟁb']
    const { id: tableId } = await world.makeTable(
      'People',
      [{ type: 'singleLineText', name: 'Name' }],
      names.map((Name) => ({ Name })),
    )
    const { records } = world.api
    const namesIn = async (query: object) =>
      (await records.listRecords({ tableId, ...query })).records.map(({ name }) => name)
    for (const text of ['ᲐᲜᲐ', 'ანა']) {
      const item = { fieldId: 'Name', operator: 'contains' as const, value: text }
      const filter = { conjunction: 'and' as const, filterSet: [item] }
      expect(await namesIn({ filter })).toEqual(['ანა', 'ᲐᲜᲐ ᲑᲔᲠᲘᲫᲔ'])
      expect(await namesIn({ search: [text, '', true] })).toEqual(['ანა', 'ᲐᲜᲐ ᲑᲔᲠᲘᲫᲔ'])
    }
    const orderBy = [{ fieldId: 'Name', order: 'asc' as const }]
    expect(await namesIn({ orderBy })).toEqual(['ანა', 'ᲐᲜᲐ ᲑᲔᲠᲘᲫᲔ', 'ᲒᲝᲒᲘ', 'Ꟁa', 'ꟁb'])
  })
})
