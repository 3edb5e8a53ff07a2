import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('links that lost an end while a table lay in the trash', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let books: TestTable
  let authors: TestTable

  beforeEach(async () => {
    await world.clear()
    await world.api.trash.resetTrash({ resourceId: world.baseId, resourceType: 'base' })
    await world.finishJobs()
    authors = await world.makeNames('Authors', 'Jane', 'Mary')
    books = await world.makeNames('Books', 'Emma', 'Frankenstein')
    await world.addField(books, {
      type: 'link',
      name: 'Author',
      options: { relationship: 'manyOne', foreignTableId: authors.id },
    })
    for (const index of [0, 1]) {
      const id = authors.recordIds[index]
      await world.change(books, books.recordIds[index], { Author: { id } })
    }
    for (const [table, field] of [
      [authors, 'Books'],
      [books, 'Author'],
    ] as const) {
      const { id } = await world.fieldOf(table, field)
      await world.addField(table, {
        type: 'formula',
        name: 'Shouted',
        options: { expression: `UPPER({${id}})` },
      })
    }
  })

  const removeTable = ({ id: tableId }: TestTable) =>
    world.api.tables.deleteTable({ baseId: world.baseId, tableId })
  async function restoreNewest(resourceId: string, resourceType: 'base' | 'table') {
    const { trashItems } = await world.api.trash.listTrashItems({ resourceId, resourceType })
    await world.api.trash.restoreTrash({ trashId: trashItems[0]?.id ?? '' })
    await world.finishJobs()
  }
  const namesOf = async ({ id: tableId }: TestTable) =>
    (await world.api.fields.listFields({ tableId })).map(({ name }) => name)
  const cellsOf = (table: TestTable, name: string) => world.textsOf(table, name)

  test.each(['By', 'Books'])(
    '[TRASH-17] a table comes back of whose link to itself %s became text',
    async (name) => {
      const options = { relationship: 'oneOne', foreignTableId: books.id }
      await world.addField(books, { type: 'link', name: 'By', options })
      const before = await namesOf(books)
      await world.convert(books, name, { type: 'singleLineText' })
      const left = await namesOf(books)
      expect(before.length - left.length).toBe(1)
      await removeTable(books)
      await restoreNewest(world.baseId, 'base')
      expect(await namesOf(books)).toEqual(left)
    },
  )

  test.each([
    ['Authors', 'Books'],
    ['Books', 'Author'],
  ])(
    '[TRASH-17] %s come back without the link that became text at its other end',
    async (name, field) => {
      const [gone, stays] = name === 'Authors' ? [authors, books] : [books, authors]
      const other = name === 'Authors' ? 'Author' : 'Books'
      await removeTable(gone)
      await world.convert(stays, other, { type: 'singleLineText' })
      await restoreNewest(world.baseId, 'base')
      expect(await namesOf(gone)).not.toContain(field)
      expect(await world.fieldOf(gone, 'Shouted')).toMatchObject({ hasError: true })
      expect(await world.fieldOf(stays, other)).toMatchObject({ type: 'singleLineText' })
      await world.add(gone, { Name: 'New' })
      await world.remove(gone, ...gone.recordIds)
      await restoreNewest(gone.id, 'table')
      expect(await cellsOf(gone, 'Name')).toHaveLength(3)
    },
  )

  test.each([
    ['[TRASH-17] a table comes back without', true],
    ['[TRASH-7] a table that is purged leaves alone', false],
  ])('%s what its link became', async (_, comesBack) => {
    const shelves = await world.makeNames('Shelves', 'Left', 'Right')
    await removeTable(authors)
    await world.convert(books, 'Author', {
      type: 'link',
      options: { relationship: 'manyOne', foreignTableId: shelves.id },
    })
    await world.change(books, books.recordIds[0], { Author: { id: shelves.recordIds[0] } })
    if (comesBack) {
      await restoreNewest(world.baseId, 'base')
      expect(await namesOf(authors)).not.toContain('Books')
      await world.remove(authors, authors.recordIds[0])
    } else {
      await world.api.trash.resetTrash({ resourceId: world.baseId, resourceType: 'base' })
      await world.finishJobs()
    }
    await world.change(books, books.recordIds[1], { Author: { id: shelves.recordIds[1] } })
    expect(await cellsOf(books, 'Author')).toEqual(['Left', 'Right'])
  })

  test.each([['Authors'], ['Books']])(
    '[TRASH-17] a link that was deleted while %s lay in the trash comes back with both fields',
    async (name) => {
      const [gone, field, stays, other] =
        name === 'Authors'
          ? [authors, 'Books', books, 'Author']
          : [books, 'Author', authors, 'Books']
      const before = [await cellsOf(gone, field), await cellsOf(stays, other)]
      await removeTable(gone)
      const { id: fieldId } = await world.fieldOf(stays, other)
      await world.api.fields.deleteField({ tableId: stays.id, fieldId })
      await restoreNewest(world.baseId, 'base')
      expect(await namesOf(gone)).not.toContain(field)
      await restoreNewest(stays.id, 'table')
      expect([await cellsOf(gone, field), await cellsOf(stays, other)]).toEqual(before)
      expect(await world.fieldOf(gone, 'Shouted')).not.toHaveProperty('hasError')
    },
  )

  test('[TRASH-17] a link whose other end was purged leaves a table that works', async () => {
    await removeTable(authors)
    const { id: fieldId } = await world.fieldOf(books, 'Author')
    await world.api.fields.deleteField({ tableId: books.id, fieldId })
    await restoreNewest(world.baseId, 'base')
    await world.api.trash.resetTrash({ resourceId: books.id, resourceType: 'table' })
    await world.finishJobs()
    await world.remove(authors, authors.recordIds[0])
    await restoreNewest(authors.id, 'table')
    expect(await cellsOf(authors, 'Name')).toHaveLength(2)
    expect(await namesOf(authors)).not.toContain('Books')
  })

  const linkTo = ({ id: foreignTableId }: TestTable, relationship: string) => ({
    ...{ type: 'link', options: { relationship, foreignTableId } },
  })

  test.each([
    ['[TRASH-11] [TRASH-15] records come back with links of a field that led elsewhere once', true],
    ['[TRASH-11] [TRASH-14] records come back with links of a field that took one once', false],
  ])('%s', async (_, isElsewhere) => {
    const shelves = await world.makeNames('Shelves', 'Left')
    // Each leaves an end in the trash, with an id that may come before or after those of the others.
    for (const relationship of ['oneOne', 'oneMany', 'oneOne', 'oneMany']) {
      await world.convert(books, 'Author', linkTo(isElsewhere ? shelves : authors, relationship))
      await world.convert(books, 'Author', { type: 'singleLineText' })
    }
    await world.convert(books, 'Author', linkTo(authors, 'manyMany'))
    const cell = authors.recordIds.map((id) => ({ id }))
    for (const id of books.recordIds) await world.change(books, id, { Author: cell })
    for (const table of [books, authors]) {
      await world.remove(table, table.recordIds[0])
      await restoreNewest(table.id, 'table')
    }
    expect(await cellsOf(books, 'Author')).toEqual(['Jane, Mary', 'Jane, Mary'])
    const ofAuthors = (await cellsOf(authors, 'Books')).map((text) => String(text).split(', '))
    expect(ofAuthors.map((all) => all.toSorted())).toEqual(Array(2).fill(['Emma', 'Frankenstein']))
  })
})
