import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('what is too much to be read through a link', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let notes: TestTable
  let people: TestTable

  beforeAll(async () => {
    await world.finishJobs()
  })
  beforeEach(async () => {
    const texts = ['a', 'b', 'c', 'd'].map((Name) => ({ Name: Name.repeat(200), Count: 1 }))
    const fields = [
      { type: 'singleLineText', name: 'Name' },
      { type: 'number', name: 'Count' },
    ]
    notes = await world.makeTable('Notes', fields, texts)
    people = await world.makeTable('People', fields, [{ Name: 'eve' }, { Name: 'max' }])
    const options = { relationship: 'manyMany', foreignTableId: notes.id }
    const link = await world.addField(people, { type: 'link', name: 'Notes', options })
    const lookupOptions = { linkFieldId: link.id, foreignTableId: notes.id }
    const name = { ...lookupOptions, lookupFieldId: notes.primaryId }
    const { id: countId } = await world.fieldOf(notes, 'Count')
    const add = (definition: object) => world.addField(people, definition)
    await add({ type: 'singleLineText', name: 'Names', isLookup: true, lookupOptions: name })
    await add({
      type: 'rollup',
      name: 'Sum',
      options: { expression: 'sum({values})' },
      lookupOptions: { ...lookupOptions, lookupFieldId: countId },
    })
  })
  afterEach(() => world.clear())

  const [eve, max] = [0, 1]
  const linkNotes = async (limit: Parameters<typeof withLimits>[0]) => {
    const { recordIds: ids } = notes
    const cells = [ids, ids.slice(0, 1)]
    const records = cells.map((Notes, n) => ({ id: people.recordIds[n], fields: { Notes } }))
    const input = { tableId: people.id, records } as never
    await world.api.records.updateRecords(input)
    // Computed again, with less room.
    await withLimits(limit, () => world.change(notes, ids[0], { Count: 2, Name: 'e'.repeat(200) }))
  }

  test('[CALC-38] is read as empty by the one that it is too much for', async () => {
    await linkNotes({ recordsLengthPerRequest: 900 })
    const names = await world.cellsOf(people, 'Names')
    expect(names[eve]).toBeNull()
    expect(names[max]).toEqual(['e'.repeat(200)])
    expect(await world.cellsOf(people, 'Sum')).toEqual([5, 2])
  })

  test('[CALC-38] leaves the links in their cell', async () => {
    await linkNotes({ recordsLengthPerRequest: 900 })
    const [links, one] = (await world.cellsOf(people, 'Notes')) as [object[], object[]]
    expect(links).toMatchObject(notes.recordIds.map((id) => ({ id })))
    expect(one).toEqual([{ id: notes.recordIds[0], title: 'e'.repeat(200) }])
  })

  test('[CALC-37] in titles is left out after so many characters', async () => {
    await linkNotes({ longCellBytes: 300 })
    const [links] = (await world.cellsOf(people, 'Notes')) as [{ title?: string }[]]
    expect(links).toMatchObject(notes.recordIds.map((id) => ({ id })))
    expect(links.map(({ title = '' }) => title.length)).toEqual([200, 200, 0, 0])
  })
})
