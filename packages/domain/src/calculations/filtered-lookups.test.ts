import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Filter, FilterItem } from '../fields/filter.ts'
import { limits } from '../limits.ts'

const and = (...filterSet: (FilterItem | Filter)[]): Filter => ({ conjunction: 'and', filterSet })

describeOnEveryStorage('lookups and rollups with a filter', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let people: TestTable
  let things: TestTable
  let linkId: string

  beforeEach(async () => {
    const levels = ['low', 'high'].map((name) => ({ name }))
    things = await world.makeTable(
      'Things',
      [
        { type: 'singleLineText', name: 'Name' },
        { type: 'number', name: 'Count' },
        { type: 'number', name: 'Least' },
        { type: 'singleSelect', name: 'Level', options: { choices: levels } },
        { type: 'user', name: 'Owner' },
        { type: 'date', name: 'Day' },
      ],
      [
        { Name: 'axe', Count: 1, Least: 2, Level: 'low', Day: '2026-03-01' },
        { Name: 'bow', Count: 2, Least: 1, Level: 'high', Day: '2026-03-02' },
        { Name: 'cup', Count: 3, Level: 'low' },
      ],
    )
    people = await world.makeNames('People', 'ann', 'bob')
    const link = await world.addField(people, {
      type: 'link',
      name: 'Things',
      options: { relationship: 'manyMany', foreignTableId: things.id },
    })
    linkId = link.id
    await world.change(people, people.recordIds[0], { Things: [...things.recordIds].reverse() })
  })
  afterEach(() => world.clear())

  const item = async (
    name: string,
    operator: FilterItem['operator'],
    value: unknown = null,
  ): Promise<FilterItem> => ({ fieldId: (await world.fieldOf(things, name)).id, operator, value })
  const optionsOf = async (filter: Filter | null, name = 'Name') => {
    const lookupFieldId = (await world.fieldOf(things, name)).id
    return { foreignTableId: things.id, linkFieldId: linkId, lookupFieldId, filter }
  }
  const lookUp = async (filter: Filter | null, name = 'Seen') =>
    world.addField(people, {
      type: 'singleLineText',
      name,
      isLookup: true,
      lookupOptions: await optionsOf(filter),
    })
  const seen = async (name = 'Seen') => (await world.cellsOf(people, name))[0]
  const changeThing = (index: number, fields: object) =>
    world.change(things, things.recordIds[index], fields)

  test('[CALC-47] read the linked records alone that the filter lets through', async () => {
    const many = and(await item('Count', 'isGreater', 1))
    const field = await lookUp(many)
    expect(field).toMatchObject({ lookupOptions: { filter: many } })
    expect(await world.cellsOf(people, 'Seen')).toEqual([['cup', 'bow'], null])
    await world.addField(people, {
      type: 'rollup',
      name: 'Sum',
      options: { expression: 'sum({values})' },
      lookupOptions: await optionsOf(and(await item('Level', 'is', 'low')), 'Count'),
    })
    expect(await world.cellsOf(people, 'Sum')).toEqual([4, 0])
    await lookUp(null, 'All')
    expect(await seen('All')).toEqual(['cup', 'bow', 'axe'])
    expect(await world.fieldOf(people, 'All')).not.toHaveProperty('lookupOptions.filter')
  })

  test('[CALC-47] compare fields of the linked record', async () => {
    const value = { type: 'field', fieldId: (await world.fieldOf(things, 'Least')).id }
    await lookUp(and(await item('Count', 'isGreaterEqual', value)))
    expect(await seen()).toEqual(['bow'])
    await changeThing(0, { Least: 1 })
    expect(await seen()).toEqual(['bow', 'axe'])
  })

  test('[CALC-47] follow every field that the filter names, links and records', async () => {
    await lookUp(and(await item('Count', 'isGreater', 1), await item('Level', 'isNot', 'high')))
    expect(await seen()).toEqual(['cup'])
    await changeThing(1, { Level: 'low' })
    expect(await seen()).toEqual(['cup', 'bow'])
    await changeThing(2, { Count: 0 })
    expect(await seen()).toEqual(['bow'])
    const [added] = await world.add(things, {
      Name: 'dye',
      Count: 9,
      People: [people.recordIds[0]],
    })
    expect(await seen()).toEqual(['bow', 'dye'])
    await world.remove(things, added)
    expect(await seen()).toEqual(['bow'])
    await world.change(people, people.recordIds[0], { Things: [things.recordIds[0]] })
    expect(await seen()).toBeNull()
  })

  test('[CALC-47] follow computed and automatic fields that the filter names', async () => {
    await world.addField(things, {
      type: 'formula',
      name: 'Twice',
      options: { expression: '{Count} * 2' },
    })
    await world.addField(things, { type: 'lastModifiedTime', name: 'Changed' })
    await lookUp(and(await item('Twice', 'isGreater', 5)))
    await lookUp(and(await item('Changed', 'isNotEmpty')), 'Touched')
    expect([await seen(), await seen('Touched')]).toEqual([['cup'], null])
    await changeThing(1, { Count: 5 })
    expect([await seen(), await seen('Touched')]).toEqual([['cup', 'bow'], ['bow']])
  })

  test('[CALC-47] follow choices that get other names', async () => {
    const field = await lookUp(and(await item('Level', 'isAnyOf', ['low'])))
    const level = await world.fieldOf(things, 'Level')
    const { choices } = level.options as { choices: { id: string; name: string }[] }
    const [low, high] = choices
    await world.convert(things, 'Level', {
      type: 'singleSelect',
      options: { choices: [{ ...low, name: 'little' }, high] },
    })
    expect(await seen()).toEqual(['cup', 'axe'])
    const after = await world.fieldOf(people, 'Seen')
    expect(after.lookupOptions?.filter).toEqual(and(await item('Level', 'isAnyOf', ['little'])))
    expect(after.id).toBe(field.id)
    await changeThing(0, { Level: 'high' })
    expect(await seen()).toEqual(['cup'])
  })

  test('[CALC-47] can be changed and taken away', async () => {
    await lookUp(and(await item('Count', 'isGreater', 1)))
    const convert = async (filter: Filter | null) =>
      world.convert(people, 'Seen', {
        type: 'singleLineText',
        isLookup: true,
        lookupOptions: await optionsOf(filter),
      })
    await convert(and(await item('Count', 'isLess', 2)))
    expect(await seen()).toEqual(['axe'])
    await convert(null)
    expect(await seen()).toEqual(['cup', 'bow', 'axe'])
    expect((await world.fieldOf(people, 'Seen')).lookupOptions).not.toHaveProperty('filter')
  })

  test('[CALC-48] refuses what does not fit the linked table, with its place', async () => {
    const refused = async (filter: unknown, ...path: (string | number)[]) => {
      const made = lookUp(filter as Filter)
      await expect(made).rejects.toMatchObject({
        code: 'validation_error',
        data: { issues: [{ path: ['lookupOptions', 'filter', ...path] }] },
      })
    }
    const place = ['filterSet', 0] as const
    const own = { fieldId: people.primaryId, operator: 'is', value: 'x' } as const
    await refused(and(own), ...place, 'fieldId')
    await refused(and({ ...own, fieldId: 'Name' }), ...place, 'fieldId')
    await refused(and(and(await item('Name', 'isGreater', 1))), ...place, ...place, 'operator')
    await refused(and(await item('Count', 'is', 'many')), ...place, 'value')
    await refused(
      and(await item('Count', 'is', { type: 'field', fieldId: linkId })),
      ...place,
      'value',
      'fieldId',
    )
    await refused({ conjunction: 'nor', filterSet: [] }, 'conjunction')
    await refused(
      and(...new Array(60).fill(await item('Name', 'is', 'x'.repeat(limits.filterTextLength)))),
    )
  })

  test('[CALC-48] refuses what depends on who looks, or on the day', async () => {
    const refused = async (filter: Filter, member: string) =>
      expect(lookUp(filter)).rejects.toThrow(`lookupOptions.filter.filterSet.0.${member}`)
    await refused(and(await item('Owner', 'is', 'Me')), 'value')
    await refused(and(await item('Owner', 'isNoneOf', [world.ada.userId, 'Me'])), 'value')
    await refused(and(await item('Day', 'isBefore', { mode: 'today' })), 'value.mode')
    await refused(and(await item('Day', 'isWithIn', { mode: 'pastWeek' })), 'value.mode')
    await lookUp(and(await item('Owner', 'isNot', world.ada.userId)), 'Mine')
    const day = { mode: 'exactDate', exactDate: '2026-03-02' }
    await lookUp(and(await item('Day', 'isOnOrAfter', day)), 'Late')
    expect([await seen('Mine'), await seen('Late')]).toEqual([['cup', 'bow', 'axe'], ['bow']])
  })

  test('[CALC-8] refuses filters by which a field would follow from itself', async () => {
    await lookUp(null)
    const back = await world.fieldOf(things, 'People')
    const shown = await world.addField(things, {
      type: 'singleLineText',
      name: 'Back',
      isLookup: true,
      lookupOptions: {
        foreignTableId: people.id,
        linkFieldId: back.id,
        lookupFieldId: (await world.fieldOf(people, 'Seen')).id,
      },
    })
    const convert = world.convert(people, 'Seen', {
      type: 'singleLineText',
      isLookup: true,
      lookupOptions: await optionsOf(and({ fieldId: shown.id, operator: 'isEmpty' })),
    })
    await expect(convert).rejects.toThrow('would depend on itself')
    expect(await seen()).toEqual(['cup', 'bow', 'axe'])
  })

  test('[CALC-22] has an error while the filter names what is gone or does not fit', async () => {
    await lookUp(and(await item('Count', 'isGreater', 1)))
    await world.convert(things, 'Count', { type: 'singleLineText' })
    expect(await world.fieldOf(people, 'Seen')).toMatchObject({ hasError: true })
    expect(await seen()).toBeNull()
    await world.convert(things, 'Count', { type: 'number' })
    expect(await world.fieldOf(people, 'Seen')).not.toHaveProperty('hasError')
    expect(await seen()).toEqual(['cup', 'bow'])
    const { id: fieldId } = await world.fieldOf(things, 'Count')
    await world.api.fields.deleteField({ tableId: things.id, fieldId })
    expect(await world.fieldOf(people, 'Seen')).toMatchObject({ hasError: true })
    expect(await seen()).toBeNull()
  })

  test('[FIELD-149] is named among what the deletion of a field would break', async () => {
    const { id } = await lookUp(and(await item('Count', 'isGreater', 1)))
    const { id: fieldId } = await world.fieldOf(things, 'Count')
    const input = { tableId: things.id, fieldIds: [fieldId] }
    expect(await world.api.fields.getDeleteReferences(input)).toEqual({
      [fieldId]: [{ tableId: people.id, fieldId: id, name: 'Seen', type: 'singleLineText' }],
    })
    const plan = await world.api.fields.planDeletion({ tableId: things.id, fieldId })
    expect(plan).toMatchObject({ updateCellCount: 2 })
  })

  test('[CALC-47] is copied with its field and its table', async () => {
    const self = await world.addField(things, {
      type: 'link',
      name: 'Parts',
      options: { relationship: 'manyMany', foreignTableId: things.id, isOneWay: true },
    })
    const filter = and(await item('Count', 'isGreater', 1))
    const lookupOptions = { ...(await optionsOf(filter)), linkFieldId: self.id }
    const field = await world.addField(things, {
      type: 'singleLineText',
      name: 'Great parts',
      isLookup: true,
      lookupOptions,
    })
    await changeThing(0, { Parts: things.recordIds })
    const { id: copyId } = await world.api.fields.duplicateField({
      tableId: things.id,
      fieldId: field.id,
      name: 'Copy',
    })
    expect(copyId).not.toBe(field.id)
    expect((await world.cellsOf(things, 'Copy'))[0]).toEqual(['bow', 'cup'])
    const nodes = await world.api.tree.listNodes({ baseId: world.baseId })
    const node = nodes.find(({ resourceId }) => resourceId === things.id)
    const input = { baseId: world.baseId, nodeId: node?.id ?? '', includeRecords: true }
    const { resourceId } = await world.api.tree.duplicateNode(input)
    const table = { id: resourceId }
    const [first] = await world.api.records
      .listRecords({ tableId: resourceId, take: 1 })
      .then(({ records }) => records)
    expect((await world.cellsOf(table, 'Great parts'))[0]).toEqual(['bow', 'cup'])
    await world.change(table, first?.id, { Count: 7 })
    expect((await world.cellsOf(table, 'Great parts'))[0]).toEqual(['axe', 'bow', 'cup'])
  })

  describe('in the background', () => {
    test('[CALC-24] [CALC-26] are brought up to date', async () => {
      await lookUp(and(await item('Count', 'isGreater', 1)))
      await world.change(people, people.recordIds[1], { Things: things.recordIds })
      await withLimits({ recordsCalculated: 1, ...recordsPerSlice(1) }, async () => {
        await changeThing(0, { Count: 5 })
        expect(await world.fieldOf(people, 'Seen')).toMatchObject({ isPending: true })
        await changeThing(1, { Count: 0 })
        await world.finishJobs()
      })
      expect(await world.fieldOf(people, 'Seen')).not.toHaveProperty('isPending')
      expect(await world.cellsOf(people, 'Seen')).toEqual([
        ['cup', 'axe'],
        ['axe', 'cup'],
      ])
    })

    test('[CALC-25] wait for pending fields that the filter names', async () => {
      await world.addField(things, {
        type: 'rollup',
        name: 'Holders',
        lookupOptions: {
          foreignTableId: people.id,
          linkFieldId: (await world.fieldOf(things, 'People')).id,
          lookupFieldId: people.primaryId,
        },
      })
      await withLimits({ recordsCalculated: 1, ...recordsPerSlice(1) }, async () => {
        await world.change(people, people.recordIds[1], { Things: things.recordIds })
        expect(await world.fieldOf(things, 'Holders')).toMatchObject({ isPending: true })
        await lookUp(and(await item('Holders', 'isGreater', 1)))
        expect(await world.fieldOf(people, 'Seen')).toMatchObject({ isPending: true })
        await world.finishJobs()
      })
      expect(await world.cellsOf(people, 'Seen')).toEqual([
        ['cup', 'bow', 'axe'],
        ['axe', 'bow', 'cup'],
      ])
    })
  })

  test('[CALC-49] take fewer records at a time where the filter takes many steps, and none beyond', async () => {
    await world.change(people, people.recordIds[0], { Things: things.recordIds.slice(0, 1) })
    await world.change(people, people.recordIds[1], { Things: things.recordIds.slice(1) })
    // Each thing takes 12 steps: all of them are too many for one pass, those of one person are not.
    await withLimits({ linkFilterSteps: 30 }, async () => {
      await lookUp(and(await item('Count', 'isGreater', 0)))
      expect(await world.cellsOf(people, 'Seen')).toEqual([['axe'], ['bow', 'cup']])
      await world.change(people, people.recordIds[0], { Things: things.recordIds })
      expect(await world.cellsOf(people, 'Seen')).toEqual([null, ['bow', 'cup']])
    })
  })
})
