import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeAll, expect, test } from 'vitest'

describeOnEveryStorage('rollup cells', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let people: TestTable
  let things: TestTable
  let linkFieldId: string

  beforeAll(async () => {
    things = await world.makeTable(
      'Things',
      [
        { type: 'singleLineText', name: 'Name' },
        { type: 'number', name: 'Size' },
        { type: 'checkbox', name: 'Done' },
        { type: 'date', name: 'Day' },
        {
          type: 'multipleSelect',
          name: 'Tags',
          options: { choices: [{ name: 'x' }, { name: 'y' }] },
        },
        { type: 'user', name: 'Who' },
      ],
      [
        {
          Name: 'b',
          Size: 4,
          Done: true,
          Day: '2024-03-05',
          Tags: ['x', 'y'],
          Who: world.ada.userId,
        },
        { Name: 'a', Size: 2.5, Tags: ['y'] },
        { Name: 'b', Day: '2024-03-07', Size: 4 },
        {},
      ],
    )
    people = await world.makeNames('People', 'all', 'none', 'one')
    const options = { relationship: 'manyMany', foreignTableId: things.id }
    linkFieldId = (await world.addField(people, { type: 'link', options })).id
    const [all, , one] = people.recordIds
    await world.change(people, all, { Things: things.recordIds })
    await world.change(people, one, { Things: [things.recordIds[1]] })
  })

  const addRollup = async (name: string, fieldName: string, expression: string) => {
    const { id: lookupFieldId } = await world.fieldOf(things, fieldName)
    return world.addField(people, {
      type: 'rollup',
      name,
      options: { expression: `${expression}({values})` },
      lookupOptions: { linkFieldId, foreignTableId: things.id, lookupFieldId },
    })
  }

  const first = '2024-03-05T00:00:00.000Z'
  const last = '2024-03-07T00:00:00.000Z'
  test.each([
    ['countall', 'Name', 4, 0, 1],
    ['counta', 'Name', 3, 0, 1],
    ['count', 'Name', 0, 0, 0],
    ['count', 'Size', 3, 0, 1],
    ['countall', 'Tags', 5, 0, 1],
    ['sum', 'Size', 10.5, 0, 2.5],
    ['average', 'Size', 3.5, null, 2.5],
    ['max', 'Size', 4, null, 2.5],
    ['min', 'Size', 2.5, null, 2.5],
    ['max', 'Day', last, null, null],
    ['min', 'Day', first, null, null],
    ['and', 'Done', false, expect.any(Boolean), false],
    ['or', 'Done', true, false, false],
    ['xor', 'Done', true, false, false],
    ['array_join', 'Name', 'b, a, b', null, 'a'],
    ['array_unique', 'Name', ['b', 'a', null], null, ['a']],
    ['array_unique', 'Size', [4, 2.5, null], null, [2.5]],
    ['array_compact', 'Size', [4, 2.5, 4], null, [2.5]],
    ['array_compact', 'Tags', ['x', 'y', 'y'], null, ['y']],
    ['concatenate', 'Name', 'b, a, b', null, 'a'],
    ['array_join', 'Who', 'ada', null, null],
    ['array_join', 'Tags', 'x, y, y', null, 'y'],
    ['concatenate', 'Day', '2024-03-05, 2024-03-07', null, null],
  ])('[CALC-17] sum up by %s of %s', async (expression, fieldName, all, none, one) => {
    const { id: fieldId, name } = await addRollup('Rollup', fieldName, expression)
    expect(await world.cellsOf(people, name)).toEqual([all, none, one])
    await world.api.fields.deleteField({ tableId: people.id, fieldId })
  })

  test('[CALC-17] keep the order of the link, and follow it', async () => {
    const { name } = await addRollup('Joined', 'Name', 'concatenate')
    const [b, a, other, empty] = things.recordIds
    const [, none] = people.recordIds
    const cells = []
    for (const ids of [[a, empty, b], [b, a], [empty], []]) {
      cells.push((await world.change(people, none, { Things: ids }))[name] ?? null)
    }
    expect(cells.slice(0, 2)).toEqual(['a, b', 'b, a'])
    expect([cells[2] ?? '', cells[3] ?? '']).toEqual(['', ''])
    await world.change(people, none, { Things: [other, a] })
    await world.change(things, other, { Name: 'z' })
    expect((await world.cellsOf(people, name))[1]).toBe('z, a')
    await world.change(people, none, { Things: null })
    await world.change(things, other, { Name: 'b' })
  })

  test('[CALC-17] sum up what is rolled up already', async () => {
    const { id: lookupFieldId } = await addRollup('Total', 'Size', 'sum')
    const teams = await world.makeNames('Teams', 't')
    const options = { relationship: 'oneMany', foreignTableId: people.id }
    const link = await world.addField(teams, { type: 'link', name: 'Members', options })
    await world.addField(teams, {
      type: 'rollup',
      name: 'Most',
      options: { expression: 'max({values})' },
      lookupOptions: { linkFieldId: link.id, foreignTableId: people.id, lookupFieldId },
    })
    await world.change(teams, teams.recordIds[0], { Members: people.recordIds })
    expect(await world.cellsOf(teams, 'Most')).toEqual([10.5])
    await world.change(things, things.recordIds[3], { Size: 1 })
    expect(await world.cellsOf(teams, 'Most')).toEqual([11.5])
    await world.change(things, things.recordIds[3], { Size: null })
    expect(await world.textsOf(teams, 'Most')).toEqual(['10.50'])
  })
})
