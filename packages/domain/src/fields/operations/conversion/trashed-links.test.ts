import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hasMany, isExclusive, type Relationship, relationships, reversed } from '../../link-end.ts'

const options = { windowId: 'window-1' }

describeOnEveryStorage('links of records in the trash', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let people: TestTable
  let things: TestTable

  beforeEach(async () => {
    people = await world.makeNames('People', 'ann', 'bob')
    things = await world.makeNames('Things', 'axe', 'bow')
  })
  afterEach(() => world.clear())

  const linkTo = (to: TestTable, relationship: Relationship, more: object = {}) => ({
    type: 'link',
    options: { relationship, foreignTableId: to.id, ...more },
  })
  /** Links ann to the axe and bob to the bow, and has ann and the bow go to the trash. */
  const loseAll = async (relationship: Relationship) => {
    await world.addField(people, { ...linkTo(things, relationship), name: 'Owns' })
    for (const [index, id] of things.recordIds.entries()) {
      const Owns = hasMany(relationship) ? [id] : id
      await world.change(people, people.recordIds[index], { Owns })
    }
    await world.remove(people, people.recordIds[0])
    await world.remove(things, things.recordIds[1])
  }
  const restoreAll = async () => {
    for (const { id: resourceId } of [people, things]) {
      const of = { resourceId, resourceType: 'table' } as const
      const { trashItems } = await world.api.trash.listTrashItems(of)
      const trashId = trashItems.find(({ resourceType }) => resourceType === 'record')?.id ?? ''
      await world.api.trash.restoreTrash({ trashId })
    }
  }
  const shown = async () => [
    await world.textsOf(people, 'Owns'),
    await world.textsOf(things, 'People'),
  ]
  const allBack = [
    ['axe', 'bow'],
    ['ann', 'bob'],
  ]

  const changes = relationships.flatMap((from) =>
    relationships.flatMap((to) => (from === to ? [] : [[from, to] as const])),
  )
  const isLooser = (from: Relationship, to: Relationship) =>
    (hasMany(to) || !hasMany(from)) && (!isExclusive(to) || isExclusive(from))

  test.each(changes.filter(([from, to]) => isLooser(from, to)))(
    '[LINK-71] come back where a link %s has become %s, from either end',
    async (from, to) => {
      for (const isOwner of [true, false]) {
        await loseAll(from)
        if (isOwner) await world.convert(people, 'Owns', linkTo(things, to))
        else await world.convert(things, 'People', linkTo(people, reversed(to)))
        expect((await shown()).flat().filter(Boolean)).toEqual([])
        await restoreAll()
        expect(await shown()).toEqual(allBack)
        const { problems } = await world.api.bases.verifyBase({ baseId: world.baseId })
        expect(problems).toEqual([])
        const { id: fieldId } = await world.fieldOf(people, 'Owns')
        await world.api.fields.deleteField({ tableId: people.id, fieldId })
      }
    },
  )

  test('[LINK-71] come back where a link has become one-way, and two-way again', async () => {
    await loseAll('oneOne')
    await world.convert(people, 'Owns', linkTo(things, 'oneOne', { isOneWay: true }))
    await world.convert(people, 'Owns', linkTo(things, 'manyMany'))
    await restoreAll()
    expect(await shown()).toEqual(allBack)
  })

  test('[LINK-71] come back where the change was undone, and redone', async () => {
    await loseAll('oneOne')
    const { id: fieldId } = await world.fieldOf(people, 'Owns')
    const tableId = people.id
    await world.api.fields.convertField(
      { tableId, fieldId, ...linkTo(things, 'manyMany') } as never,
      options,
    )
    const done = { status: 'fulfilled' }
    expect(await world.api.undo.undoChange({ tableId }, options)).toEqual(done)
    expect(await world.api.undo.redoChange({ tableId }, options)).toEqual(done)
    await restoreAll()
    expect(await shown()).toEqual(allBack)
  })

  test('[LINK-71] stay away where a link has less room, or leads elsewhere: records come back without', async () => {
    await loseAll('manyMany')
    await world.convert(people, 'Owns', linkTo(things, 'oneOne'))
    await restoreAll()
    expect((await shown()).flat().filter(Boolean)).toEqual([])
  })

  test('[LINK-85] are kept as far as one write goes: where there are more, the change and its plan are refused', async () => {
    await loseAll('oneOne')
    const { id: fieldId } = await world.fieldOf(people, 'Owns')
    const definition = { ...linkTo(things, 'manyMany'), tableId: people.id, fieldId } as never
    const { convertField, planConversion } = world.api.fields
    const message =
      'one write keeps the links of records in the trash up to 1, there are 2: restore or purge some of these first'
    await withLimits({ stepsPerWholeWrite: 3_000 }, async () => {
      for (const call of [planConversion, convertField]) {
        await expect(call(definition)).rejects.toMatchObject({ code: 'validation_error', message })
      }
    })
    await withLimits({ stepsPerWholeWrite: 4_000 }, () => convertField(definition))
    await restoreAll()
    expect(await shown()).toEqual(allBack)
  })

  test('[LINK-71] are not counted as lost by the plan of such a change', async () => {
    await loseAll('oneOne')
    const { id: fieldId } = await world.fieldOf(people, 'Owns')
    const plan = async (relationship: Relationship) => {
      const definition = { ...linkTo(things, relationship), tableId: people.id, fieldId }
      return (await world.api.fields.planConversion(definition as never)).emptiedCellCount
    }
    expect(await plan('manyMany')).toBe(0)
  })
})
