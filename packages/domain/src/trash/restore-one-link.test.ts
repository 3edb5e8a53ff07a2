import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('records that take one link, and lost several', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let books: TestTable
  let authors: TestTable

  beforeEach(async () => {
    await world.clear()
    authors = await world.makeNames('Authors', 'Jane', 'Mary')
    books = await world.makeNames('Books', 'Emma', 'Sanditon')
    const options = { relationship: 'oneOne', foreignTableId: authors.id }
    await world.addField(books, { type: 'link', name: 'Author', options })
  })

  const setAuthor = (bookId = '', authorId?: string) =>
    world.change(books, bookId, { Author: authorId === undefined ? null : { id: authorId } })
  /** Deletes records in one call; answers the entry of the trash. */
  async function remove(table: TestTable, ...recordIds: (string | undefined)[]): Promise<string> {
    world.clock.advance(1_000)
    await world.remove(table, ...recordIds)
    const inTrash = { resourceId: table.id, resourceType: 'table' } as const
    return (await world.api.trash.listTrashItems(inTrash)).trashItems[0]?.id ?? ''
  }
  const restore = (trashId: string) => world.api.trash.restoreTrash({ trashId })
  const authorsOfBooks = () => world.textsOf(books, 'Author')

  test('[LINK-100] are told which of the linked records to delete first', async () => {
    const [emma = '', sanditon] = books.recordIds
    const [jane = '', mary = ''] = authors.recordIds
    await setAuthor(emma, jane)
    const janes = await remove(authors, jane)
    await setAuthor(emma, mary)
    const marys = await remove(authors, mary)
    const emmas = await remove(books, emma)
    await restore(janes)
    await restore(marys)
    const ids = [jane, mary].toSorted()
    await world.expectNoTrace(() => restore(emmas), {
      code: 'validation_error',
      message: expect.stringContaining(
        `the record "${emma}" takes one link at most, and lost those to "${ids[0]}" and "${ids[1]}": delete one of these two first`,
      ),
    })
    const again = await remove(authors, mary)
    await restore(emmas)
    expect(await authorsOfBooks()).toEqual(['Jane', null])
    await expect(restore(again)).rejects.toThrow(
      `the record "${emma}" takes one link at most, and has another one now: remove that one first`,
    )
    await setAuthor(emma)
    await restore(again)
    expect(await authorsOfBooks()).toEqual(['Mary', null])
    expect(await world.recordOf(books, sanditon)).not.toHaveProperty('Author')
  })

  test('[LINK-100] nor do two come back in one call that lead to the same one', async () => {
    const [emma = '', sanditon = ''] = books.recordIds
    const [jane = ''] = authors.recordIds
    await setAuthor(emma, jane)
    const emmas = await remove(books, emma)
    await setAuthor(sanditon, jane)
    const sanditons = await remove(books, sanditon)
    const janes = await remove(authors, jane)
    await restore(emmas)
    await restore(sanditons)
    const both = await remove(books, emma, sanditon)
    await restore(janes)
    await world.expectNoTrace(() => restore(both), {
      code: 'validation_error',
      message: expect.stringContaining(`the record "${jane}" takes one link at most, and lost`),
    })
    const janesAgain = await remove(authors, jane)
    await restore(both)
    expect(await authorsOfBooks()).toEqual([null, null])
    await expect(restore(janesAgain)).rejects.toThrow('delete one of these two first')
    await remove(books, sanditon)
    await restore(janesAgain)
    expect(await authorsOfBooks()).toEqual(['Jane'])
  })
})
