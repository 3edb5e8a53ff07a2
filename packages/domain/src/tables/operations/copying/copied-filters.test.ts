import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Filter } from '../../../fields/filter.ts'

describeOnEveryStorage('filters of copied tables', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let things: TestTable
  let filter: Filter
  let viewId: string

  afterEach(() => world.clear())
  beforeEach(async () => {
    things = await world.makeNames('Things', 'axe', 'bow', 'cup')
    const part = await world.addField(things, {
      type: 'link',
      name: 'Part of',
      options: { relationship: 'manyOne', foreignTableId: things.id, isOneWay: true },
    })
    const reading = { foreignTableId: things.id, linkFieldId: part.id }
    const whole = await world.addField(things, {
      type: 'link',
      name: 'Part of that',
      isLookup: true,
      lookupOptions: { ...reading, lookupFieldId: part.id },
    })
    const [axe = '', bow = ''] = things.recordIds
    await world.change(things, bow, { 'Part of': axe })
    await world.change(things, things.recordIds[2], { 'Part of': bow })
    filter = {
      conjunction: 'or',
      filterSet: [
        { fieldId: part.id, operator: 'is', value: axe },
        {
          conjunction: 'and',
          filterSet: [{ fieldId: whole.id, operator: 'isAnyOf', value: [axe, bow] }],
        },
        { fieldId: part.id, operator: 'contains', value: axe },
        { fieldId: things.primaryId, operator: 'is', value: axe },
      ],
    }
    const view = await world.api.views.createView({ tableId: things.id, type: 'grid', filter })
    viewId = view.id
    await world.addField(things, {
      type: 'link',
      name: 'Chosen',
      options: {
        relationship: 'manyMany',
        foreignTableId: things.id,
        isOneWay: true,
        filterByViewId: viewId,
        filter,
      },
    })
    await world.change(things, axe, { Chosen: things.recordIds })
    const link = await world.fieldOf(things, 'Chosen')
    await world.addField(things, {
      type: 'link',
      name: 'All chosen',
      isLookup: true,
      lookupOptions: { ...reading, lookupFieldId: link.id },
    })
    await world.addField(things, {
      type: 'singleLineText',
      name: 'Parts',
      isLookup: true,
      lookupOptions: {
        foreignTableId: things.id,
        linkFieldId: link.id,
        lookupFieldId: things.primaryId,
        filter,
      },
    })
  })

  const duplicate = async (includeRecords: boolean) => {
    const { id: tableId } = things
    const input = { baseId: world.baseId, nodeId: tableId, includeRecords }
    const { resourceId } = await world.api.tree.duplicateNode(input)
    return { id: resourceId }
  }
  const shown = async (table: { id: string }) => {
    const views = await world.api.views.listViews({ tableId: table.id })
    const view = views.find((one) => one.filter)
    const input = { tableId: table.id, viewId: view?.id }
    const { records } = await world.api.records.listRecords(input)
    return { view, names: records.map(({ name }) => name) }
  }

  test('[TABLE-29] name the copies of records, views and fields', async () => {
    expect((await shown(things)).names).toEqual(['bow', 'cup'])
    expect((await world.cellsOf(things, 'Parts'))[0]).toEqual(['bow', 'cup'])
    const copy = await duplicate(true)
    const { view, names } = await shown(copy)
    expect(names).toEqual(['bow', 'cup'])
    const link = await world.fieldOf(copy, 'Chosen')
    expect(link.options).toMatchObject({ filterByViewId: view?.id, filter: view?.filter })
    expect(view?.id).not.toBe(viewId)
    expect((await world.fieldOf(copy, 'All chosen')).options).toEqual(link.options)
    expect((await world.cellsOf(copy, 'Parts'))[0]).toEqual(['bow', 'cup'])
    const { records } = await world.api.records.listRecords({ tableId: copy.id })
    const [axe, bow, cup] = records.map(({ id }) => id)
    expect(things.recordIds).not.toContain(axe)
    await world.change(copy, cup, { 'Part of': null })
    expect((await shown(copy)).names).toEqual(['bow'])
    expect((await world.cellsOf(copy, 'Parts'))[0]).toEqual(['bow'])
    const [first, inner, title, text] = view?.filter?.filterSet ?? []
    expect(first).toMatchObject({ value: axe })
    expect(inner).toMatchObject({ filterSet: [{ value: [axe, bow] }] })
    // Titles and texts that read like an id are what they are.
    expect([title, text]).toMatchObject([
      { value: things.recordIds[0] },
      { value: things.recordIds[0] },
    ])
  })

  test('[TABLE-29] go on naming the records of the original where these stay behind', async () => {
    const { view, names } = await shown(await duplicate(false))
    expect(names).toEqual([])
    expect(view?.filter?.filterSet[0]).toMatchObject({ value: things.recordIds[0] })
  })
})
