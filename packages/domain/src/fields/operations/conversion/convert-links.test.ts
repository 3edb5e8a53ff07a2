import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hasMany, type Relationship, relationships, reversed } from '../../link-end.ts'

describeOnEveryStorage('links that are converted', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let people: TestTable
  let things: TestTable

  beforeEach(async () => {
    people = await world.makeNames('People', 'ann', 'bob', 'cid')
    things = await world.makeNames('Things', 'axe', 'bow', 'cup')
  })
  afterEach(() => world.clear())

  const linkTo = (to: TestTable, relationship: Relationship, options: object = {}) => ({
    type: 'link',
    options: { relationship, foreignTableId: to.id, ...options },
  })
  const addOwns = (relationship: Relationship, options: object = {}) =>
    world.addField(people, { ...linkTo(things, relationship, options), name: 'Owns' })
  const convert = (definition: object) => world.convert(people, 'Owns', definition)
  /** The titles in the cells of a link, joined. */
  const titlesOf = async (table: TestTable, name: string) =>
    (await world.textsOf(table, name)).map((text) => text ?? '')
  const names = async ({ id: tableId }: TestTable) =>
    (await world.api.fields.listFields({ tableId })).map(({ name }) => name)
  /** Links the records of the table, one after the other, to those of the other one with the numbers. */
  const link = async (table: TestTable, name: string, ...cells: readonly (readonly number[])[]) => {
    const other = table === people ? things : people
    const { isMultipleCellValue } = await world.fieldOf(table, name)
    for (const [index, cell] of cells.entries()) {
      const ids = cell.map((number) => other.recordIds[number])
      const value = isMultipleCellValue ? ids : (ids[0] ?? null)
      await world.change(table, table.recordIds[index], { [name]: value })
    }
  }

  test('[FIELD-131] refuses links that can’t be, and leaves the link as it was', async () => {
    await addOwns('manyMany')
    await link(people, 'Owns', [0, 1], [1])
    const refuses = (definition: object, ...path: readonly string[]) =>
      world.expectNoTrace(() => convert(definition), invalidAt(...path))
    const options = { foreignTableId: things.id }
    await refuses({ type: 'link', options }, 'options', 'relationship')
    await refuses(linkTo({ ...things, id: 'tbl0' }, 'oneOne'), 'options', 'foreignTableId')
    await refuses(
      linkTo(things, 'manyMany', { lookupFieldId: people.primaryId }),
      'options',
      'lookupFieldId',
    )
    await refuses({ ...linkTo(things, 'oneOne'), notNull: true }, 'notNull')
    expect(await titlesOf(people, 'Owns')).toEqual(['axe, bow', 'bow', ''])
    expect(await titlesOf(things, 'People')).toEqual(['ann', 'ann, bob', ''])
  })

  test('[FIELD-135] makes links of texts by title', async () => {
    const text = { type: 'longText', name: 'Owns' }
    await world.addField(people, text)
    for (const [index, Owns] of ['bow, axe', 'bow', 'hat'].entries()) {
      await world.change(people, people.recordIds[index], { Owns })
    }
    await world.remove(things, things.recordIds[2])
    const { userId } = world.ada
    const events = await world.heard(() => convert(linkTo(things, 'manyMany')))
    expect(await titlesOf(people, 'Owns')).toEqual(['bow, axe', 'bow', ''])
    expect(await titlesOf(things, 'People')).toEqual(['ann', 'ann, bob'])
    const { id: fieldId } = await world.fieldOf(people, 'Owns')
    const { id: symmetricId } = await world.fieldOf(things, 'People')
    const place = { userId, tableId: people.id, fieldId }
    const there = { userId, tableId: things.id, fieldId: symmetricId }
    expect(events.filter((event) => 'fieldId' in event)).toEqual(
      expect.arrayContaining([
        { name: 'field.updated', ...place },
        { name: 'field.created', ...there },
      ]),
    )
    expect(await convert(text)).toMatchObject({ type: 'longText', dbFieldType: 'TEXT' })
    expect(await world.cellsOf(people, 'Owns')).toEqual(['bow, axe', 'bow', null])
    expect(await names(things)).toEqual(['Name', 'Count'])
    await convert(linkTo(things, 'manyOne', { isOneWay: true }))
    expect(await titlesOf(people, 'Owns')).toEqual(['bow', 'bow', ''])
    expect(await names(things)).toEqual(['Name', 'Count'])
  })

  test('[FIELD-135] gives a record that only one may link to, to the first', async () => {
    await world.addField(people, { type: 'longText', name: 'Owns' })
    for (const [index, Owns] of ['axe, bow', 'bow, cup', 'axe'].entries()) {
      await world.change(people, people.recordIds[index], { Owns })
    }
    await withLimits({ ...recordsPerSlice(1) }, () => convert(linkTo(things, 'oneMany')))
    expect(await titlesOf(people, 'Owns')).toEqual(['axe, bow', 'cup', ''])
    expect(await titlesOf(things, 'People')).toEqual(['ann', 'ann', 'bob'])
    await convert({ type: 'longText' })
    await convert(linkTo(things, 'oneOne'))
    expect(await titlesOf(people, 'Owns')).toEqual(['axe', 'cup', ''])
  })

  test('[FIELD-135] makes links by what is shown of the field that titles come from', async () => {
    await world.addField(people, { type: 'number', name: 'Owns' })
    await world.change(people, people.recordIds[1], { Owns: 2 })
    const { id: lookupFieldId } = await world.fieldOf(things, 'Count')
    await convert(linkTo(things, 'manyOne', { lookupFieldId }))
    expect(await world.cellsOf(people, 'Owns')).toEqual([
      null,
      { id: things.recordIds[1], title: '2.00' },
      null,
    ])
  })

  test('[FIELD-135] links nothing of a deleted record', async () => {
    await world.addField(people, { type: 'longText', name: 'Owns' })
    for (const recordId of people.recordIds) await world.change(people, recordId, { Owns: 'axe' })
    await world.remove(people, people.recordIds[0])
    await convert(linkTo(things, 'oneOne'))
    expect(await titlesOf(people, 'Owns')).toEqual(['axe', ''])
    expect(await titlesOf(things, 'People')).toEqual(['bob', '', ''])
    const ofPeople = { resourceId: people.id, resourceType: 'table' } as const
    const [entry] = (await world.api.trash.listTrashItems(ofPeople)).trashItems
    await world.api.trash.restoreTrash({ trashId: entry?.id ?? '' })
    expect(await titlesOf(people, 'Owns')).toEqual(['', 'axe', ''])
  })

  const changes = relationships.flatMap((from) =>
    relationships.flatMap((to) => (from === to ? [] : [[from, to] as const])),
  )

  test.each(changes)('[FIELD-136] changes a link %s to %s, from either end', async (from, to) => {
    for (const isOwner of [true, false]) {
      const made = await addOwns(isOwner ? from : reversed(from))
      const [table, name, other, otherName] = isOwner
        ? ([people, 'Owns', things, 'People'] as const)
        : ([things, 'People', people, 'Owns'] as const)
      const [first, second, third] = {
        oneOne: [[0], [1], []],
        oneMany: [[1, 0], [2], []],
        manyOne: [[0], [0], [1]],
        manyMany: [[1, 0], [0, 2], [1]],
      }[from] as [number[], number[], number[]]
      await link(table, name, first, second, third)
      const otherId = (await world.fieldOf(other, otherName)).id
      const field = await world.convert(table, name, linkTo(other, to))
      expect(field.options).toMatchObject({ relationship: to, symmetricFieldId: otherId })
      expect(field.isMultipleCellValue ?? false).toBe(hasMany(to))
      const there = await world.fieldOf(other, otherName)
      expect(there).toMatchObject({
        id: otherId,
        options: { relationship: reversed(to), symmetricFieldId: field.id },
      })
      const cells = expectedLinks([first, second, third], to)
      const titles = other === things ? ['axe', 'bow', 'cup'] : ['ann', 'bob', 'cid']
      const ownTitles = other === things ? ['ann', 'bob', 'cid'] : ['axe', 'bow', 'cup']
      expect(await titlesOf(table, name)).toEqual(
        cells.map((cell) => cell.map((index) => titles[index]).join(', ')),
      )
      const back = titles.map((_, index) =>
        ownTitles.filter((__, at) => cells[at]?.includes(index)),
      )
      expect(
        (await titlesOf(other, otherName)).map((text) => String(text).split(', ').toSorted()),
      ).toEqual(back.map((all) => (all.length > 0 ? all : [''])))
      await link(other, otherName, [], [], [])
      expect(await titlesOf(table, name)).toEqual(['', '', ''])
      await link(other, otherName, [2])
      expect(await titlesOf(table, name)).toEqual(['', '', titles[0]])
      await world.api.fields.deleteField({ tableId: people.id, fieldId: made.id })
      expect(await names(things)).toEqual(['Name', 'Count'])
    }
  })

  /** What is left of links in a relationship: the first link of each cell that holds one, and of each record. */
  function expectedLinks(cells: readonly number[][], relationship: Relationship): number[][] {
    const taken = new Set<number>()
    const isExclusive = relationship.startsWith('one')
    return cells.map((cell) => {
      const cut = hasMany(relationship) ? cell : cell.slice(0, 1)
      const free = cut.filter((index) => !isExclusive || !taken.has(index))
      for (const index of free) taken.add(index)
      return free
    })
  }

  test.each([true, false])(
    '[FIELD-137] takes the other end away, and gives it back (of the owner: %s)',
    async (isOwner) => {
      await addOwns('manyMany')
      await link(people, 'Owns', [1, 0], [1])
      const [table, name, other, otherName] = isOwner
        ? ([people, 'Owns', things, 'People'] as const)
        : ([things, 'People', people, 'Owns'] as const)
      const before = await titlesOf(table, name)
      const oneWay = await world.convert(table, name, linkTo(other, 'manyMany', { isOneWay: true }))
      expect(oneWay.options).not.toHaveProperty('symmetricFieldId')
      expect(await names(other)).toEqual(['Name', 'Count'])
      expect(await titlesOf(table, name)).toEqual(before)
      await world.change(table, table.recordIds[2], { [name]: [other.recordIds[2]] })
      const twoWay = await world.convert(table, name, linkTo(other, 'manyMany'))
      expect(await titlesOf(table, name)).toEqual([...before.slice(0, 2), isOwner ? 'cup' : 'cid'])
      const symmetric = await world.fieldOf(other, isOwner ? otherName : 'Things')
      expect(twoWay.options).toMatchObject({ symmetricFieldId: symmetric.id })
      expect(await titlesOf(other, symmetric.name)).toEqual(
        isOwner ? ['ann', 'ann, bob', 'cid'] : ['axe, bow', 'bow', 'cup'],
      )
    },
  )

  test.each([
    ['manyOne', 'manyMany', 1],
    ['manyMany', 'manyOne', 2],
    ['manyMany', 'manyOne', 5_000],
  ] as const)(
    '[FIELD-260] leaves the lists at the other end in their order, %s to %s (stored at once: %i)',
    async (from, to, linksStoredAtOnce) => {
      for (const isOwner of [true, false]) {
        await addOwns(isOwner ? from : reversed(from))
        const [table, name, other, otherName] = isOwner
          ? ([people, 'Owns', things, 'People'] as const)
          : ([things, 'People', people, 'Owns'] as const)
        await link(other, otherName, [2, 0, 1])
        if (from === 'manyMany') await link(other, otherName, [2, 0, 1], [1, 2])
        const firsts = (await titlesOf(table, name)).map((cell) => String(cell).split(', ')[0])
        await withLimits({ linksStoredAtOnce }, () => world.convert(table, name, linkTo(other, to)))
        expect(await titlesOf(table, name)).toEqual(firsts)
        const list = isOwner ? 'cid, ann, bob' : 'cup, axe, bow'
        expect(await titlesOf(other, otherName)).toEqual([list, '', ''])
        const { id: fieldId } = await world.fieldOf(people, 'Owns')
        await world.api.fields.deleteField({ tableId: people.id, fieldId })
      }
    },
  )

  test('[FIELD-260] orders lists of too many links as records were created', async () => {
    await addOwns('manyOne')
    await link(things, 'People', [2, 0, 1])
    const most = { linksPlacedAgain: 2 }
    await withLimits(most, () => convert(linkTo(things, 'manyMany')))
    expect(await titlesOf(things, 'People')).toEqual(['ann, bob, cid', '', ''])
  })

  test.each([true, false])(
    '[FIELD-136] keeps its pairs in one place (of the owner: %s)',
    async (isOwner) => {
      const { id } = await addOwns('manyMany')
      await link(people, 'Owns', [1, 0], [1])
      const arePairsOf = (ownerFieldId: string) => {
        const end = { baseId: world.baseId, ownerFieldId, isOwner: true }
        return world.engine.store
          .read((tx) => tx.links.of({ ...end, relationship: 'manyMany' }, people.recordIds))
          .then(
            () => true,
            () => false,
          )
      }
      expect(await arePairsOf(id)).toBe(true)
      const [table, name, other] = isOwner
        ? ([people, 'Owns', things] as const)
        : ([things, 'People', people] as const)
      const changed = await world.convert(table, name, linkTo(other, 'oneMany'))
      expect(await arePairsOf(changed.id)).toBe(true)
      expect(await arePairsOf(id)).toBe(isOwner)
      await world.convert(table, name, { type: 'longText' })
      expect(await arePairsOf(changed.id)).toBe(false)
    },
  )

  test('[FIELD-136] [FIELD-137] changes a link of a table to itself', async () => {
    await world.addField(people, { ...linkTo(people, 'manyMany'), name: 'Knows' })
    const [ann, bob, cid] = people.recordIds
    await world.change(people, ann, { Knows: [bob, cid] })
    await world.change(people, bob, { Knows: [ann, bob] })
    const shown = async () => [await titlesOf(people, 'Knows'), await titlesOf(people, 'People')]
    await world.convert(people, 'Knows', linkTo(people, 'oneMany'))
    expect(await shown()).toEqual([
      ['bob, cid', 'ann', ''],
      ['bob', 'ann', 'ann'],
    ])
    await world.convert(people, 'People', linkTo(people, 'oneOne'))
    expect(await shown()).toEqual([
      ['bob', 'ann', ''],
      ['bob', 'ann', ''],
    ])
    await world.convert(people, 'People', linkTo(people, 'oneOne', { isOneWay: true }))
    expect(await names(people)).toEqual(['Name', 'Count', 'People'])
    await world.convert(people, 'People', linkTo(people, 'oneOne'))
    expect(await names(people)).toEqual(['Name', 'Count', 'People', 'People 2'])
    expect(await titlesOf(people, 'People 2')).toEqual(['bob', 'ann', ''])
  })

  test('[FIELD-137] leads to another table, by title', async () => {
    const others = await world.makeNames('Others', 'bow', 'axe')
    await addOwns('manyMany')
    await link(people, 'Owns', [1, 0], [2])
    await convert(linkTo(others, 'manyMany'))
    expect(await names(things)).toEqual(['Name', 'Count'])
    expect(await titlesOf(people, 'Owns')).toEqual(['bow, axe', '', ''])
    expect(await titlesOf(others, 'People')).toEqual(['ann', 'ann'])
    await convert(linkTo(people, 'manyMany'))
    expect(await names(others)).toEqual(['Name', 'Count'])
    expect(await names(people)).toEqual(['Name', 'Count', 'Owns', 'People'])
    expect(await titlesOf(people, 'Owns')).toEqual(['', '', ''])
  })

  test('[FIELD-138] shows other titles of the same records, from either end', async () => {
    await addOwns('manyMany')
    await link(people, 'Owns', [1, 0], [1])
    const { id: thingCount } = await world.fieldOf(things, 'Count')
    const { id: personCount } = await world.fieldOf(people, 'Count')
    await convert(linkTo(things, 'manyMany', { lookupFieldId: thingCount }))
    await world.convert(
      things,
      'People',
      linkTo(people, 'manyMany', { lookupFieldId: personCount }),
    )
    expect(await titlesOf(people, 'Owns')).toEqual(['2.00, 1.00', '2.00', ''])
    expect(await titlesOf(things, 'People')).toEqual(['1.00', '1.00, 2.00', ''])
    await convert(linkTo(things, 'oneMany', { lookupFieldId: thingCount }))
    expect(await titlesOf(people, 'Owns')).toEqual(['2.00, 1.00', '', ''])
    expect(await titlesOf(things, 'People')).toEqual(['1.00', '1.00', ''])
    await world.change(things, things.recordIds[1], { Count: 9 })
    expect(await titlesOf(people, 'Owns')).toEqual(['9.00, 1.00', '', ''])
  })

  test('[FIELD-130] keeps the options of a link where they are left out', async () => {
    const { options, id } = await addOwns('oneMany')
    await link(people, 'Owns', [1, 0])
    const field = await convert({ type: 'link', name: 'Has', description: 'what' })
    expect(field).toMatchObject({ id, name: 'Has', options })
    expect(await titlesOf(people, 'Has')).toEqual(['bow, axe', '', ''])
    expect(await titlesOf(things, 'People')).toEqual(['ann', 'ann', ''])
  })
})
