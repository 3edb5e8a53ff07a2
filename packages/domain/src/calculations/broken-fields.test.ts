import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('fields that read what is gone', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let people: TestTable
  let things: TestTable
  /** The ids of the fields, by table and name. */
  let ids: Record<string, string>

  beforeEach(async () => {
    people = await world.makeNames('People', 'ann', 'bob')
    things = await world.makeNames('Things', 'axe', 'bow')
    const options = { relationship: 'manyMany', foreignTableId: things.id }
    const link = await world.addField(people, { type: 'link', options })
    const { id: countId } = await world.fieldOf(things, 'Count')
    const lookupOptions = {
      linkFieldId: link.id,
      foreignTableId: things.id,
      lookupFieldId: countId,
    }
    const formula = (name: string, expression: string) =>
      world.addField(people, { type: 'formula', name, options: { expression } })
    ids = {
      link: link.id,
      'thing count': countId,
      count: (await world.fieldOf(people, 'Count')).id,
      lookup: (
        await world.addField(people, {
          type: 'number',
          name: 'Counts',
          isLookup: true,
          lookupOptions,
        })
      ).id,
      rollup: (
        await world.addField(people, {
          type: 'rollup',
          name: 'Sum',
          options: { expression: 'sum({values})' },
          lookupOptions,
        })
      ).id,
      twice: (await formula('Twice', '{Count} * 2')).id,
      more: (await formula('More', '{Twice} + {Sum}')).id,
      label: (await formula('Label', '{Name} & "!"')).id,
    }
    await world.change(people, people.recordIds[0], { Things: things.recordIds })
  })
  afterEach(() => world.clear())

  const remove = ({ id: tableId }: TestTable, ...fields: readonly string[]) =>
    world.api.fields.deleteFields({
      tableId,
      fieldIds: fields.map((name) => ids[name] ?? ''),
    })
  const errorsIn = async ({ id: tableId }: TestTable) =>
    (await world.api.fields.listFields({ tableId })).flatMap(({ name, hasError }) =>
      hasError ? [name] : [],
    )
  const firstPerson = () => world.recordOf(people, people.recordIds[0])

  test('[CALC-22] [CALC-23] have an error, and nothing else', async () => {
    expect(await firstPerson()).toMatchObject({ Counts: [1, 2], Sum: 3, Twice: 2, More: 5 })
    await remove(people, 'count')
    expect(await errorsIn(people)).toEqual(['Twice'])
    const [axe, bow] = things.recordIds
    const rest = {
      Things: [
        { id: axe, title: 'axe' },
        { id: bow, title: 'bow' },
      ],
      Counts: [1, 2],
      Sum: 3,
    }
    expect(await firstPerson()).toEqual({ Name: 'ann', ...rest, More: 3, Label: 'ann!' })
    expect(await world.change(people, people.recordIds[0], { Name: 'amy' })).toEqual({
      Name: 'amy',
      ...rest,
      More: 3,
      Label: 'amy!',
    })
    const [made] = await world.add(people, { Name: 'cid' })
    expect(await world.recordOf(people, made)).toEqual({
      Name: 'cid',
      Sum: 0,
      More: 0,
      Label: 'cid!',
    })
  })

  test('[CALC-22] have an error when a field of the linked table is deleted', async () => {
    const events = await world.heard(() => remove(things, 'thing count'))
    expect(await errorsIn(people)).toEqual(['Counts', 'Sum'])
    expect(await errorsIn(things)).toEqual([])
    const cells = await firstPerson()
    expect(cells).toMatchObject({ Twice: 2, More: 2, Label: 'ann!', Things: expect.any(Array) })
    for (const name of ['Counts', 'Sum']) expect(cells).not.toHaveProperty(name)
    for (const name of ['lookup', 'rollup']) {
      expect(events).toContainEqual(
        expect.objectContaining({ name: 'field.updated', tableId: people.id, fieldId: ids[name] }),
      )
    }
    expect(await world.change(things, things.recordIds[0], { Name: 'saw' })).toMatchObject({
      Name: 'saw',
    })
    expect((await firstPerson()).Things).toMatchObject([{ title: 'saw' }, { title: 'bow' }])
  })

  test('[CALC-22] have an error when their link is deleted, from either end', async () => {
    const symmetric = await world.fieldOf(things, 'People')
    await world.api.fields.deleteField({ tableId: things.id, fieldId: symmetric.id })
    expect(await errorsIn(people)).toEqual(['Counts', 'Sum'])
    expect(await firstPerson()).toEqual({ Name: 'ann', Count: 1, Twice: 2, More: 2, Label: 'ann!' })
  })

  test('[CALC-22] have an error when the linked table is deleted', async () => {
    const other = await world.makeNames('Other', 'o')
    const options = { relationship: 'manyMany', foreignTableId: people.id }
    const link = await world.addField(other, { type: 'link', name: 'Who', options })
    const lookUp = (type: string, name: string, lookupFieldId = '') =>
      world.addField(other, {
        type,
        name,
        isLookup: true,
        lookupOptions: { linkFieldId: link.id, foreignTableId: people.id, lookupFieldId },
      })
    await lookUp('rollup', 'Sums', ids.rollup)
    await lookUp('singleLineText', 'Names', people.primaryId)
    await world.change(other, other.recordIds[0], { Who: people.recordIds })
    expect(await world.cellsOf(other, 'Sums')).toEqual([[3, 0]])
    await world.api.tables.deleteTable({ baseId: world.baseId, tableId: things.id })
    expect(await errorsIn(people)).toEqual(['Things', 'Counts', 'Sum'])
    expect(await errorsIn(other)).toEqual([])
    expect(await world.cellsOf(other, 'Sums')).toEqual([null])
    expect(await world.cellsOf(other, 'Names')).toEqual([['ann', 'bob']])
    expect(await firstPerson()).toEqual({
      Name: 'ann',
      Count: 1,
      Twice: 2,
      More: 2,
      Label: 'ann!',
      Other: [{ id: other.recordIds[0], title: 'o' }],
    })
  })

  test('[CALC-23] go with what they read, without an error of the others', async () => {
    await remove(people, 'count', 'twice', 'more')
    expect(await errorsIn(people)).toEqual([])
    expect(await firstPerson()).toMatchObject({ Sum: 3, Label: 'ann!' })
  })

  test('[CALC-3] [CALC-23] stay of their type for those that look them up', async () => {
    await remove(people, 'link')
    await world.convert(things, 'Count', { type: 'singleLineText' })
    expect(await world.fieldOf(people, 'Counts')).toMatchObject({ hasError: true, type: 'number' })
    const options = { relationship: 'manyOne', foreignTableId: people.id, isOneWay: true }
    const link = await world.addField(people, { type: 'link', name: 'Peer', options })
    const lookUp = (type: string) =>
      world.addField(people, {
        type,
        name: 'Peers',
        isLookup: true,
        lookupOptions: {
          linkFieldId: link.id,
          foreignTableId: people.id,
          lookupFieldId: ids.lookup,
        },
      })
    await expect(lookUp('singleLineText')).rejects.toMatchObject(invalidAt('type'))
    expect(await lookUp('number')).toMatchObject({ type: 'number' })
  })

  test('[CALC-23] can be read, renamed and deleted', async () => {
    await remove(people, 'count')
    const place = { tableId: people.id, fieldId: ids.twice ?? '' }
    expect(await world.api.fields.getField(place)).toMatchObject({
      hasError: true,
      name: 'Twice',
      type: 'formula',
      options: { expression: `{${ids.count}} * 2` },
    })
    await world.api.fields.updateField({ ...place, name: 'Double' })
    expect(await world.fieldOf(people, 'Double')).toMatchObject({ hasError: true })
    await world.api.fields.deleteField(place)
    expect(await errorsIn(people)).toEqual(['More'])
    const expression = { expression: '{More} & "x"' }
    const field = { type: 'formula', name: 'On top', options: expression }
    expect(await world.addField(people, field)).toMatchObject({ type: 'formula' })
  })
})
