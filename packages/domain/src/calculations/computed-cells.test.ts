import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('computed cells', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  /** Each order has items; each item is of one product. */
  let products: TestTable
  let items: TestTable
  let orders: TestTable

  beforeEach(async () => {
    const id = {
      product: 'fldProductOfItem000',
      item: 'fldItemsOfOrder0000',
      price: 'fldPriceOfProduct00',
      cost: 'fldCostOfItem000000',
    }
    products = await world.makeTable(
      'Products',
      [
        { type: 'singleLineText', name: 'Name' },
        { type: 'number', name: 'Price', id: id.price },
      ],
      [
        { Name: 'axe', Price: 10 },
        { Name: 'bow', Price: 5 },
      ],
    )
    const [axe, bow] = products.recordIds
    const product = { relationship: 'manyOne', foreignTableId: products.id }
    const price = {
      linkFieldId: id.product,
      foreignTableId: products.id,
      lookupFieldId: id.price,
    }
    items = await world.makeTable(
      'Items',
      [
        { type: 'autoNumber', name: 'No' },
        { type: 'number', name: 'Amount' },
        { type: 'link', name: 'Product', id: id.product, options: product },
        { type: 'number', name: 'Price', isLookup: true, lookupOptions: price },
        {
          type: 'formula',
          name: 'Cost',
          id: id.cost,
          options: { expression: '{Price} * {Amount}' },
        },
      ],
      [
        { Amount: 2, Product: axe },
        { Amount: 3, Product: bow },
        { Amount: 4, Product: bow },
      ],
    )
    const cost = { linkFieldId: id.item, foreignTableId: items.id, lookupFieldId: id.cost }
    orders = await world.makeTable(
      'Orders',
      [
        { type: 'singleLineText', name: 'Name' },
        {
          type: 'link',
          name: 'Items',
          id: id.item,
          options: { relationship: 'oneMany', foreignTableId: items.id },
        },
        {
          type: 'rollup',
          name: 'Sum',
          options: { expression: 'sum({values})' },
          lookupOptions: cost,
        },
        { type: 'formula', name: 'Text', options: { expression: '{Name} & ": " & {Sum}' } },
        { type: 'formula', name: 'Is large', options: { expression: '{Sum} > 30' } },
      ],
      [{ Name: 'first', Items: items.recordIds.slice(0, 2) }, { Name: 'second' }],
    )
  })
  afterEach(() => world.clear())

  const versionsOf = async ({ id: tableId, recordIds }: TestTable) => {
    const records = recordIds.map((recordId) => world.api.records.getRecord({ tableId, recordId }))
    return (await Promise.all(records)).map(({ version }) => version)
  }

  test('[CALC-11] [CALC-12] [CALC-20] follow from one another over three tables', async () => {
    expect(await world.cellsOf(items, 'Cost')).toEqual([20, 15, 20])
    expect(await world.cellsOf(orders, 'Sum')).toEqual([35, 0])
    expect(await world.cellsOf(orders, 'Text')).toEqual(['first: 35', 'second: 0'])
    expect(await world.cellsOf(orders, 'Is large')).toEqual([true, false])
    await world.change(products, products.recordIds[0], { Price: 1.5 })
    expect(await world.cellsOf(items, 'Cost')).toEqual([3, 15, 20])
    expect(await world.cellsOf(orders, 'Text')).toEqual(['first: 18', 'second: 0'])
    expect(await world.cellsOf(orders, 'Is large')).toEqual([false, false])
  })

  test('[CALC-12] answer a write as they are after it', async () => {
    const [first, second] = orders.recordIds
    const [one, two, three] = items.recordIds
    expect(await world.change(orders, first, { Items: [three], Name: 'new' })).toEqual({
      Name: 'new',
      Items: [{ id: three, title: '3' }],
      Sum: 20,
      Text: 'new: 20',
      'Is large': false,
    })
    const rows = [
      { id: second, fields: { Items: [three, one] } },
      { id: first, fields: { Items: [two] } },
    ]
    const answered = await world.api.records.updateRecords({
      tableId: orders.id,
      records: rows as never,
    })
    expect(answered.map(({ fields: { Sum, Text } }) => [Sum, Text])).toEqual([
      [40, 'second: 40'],
      [15, 'new: 15'],
    ])
    const [made] = await world.add(orders, { Name: 'third', Items: [] })
    expect(await world.recordOf(orders, made)).toEqual({
      Name: 'third',
      Sum: 0,
      Text: 'third: 0',
      'Is large': false,
    })
  })

  test('[CALC-12] follow links that are made at the other end', async () => {
    const [one] = items.recordIds
    await world.change(items, one, { Orders: orders.recordIds[1] })
    expect(await world.cellsOf(orders, 'Sum')).toEqual([15, 20])
    await world.add(items, {
      Amount: 100,
      Product: products.recordIds[1],
      Orders: orders.recordIds[0],
    })
    expect(await world.cellsOf(orders, 'Sum')).toEqual([515, 20])
    await world.change(items, one, { Orders: null })
    expect(await world.cellsOf(orders, 'Sum')).toEqual([515, 0])
  })

  test('[CALC-19] hold nothing of deleted records', async () => {
    await world.remove(items, items.recordIds[0])
    expect(await world.cellsOf(orders, 'Sum')).toEqual([15, 0])
    await world.remove(products, products.recordIds[1])
    expect(await world.cellsOf(items, 'Cost')).toEqual([0, 0])
    expect(await world.cellsOf(orders, 'Text')).toEqual(['first: 0', 'second: 0'])
    expect(await world.cellsOf(products, 'Items')).toEqual([null])
  })

  test('[CALC-13] count as changes of their records, but for author and time', async () => {
    const before = await Promise.all([products, items, orders].map(versionsOf))
    const place = { tableId: orders.id, recordId: orders.recordIds[0] ?? '' }
    const { lastModifiedTime, lastModifiedBy } = await world.api.records.getRecord(place)
    world.clock.advance(1_000)
    const bob = await world.newCollaborator('Bob', 'editor')
    const [axe = ''] = products.recordIds
    const answer = await bob.api.records.updateRecord({
      tableId: products.id,
      recordId: axe,
      record: { fields: { Price: 11 } },
    })
    const after = await Promise.all([products, items, orders].map(versionsOf))
    const grown = after.map((versions, t) => versions.map((v, i) => v - (before[t]?.[i] ?? 0)))
    expect(grown).toEqual([
      [1, 0],
      [expect.any(Number), 0, 0],
      [expect.any(Number), 0],
    ])
    expect(grown[1]?.[0]).toBeGreaterThan(0)
    expect(grown[2]?.[0]).toBeGreaterThan(0)
    expect(answer.version).toBe(after[0]?.[0])
    const found = await world.api.records.getRecord(place)
    expect(found).toMatchObject({ lastModifiedTime, lastModifiedBy })
    const stale = { ifMatch: [before[2]?.[0] ?? 0] }
    await expect(
      world.api.records.updateRecord({ ...place, record: { fields: { Name: 'x' } } }, stale),
    ).rejects.toMatchObject({ code: 'precondition_failed' })
    const same = { ifMatch: [found.version] }
    await world.api.records.updateRecord({ ...place, record: { fields: { Name: 'x' } } }, same)
  })

  test('[CALC-13] stay, with their records, where the result is the same', async () => {
    const before = await versionsOf(orders)
    const [one, two] = items.recordIds
    const rows = [
      { id: one, fields: { Amount: 2.5 } },
      { id: two, fields: { Amount: 2 } },
    ]
    const events = await world.heard(() =>
      world.api.records.updateRecords({ tableId: items.id, records: rows as never }),
    )
    expect(await world.cellsOf(items, 'Cost')).toEqual([25, 10, 20])
    expect(await world.cellsOf(orders, 'Sum')).toEqual([35, 0])
    expect(await versionsOf(orders)).toEqual(before)
    expect(events).not.toContainEqual(expect.objectContaining({ tableId: orders.id }))
  })

  test('[CALC-14] that changed are told of', async () => {
    const { userId } = world.ada
    const name = 'record.updated'
    const [one] = items.recordIds
    const [first, second] = orders.recordIds
    const [axe, bow] = products.recordIds
    expect(await world.heard(() => world.change(products, axe, { Price: 9 }))).toEqual([
      { name, userId, tableId: products.id, recordIds: [axe] },
      { name, userId, tableId: items.id, recordIds: [one] },
      { name, userId, tableId: orders.id, recordIds: [first] },
    ])
    const events = await world.heard(() =>
      world.change(orders, second, { Items: [one] }).catch(() => {}),
    )
    expect(events).toEqual([])
    const moved = await world.heard(() =>
      world.change(items, one, { Orders: second, Product: bow }),
    )
    expect(moved).toContainEqual({
      name,
      userId,
      tableId: orders.id,
      recordIds: expect.arrayContaining([first, second]),
    })
    expect(moved).toContainEqual({
      name,
      userId,
      tableId: products.id,
      recordIds: expect.arrayContaining([axe, bow]),
    })
  })

  test('[CALC-15] take nothing that is sent for them', async () => {
    const [first] = orders.recordIds
    const sent = { Sum: 1, Text: 'x', 'Is large': false }
    const before = await world.recordOf(orders, first)
    expect(await world.change(orders, first, sent)).toEqual(before)
    expect(await world.change(orders, first, sent, true)).toEqual(before)
    const [made] = await world.add(orders, { ...sent, Name: 'x' })
    expect(await world.recordOf(orders, made)).toEqual({
      Name: 'x',
      Sum: 0,
      Text: 'x: 0',
      'Is large': false,
    })
  })

  test('[CALC-12] are right in more records than one statement takes', async () => {
    const [first] = orders.recordIds
    const [axe] = products.recordIds
    const rows = Array.from({ length: 1_200 }, () => ({ Amount: 1, Product: axe }))
    const made = await world.add(items, ...rows)
    await world.change(orders, first, { Items: made })
    expect((await world.cellsOf(orders, 'Sum'))[0]).toBe(12_000)
    await world.change(products, axe, { Price: 2 })
    expect((await world.cellsOf(orders, 'Sum'))[0]).toBe(2_400)
    const costs = await world.cellsOf(items, 'Cost')
    expect(costs.slice(3)).toEqual(rows.map(() => 2))
  })

  test('[CALC-12] are right after writes that come at one time', async () => {
    const [axe, bow] = products.recordIds
    const [first, second] = orders.recordIds
    const [one, two, three] = items.recordIds
    await Promise.all([
      ...items.recordIds.map((id) => world.change(items, id, { Amount: 7 })),
      world.change(products, axe, { Price: 3 }),
      world.change(products, bow, { Price: 4 }),
      world.change(orders, first, { Name: 'new' }),
      world.change(items, one, { Product: bow }),
      world.change(items, three, { Orders: second }),
      world.change(products, axe, { Name: 'saw' }),
    ])
    expect(await world.cellsOf(items, 'Cost')).toEqual([28, 28, 28])
    expect(await world.cellsOf(orders, 'Text')).toEqual(['new: 56', 'second: 28'])
    const removed = [world.remove(items, two), world.change(products, bow, { Price: 1 })]
    await Promise.all([...removed, world.change(items, one, { Amount: 2 })])
    expect(await world.cellsOf(orders, 'Text')).toEqual(['new: 2', 'second: 7'])
  })

  test('[CALC-11] of a new field are there in all records, of a deleted one nowhere', async () => {
    const field = await world.addField(items, {
      type: 'formula',
      name: 'Half',
      options: { expression: '{Cost} / 2' },
    })
    expect(await world.cellsOf(items, 'Half')).toEqual([10, 7.5, 10])
    expect(field).not.toHaveProperty('isPending')
    await world.api.fields.deleteField({ tableId: items.id, fieldId: field.id })
    expect(await world.recordOf(items, items.recordIds[0])).not.toHaveProperty('Half')
  })
})
