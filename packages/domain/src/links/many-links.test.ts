import { openTableWorld, type TableWorld, type TestTable } from '@gateleg/testing/table-world'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { afterEach, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('many links', (storage) => {
  let world: TableWorld
  let people: TestTable
  let things: TestTable

  beforeEach(async () => {
    world = await openTableWorld(storage)
    things = await world.makeNames('Things', 'a', 'b', 'c')
    people = await world.makeNames('People', 'ann', 'bob')
    await world.addField(people, {
      type: 'link',
      options: { relationship: 'manyMany', foreignTableId: things.id },
    })
  })
  afterEach(() => world.close())

  const items = (count: number) => things.recordIds.slice(0, count).map((id) => ({ id }))
  const update = (...counts: number[]) =>
    world.api.records.updateRecords({
      tableId: people.id,
      records: counts.map((count, index) => ({
        id: people.recordIds[index] ?? '',
        fields: { Things: count === 0 ? null : items(count) },
      })),
    })

  test('[LINK-29] a request that names too many links is refused and changes nothing', async () => {
    const refused = { code: 'validation_error', message: expect.stringContaining('5 links') }
    await withLimits({ linksPerRequest: 5 }, async () => {
      await expect(update(3, 3)).rejects.toMatchObject(refused)
      expect(await world.cellsOf(people, 'Things')).toEqual([null, null])
      await update(3, 2)
      await expect(
        world.add(people, ...[3, 3].map((n) => ({ Things: items(n) }))),
      ).rejects.toMatchObject(refused)
    })
    await update(3, 3)
    await withLimits({ linksPerRequest: 5 }, async () => {
      await expect(update(0, 0)).rejects.toMatchObject(refused)
      await update(0)
      await update(0, 0)
    })
    expect(await world.cellsOf(people, 'Things')).toEqual([null, null])
  })
})
