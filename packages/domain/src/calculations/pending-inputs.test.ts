import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('what follows from pending fields', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let people: TestTable
  let bosses: TestTable

  beforeAll(async () => {
    await world.finishJobs()
  })
  beforeEach(async () => {
    people = await world.makeNames('People', 'a', 'b', 'c', 'd', 'e')
    bosses = await world.makeNames('Bosses', 'eve', 'max')
    const options = { relationship: 'manyMany', foreignTableId: people.id }
    await world.addField(bosses, { type: 'link', name: 'Staff', options })
  })
  afterEach(async () => {
    await world.clear()
    await world.finishJobs()
  })

  const few = <T>(work: () => Promise<T>) =>
    withLimits({ recordsCalculated: 3, ...recordsPerSlice(2) }, work)
  const addFormula = (table: TestTable, name: string, expression: string) =>
    world.addField(table, { type: 'formula', name, options: { expression } })
  const addLookup = async (name: string, of: string) => {
    const link = await world.fieldOf(bosses, 'Staff')
    const { id: lookupFieldId, type } = await world.fieldOf(people, of)
    return world.addField(bosses, {
      type,
      name,
      isLookup: true,
      lookupOptions: { linkFieldId: link.id, foreignTableId: people.id, lookupFieldId },
    })
  }

  /** Copies a table, mostly with its records. */
  const duplicate = async ({ id }: TestTable, includeRecords = true) => {
    const { baseId, api } = world
    const nodes = await api.tree.listNodes({ baseId })
    const { id: nodeId } = nodes.find(({ resourceId }) => resourceId === id) ?? { id: '' }
    const copy = await api.tree.duplicateNode({ baseId, nodeId, includeRecords })
    return { id: copy.resourceId }
  }

  test('[CALC-25] a field that is made meanwhile waits, too', async () => {
    await few(async () => {
      const [eve] = bosses.recordIds
      await world.change(bosses, eve, { Staff: [people.recordIds[4]] })
      await addFormula(people, 'Twice', '{Count} * 2')
      expect(await addLookup('Doubles', 'Twice')).toMatchObject({ isPending: true })
      await world.finishJobs()
      expect(await world.cellsOf(bosses, 'Doubles')).toEqual([[10], null])
    })
  })

  test('[CALC-25] [CALC-26] a link that is made meanwhile waits for its titles', async () => {
    await few(async () => {
      const { id: lookupFieldId } = await addFormula(people, 'Twice', '{Count} * 2')
      const options = { relationship: 'manyOne', foreignTableId: people.id, lookupFieldId }
      const link = await world.addField(bosses, { type: 'link', name: 'Late', options })
      expect(link).toMatchObject({ isPending: true })
      expect((await world.fieldOf(bosses, 'Late')).isPending).toBe(true)
      await addFormula(bosses, 'Text', '{Late} & "!"')
      await world.add(bosses, { Name: 'new', Late: people.recordIds[4] })
      await world.change(bosses, bosses.recordIds[0], { Late: people.recordIds[3] })
      await world.finishJobs()
      expect(await world.textsOf(bosses, 'Late')).toEqual(['8.00', null, '10.00'])
      expect(await world.textsOf(bosses, 'Text')).toEqual(['8.00!', '!', '10.00!'])
    })
  })

  test('[CALC-25] [CALC-26] the other end of a link that is made meanwhile waits for its titles', async () => {
    await few(async () => {
      const options = { expression: '{Count} * 2' }
      await world.convert(people, 'Name', { type: 'formula', options })
      const link = { relationship: 'oneMany', foreignTableId: bosses.id }
      await world.addField(people, { type: 'link', name: 'Boss of', options: link })
      expect((await world.fieldOf(bosses, 'People')).isPending).toBe(true)
      await world.change(people, people.recordIds[4], { 'Boss of': [bosses.recordIds[1]] })
      await world.finishJobs()
      expect(await world.textsOf(bosses, 'People')).toEqual([null, '10.00'])
    })
  })

  /** Fields of a table that link to people and read, through that, what they have in the field. */
  const fieldsReading = (lookupFieldId: string) => {
    const id = 'fld0000000000Staff0'
    const foreignTableId = people.id
    const lookupOptions = { linkFieldId: id, foreignTableId, lookupFieldId }
    const options = { relationship: 'oneMany', foreignTableId, isOneWay: true, lookupFieldId }
    return [
      { type: 'singleLineText', name: 'Name' },
      { type: 'link', name: 'Staff', id, options },
      { type: 'formula', name: 'Doubles', isLookup: true, lookupOptions },
      {
        type: 'rollup',
        name: 'Sum',
        options: { expression: 'sum({values})' },
        lookupOptions,
      },
      { type: 'formula', name: 'Text', options: { expression: '{Name} & {Sum} & {Staff}' } },
    ]
  }
  const readings = async (table: Pick<TestTable, 'id'>) =>
    Promise.all(['Staff', 'Doubles', 'Sum', 'Text'].map((name) => world.textsOf(table, name)))

  test('[CALC-25] [CALC-26] fields of a table that is made meanwhile wait', async () => {
    await few(async () => {
      const { id: fieldId } = await addFormula(people, 'Twice', '{Count} * 2')
      const first = { Name: 'x', Staff: [people.recordIds[4]] }
      const table = await world.makeTable('Late', fieldsReading(fieldId), [first])
      await world.add(table, { Name: 'y', Staff: [people.recordIds[3]] })
      const fields = await world.api.fields.listFields({ tableId: table.id })
      expect(fields.flatMap(({ name, isPending }) => (isPending ? [name] : []))).toEqual([
        'Staff',
        'Doubles',
        'Sum',
        'Text',
      ])
      await world.finishJobs()
      expect(await readings(table)).toEqual([
        ['10.00', '8.00'],
        ['10.00', '8.00'],
        ['10.00', '8.00'],
        ['x1010.00', 'y88.00'],
      ])
    })
  })

  test.each([true, false])(
    '[CALC-25] [CALC-26] fields of a table that is copied meanwhile wait, with records: %s',
    async (includeRecords) => {
      await few(async () => {
        const { id: fieldId } = await addFormula(people, 'Twice', '{Count} * 2')
        await world.finishJobs()
        const table = await world.makeTable('Late', fieldsReading(fieldId), [{ Name: 'x' }])
        await world.convert(people, 'Twice', {
          type: 'formula',
          options: { expression: '{Count} * 3' },
        })
        const copy = await duplicate(table, includeRecords)
        await world.add(copy, { Name: 'y', Staff: [people.recordIds[3]] })
        await world.finishJobs()
        const [staff, doubles, sum, text] = await readings(copy)
        expect([staff, doubles, sum, text].map((texts) => texts?.at(-1))).toEqual([
          '12.00',
          '12.00',
          '12.00',
          'y1212.00',
        ])
      })
    },
  )

  test('[CALC-26] records that are added meanwhile read what is right in the end', async () => {
    await few(async () => {
      await addFormula(people, 'Twice', '{Count} * 2')
      await world.finishJobs()
      await addFormula(people, 'More', '{Twice} + 1')
      await world.finishJobs()
      await addLookup('Mores', 'More')
      await world.finishJobs()
      await world.convert(people, 'Twice', {
        type: 'formula',
        options: { expression: '{Count} * 3' },
      })
      await world.add(bosses, { Name: 'new', Staff: [people.recordIds[4]] })
      await world.finishJobs()
      expect(await world.cellsOf(people, 'More')).toEqual([4, 7, 10, 13, 16])
      expect(await world.cellsOf(bosses, 'Mores')).toEqual([null, null, [16]])
    })
  })

  test.each([true, false])(
    '[CALC-25] links whose titles are behind have one at once, and the right one in the end, one-way: %s',
    async (isOneWay) => {
      const formula = (expression: string) => ({ type: 'formula', options: { expression } })
      await few(async () => {
        await world.convert(people, 'Name', formula('{Count} * 2'))
        await world.finishJobs()
        await world.addField(bosses, { type: 'singleLineText', name: 'Who' })
        await world.change(bosses, bosses.recordIds[0], { Who: people.recordIds[4] })
        await world.convert(people, 'Name', formula('{Count} * 3'))
        const options = { relationship: 'manyOne', foreignTableId: people.id, isOneWay }
        const link = await world.convert(bosses, 'Who', { type: 'link', options })
        expect(link).toMatchObject({ isPending: true })
        expect(await world.textsOf(bosses, 'Who')).toEqual(['10.00', null])
        await world.finishJobs()
        expect(await world.textsOf(bosses, 'Who')).toEqual(['15.00', null])
      })
    },
  )

  test('[CALC-24] nobody is left out where others have many links', async () => {
    const [eve, max] = bosses.recordIds
    const all = people.recordIds.toSorted()
    await world.change(bosses, eve, { Staff: all })
    await world.change(bosses, max, { Staff: all.slice(-1) })
    await withLimits({ recordsCalculated: 2 }, async () => {
      const records = all.map((id) => ({ id, fields: { Name: 'same' } }))
      await world.api.records.updateRecords({ tableId: people.id, records })
      expect(await world.textsOf(bosses, 'Staff')).toEqual([
        all.map(() => 'same').join(', '),
        'same',
      ])
    })
  })

  const makePendingLinks = async () => {
    const [eve] = bosses.recordIds
    await world.change(bosses, eve, { Staff: people.recordIds })
    expect((await world.fieldOf(people, 'Bosses')).isPending).toBe(true)
  }

  test('[CALC-26] links that are changed from an end that is behind are right at both', async () => {
    await few(async () => {
      await makePendingLinks()
      const [a, b] = people.recordIds
      const [eve, max] = bosses.recordIds
      await world.change(people, a, { Bosses: [max] })
      await world.change(people, b, { Bosses: null })
      await world.finishJobs()
      expect(await world.cellsOf(people, 'Bosses')).toEqual([
        [{ id: max, title: 'max' }],
        null,
        ...[1, 2, 3].map(() => [{ id: eve, title: 'eve' }]),
      ])
      const titles = await world.textsOf(bosses, 'Staff')
      expect(titles).toEqual(['c, d, e', 'a'])
    })
  })

  test('[CALC-26] a copy of links that are behind', async () => {
    await few(async () => {
      await makePendingLinks()
      const { id: fieldId } = await world.fieldOf(people, 'Bosses')
      await world.api.fields.duplicateField({ tableId: people.id, fieldId, name: 'Copy' })
      await world.finishJobs()
      const texts = ['eve', 'eve', 'eve', 'eve', 'eve']
      expect(await world.textsOf(people, 'Bosses')).toEqual(texts)
      expect(await world.textsOf(people, 'Copy')).toEqual(texts)
    })
  })

  test('[CALC-26] a copy of a table with fields that are behind', async () => {
    await few(async () => {
      await makePendingLinks()
      await addFormula(people, 'Twice', '{Count} * 2')
      const copy = await duplicate(people)
      await world.finishJobs()
      expect(await world.textsOf(copy, 'Bosses')).toEqual(['eve', 'eve', 'eve', 'eve', 'eve'])
      expect(await world.cellsOf(copy, 'Twice')).toEqual([2, 4, 6, 8, 10])
    })
  })
})
