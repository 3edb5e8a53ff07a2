import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { type Person, shownUser } from '@gateleg/testing/worlds/world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('people whom new records name by default', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let table: TestTable
  let gone: Person
  let left: Person
  let rounds = 0

  beforeEach(async () => {
    table = await world.makeTable(
      `Tasks ${++rounds}`,
      [{ type: 'singleLineText', name: 'Name' }],
      [],
    )
    gone = await world.newCollaborator(`Gone${rounds}`, 'viewer')
    left = await world.newCollaborator(`Left${rounds}`, 'viewer')
  })

  const remove = ({ userId }: Person) =>
    world.api.collaborators.removeBaseCollaborator({
      ...{ baseId: world.baseId, principalId: userId, principalType: 'user' },
    })
  const addUsers = (name: string, options: object) =>
    world.addField(table, { type: 'user', name, options })
  const nextRecord = async (fields: object = {}) => {
    const [id] = await world.add(table, fields)
    return world.recordOf(table, id)
  }

  test('[FIELD-281] are those who are still there', async () => {
    await addUsers('One', { defaultValue: gone.userId })
    const several = ['me', gone.userId, left.userId]
    await addUsers('Several', { isMultiple: true, defaultValue: several })
    const all = [world.ada, gone, left].map((person) =>
      expect.objectContaining({ id: person.userId }),
    )
    expect(await nextRecord()).toMatchObject({
      One: shownUser(gone, `gone${rounds}`),
      Several: all,
    })
    await remove(gone)
    expect(await nextRecord()).toEqual({ Several: [all[0], all[2]] })
    expect((await world.fieldOf(table, 'One')).options).toMatchObject({ defaultValue: gone.userId })
    expect(await world.cellsOf(table, 'One')).toEqual([shownUser(gone, `gone${rounds}`), null])
  })

  test('[FIELD-281] may not be left out where the field needs somebody', async () => {
    await addUsers('One', { defaultValue: gone.userId })
    await world.convert(table, 'One', {
      ...{ type: 'user', notNull: true, options: { defaultValue: gone.userId } },
    })
    await remove(gone)
    await expect(nextRecord()).rejects.toMatchObject({
      ...{
        code: 'validation_error',
        data: { issues: [{ path: ['records', 0, 'fields', 'One'] }] },
      },
    })
    expect(await nextRecord({ One: left.userId })).toMatchObject({ One: { id: left.userId } })
  })
})
