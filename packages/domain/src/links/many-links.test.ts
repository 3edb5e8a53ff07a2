import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'

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

  const oneWay = (name: string) => ({
    type: 'link',
    name,
    options: { relationship: 'manyMany', foreignTableId: things.id, isOneWay: true },
  })
  const tooMany = (...path: (string | number)[]) => ({
    code: 'validation_error',
    data: { issues: [{ path, message: expect.stringContaining('5 links at most') }] },
  })

  test('[LINK-31] a record can have so many links in all its fields', async () => {
    expect(limits.linksPerRecord).toBe(50_000)
    await world.addField(people, oneWay('More'))
    const [ann] = people.recordIds
    await withLimits({ linksPerRecord: 5 }, async () => {
      await world.change(people, ann, { Things: items(3), More: items(2) })
      const third = () => world.change(people, ann, { More: items(3) })
      await world.expectNoTrace(third, tooMany('record', 'fields', 'More'))
      const made = () => world.add(people, { Things: [] }, { Things: items(3), More: items(3) })
      await world.expectNoTrace(made, {
        code: 'validation_error',
        data: {
          issues: ['Things', 'More'].map((name) => ({ path: ['records', 1, 'fields', name] })),
        },
      })
      // What one field gives up the other may have in the same request.
      await world.change(people, ann, { Things: items(2), More: items(3) })
    })
    await world.change(people, ann, { Things: items(3), More: items(3) })
    // One that has more from before can lose some.
    await withLimits({ linksPerRecord: 4 }, async () => {
      await world.change(people, ann, { More: items(2) })
    })
  })

  test('[LINK-31] nor can it come to have more from the other end', async () => {
    await world.addField(things, {
      type: 'link',
      name: 'Others',
      options: { relationship: 'manyMany', foreignTableId: people.id, isOneWay: true },
    })
    const [a] = things.recordIds
    await world.change(things, a, { Others: people.recordIds.map((id) => ({ id })) })
    await withLimits({ linksPerRecord: 3, linksPerCell: 3 }, async () => {
      await update(1)
      const second = () =>
        world.api.records.updateRecords({
          tableId: people.id,
          records: people.recordIds.map((id) => ({ id, fields: { Things: items(1) } })),
        })
      await world.expectNoTrace(second, {
        code: 'validation_error',
        data: { issues: [{ path: ['records', 1, 'fields', 'Things'] }] },
      })
    })
  })

  test('[LINK-31] nor by a copy of a field, or a field that becomes a link', async () => {
    const [ann] = people.recordIds
    const { id: fieldId } = await world.fieldOf(people, 'Things')
    await world.addField(people, { type: 'longText', name: 'Text' })
    await world.change(people, ann, { Things: items(3), Text: 'a, b, c' })
    const copy = () => world.api.fields.duplicateField({ tableId: people.id, fieldId })
    const convert = () => world.convert(people, 'Text', oneWay('Text'))
    await withLimits({ linksPerRecord: 5 }, async () => {
      for (const call of [copy, convert]) await world.expectNoTrace(call, tooMany())
    })
    await withLimits({ linksPerRecord: 6 }, convert)
    await withLimits({ linksPerRecord: 9 }, copy)
  })

  const restoreNewest = async ({ id: resourceId }: { readonly id: string }) => {
    const of = { resourceId, resourceType: 'table' } as const
    const [newest] = (await world.api.trash.listTrashItems(of)).trashItems
    return () => world.api.trash.restoreTrash({ trashId: newest?.id ?? '' })
  }

  test('[LINK-31] [LINK-13] nor by records or fields that come back from the trash', async () => {
    const [ann, bob] = people.recordIds
    const [a, b, c] = things.recordIds
    await world.change(people, ann, { Things: [{ id: a }, { id: b }] })
    world.clock.advance(1)
    await world.remove(things, b)
    const thing = await restoreNewest(things)
    await withLimits({ linksPerCell: 2 }, async () => {
      await world.change(people, ann, { Things: [{ id: a }, { id: c }] })
      const message = expect.stringContaining('2 others')
      await world.expectNoTrace(thing, { code: 'validation_error', message })
      await world.change(people, ann, { Things: [{ id: a }] })
      await thing()
    })
    expect(await world.textsOf(people, 'Things')).toEqual(['a, b', null])
    await world.addField(people, oneWay('More'))
    await world.change(people, bob, { Things: items(3) })
    const { id: fieldId } = await world.fieldOf(people, 'Things')
    world.clock.advance(1)
    await world.api.fields.deleteFields({ tableId: people.id, fieldIds: [fieldId] })
    const field = await restoreNewest(people)
    await world.change(people, bob, { More: items(3) })
    await withLimits({ linksPerRecord: 5 }, async () => {
      await world.expectNoTrace(field, tooMany())
      world.clock.advance(1)
      await world.remove(people, bob)
      const person = await restoreNewest(people)
      await field()
      await world.expectNoTrace(person, tooMany())
    })
    const person = await restoreNewest(people)
    await person()
    expect(await world.textsOf(people, 'More')).toEqual([null, 'a, b, c'])
  })

  test('[LINK-31] nor by a table that comes back from the trash', async () => {
    const [ann] = people.recordIds
    const { baseId } = world
    await world.addField(people, oneWay('More'))
    const spots = await world.makeNames('Spots', 'x', 'y', 'z')
    await world.addField(people, {
      ...{ type: 'link', name: 'At' },
      options: { relationship: 'manyMany', foreignTableId: spots.id },
    })
    await world.change(people, ann, { At: spots.recordIds.map((id) => ({ id })) })
    await world.api.tables.deleteTable({ baseId, tableId: spots.id })
    const of = { resourceId: baseId, resourceType: 'base' } as const
    const [entry] = (await world.api.trash.listTrashItems(of)).trashItems
    const table = () => world.api.trash.restoreTrash({ trashId: entry?.id ?? '' })
    await withLimits({ linksPerRecord: 5 }, async () => {
      await world.change(people, ann, { More: items(3) })
      await world.expectNoTrace(table, tooMany())
    })
    await table()
    expect(await world.textsOf(people, 'At')).toEqual(['x, y, z', null])
  })
})
