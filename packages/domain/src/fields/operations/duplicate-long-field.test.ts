import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('the copy of a field of long records', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let things: TestTable
  let noteId: string

  beforeAll(async () => {
    await world.finishJobs()
  })
  beforeEach(async () => {
    const choices = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name }))
    const fields = [
      { type: 'singleLineText', name: 'Name' },
      { type: 'longText', name: 'Note' },
      { type: 'multipleSelect', name: 'Tags', options: { choices } },
    ]
    const rows = ['a', 'b', 'c', 'd', 'e'].map((n) => ({
      Name: n,
      Note: n.repeat(1_000),
      Tags: [n],
    }))
    things = await world.makeTable('Things', fields, rows)
    noteId = await idOf('Note')
  })
  afterEach(async () => {
    await world.clear()
    await world.finishJobs()
  })

  /** The records take more bytes than a write goes through; the background does two of them at a time. */
  const inSlices = <T>(work: () => Promise<T>) =>
    withLimits({ bytesCalculated: 4_000, bytesPerCalculation: 2_500 }, work)
  const idOf = async (name: string) => (await world.fieldOf(things, name)).id
  const duplicateOf = (fieldId: string) =>
    inSlices(() => world.api.fields.duplicateField({ tableId: things.id, fieldId }))
  const runJob = () => inSlices(() => world.runJob())
  const finish = () => inSlices(() => world.finishJobs())
  const notes = async (name = 'Note 2') =>
    (await world.cellsOf(things, name)).map((cell) => (cell as string | null)?.slice(0, 2) ?? null)
  const conflict = { code: 'conflict', message: expect.stringContaining('copied') }

  test('[FIELD-228] is answered at once, and filled in the background, so many bytes at a time', async () => {
    await world.remove(things, things.recordIds[1])
    const events = await world.heard(async () => {
      expect(await duplicateOf(noteId)).toMatchObject({ name: 'Note 2', isPending: true })
      const seen: string[] = [JSON.stringify(await notes())]
      const progress: unknown[] = []
      while (await runJob()) {
        seen.push(JSON.stringify(await notes()))
        progress.push((await world.fieldOf(things, 'Note 2')).progress)
      }
      expect([...new Set(seen)].map((text) => JSON.parse(text))).toEqual([
        [null, null, null, null],
        ['aa', null, null, null],
        ['aa', 'cc', 'dd', null],
        ['aa', 'cc', 'dd', 'ee'],
      ])
      expect(progress).toEqual(expect.arrayContaining([0.4, 0.8, undefined]))
    })
    const names = (events as { name: string }[]).map(({ name }) => name)
    expect(names).toEqual(['field.created', 'calculation.scheduled', 'calculation.finished'])
    expect(await notes('Note')).toEqual(['aa', 'cc', 'dd', 'ee'])
    expect(await world.fieldOf(things, 'Note 2')).not.toHaveProperty('isPending')
    const stored = await world.engine.store.read((tx) =>
      tx.canonical.records({ tableId: things.id, after: 0 }, 9),
    )
    const cells = stored.rows.map((row) => (row.cells as Record<string, unknown>).Note_2)
    expect(cells[1]).toBe('b'.repeat(1_000))
    const left = await world.engine.store.read(async (tx) => [
      await tx.calculations.listOf([things.id]),
      await tx.calculations.conversionsOf(things.id),
      await tx.fields.retiredColumns(things.id),
    ])
    expect(left).toEqual([[], [], []])
  })

  test('[FIELD-228] has all values at once where the records are short, or the field is required', async () => {
    const input = { tableId: things.id, fieldId: noteId }
    expect(await world.api.fields.duplicateField(input)).not.toHaveProperty('isPending')
    await world.convert(things, 'Note', { type: 'longText', notNull: true })
    expect(await duplicateOf(noteId)).not.toHaveProperty('isPending')
    expect(await notes('Note 3')).toEqual(['aa', 'bb', 'cc', 'dd', 'ee'])
    const refusal = { code: 'validation_error', message: expect.stringContaining('5000 bytes') }
    const duplicate = () => withLimits({ bytesPerWholeWrite: 5_000 }, () => duplicateOf(noteId))
    await world.expectNoTrace(duplicate, refusal)
  })

  test('[FIELD-228] keeps what is written in it meanwhile, and gets what is written in the field', async () => {
    const [first, second, third, fourth, fifth] = things.recordIds
    await duplicateOf(noteId)
    await world.change(things, second, { 'Note 2': 'mine' })
    await world.change(things, fourth, { 'Note 2': null })
    await world.change(things, fifth, { Note: 'later' })
    await world.change(things, first, { 'Note 2': 'x' })
    await world.change(things, first, { 'Note 2': null })
    await world.add(things, { Name: 'new', Note: 'new' })
    await world.change(things, third, { Note: 'zz' })
    await finish()
    expect(await notes()).toEqual([null, 'mi', 'zz', null, 'la', null])
    expect(await notes('Note')).toEqual(['aa', 'bb', 'zz', 'dd', 'la', 'ne'])
  })

  test('[FIELD-228] keeps the field until it is done, and can be neither converted nor copied', async () => {
    const { api, baseId } = world
    const tableId = things.id
    const { id: copyId } = await duplicateOf(noteId)
    for (const fieldId of [noteId, copyId]) {
      const refused = [
        () => api.fields.convertField({ tableId, fieldId, type: 'singleLineText' }),
        () => api.fields.planConversion({ tableId, fieldId, type: 'singleLineText' }),
        () => api.fields.deleteField({ tableId, fieldId }),
        () => api.fields.planDeletion({ tableId, fieldId }),
      ]
      for (const refuse of refused) await world.expectNoTrace(refuse, conflict)
    }
    await world.expectNoTrace(() => duplicateOf(copyId), conflict)
    const copyTable = () =>
      api.tree.duplicateNode({ baseId, nodeId: tableId, includeRecords: true } as never)
    await world.expectNoTrace(copyTable, conflict)
    await api.fields.updateField({ tableId, fieldId: noteId, name: 'Named', dbFieldName: 'other' })
    await api.fields.updateField({ tableId, fieldId: copyId, name: 'Copy', dbFieldName: 'copy' })
    expect(await duplicateOf(noteId)).toMatchObject({ name: 'Named 2', isPending: true })
    await finish()
    expect(await notes('Copy')).toEqual(['aa', 'bb', 'cc', 'dd', 'ee'])
    expect(await notes('Named 2')).toEqual(['aa', 'bb', 'cc', 'dd', 'ee'])
    await api.fields.deleteField({ tableId, fieldId: noteId })
    await api.fields.deleteField({ tableId, fieldId: copyId })
  })

  test('[FIELD-228] is waited for by what follows from it', async () => {
    const { id: copyId } = await duplicateOf(noteId)
    const options = { expression: `LEN({${copyId}})` }
    await world.addField(things, { type: 'formula', name: 'Length', options })
    expect(await world.fieldOf(things, 'Length')).toMatchObject({ isPending: true })
    await finish()
    expect(await world.cellsOf(things, 'Length')).toEqual(new Array(5).fill(1_000))
  })

  test('[FIELD-228] has lists as they are, and the pairs and titles of links', async () => {
    await duplicateOf(await idOf('Tags'))
    const options = { relationship: 'manyOne', foreignTableId: things.id, isOneWay: true }
    const { id: linkId } = await world.addField(things, { type: 'link', name: 'Next', options })
    const ids = things.recordIds.toReversed()
    const records = things.recordIds.map((id, n) => ({ id, fields: { Next: { id: ids[n] } } }))
    await world.api.records.updateRecords({ tableId: things.id, records } as never)
    await duplicateOf(linkId)
    await finish()
    expect(await world.cellsOf(things, 'Tags 2')).toEqual([['a'], ['b'], ['c'], ['d'], ['e']])
    expect(await world.cellsOf(things, 'Next 2')).toEqual(await world.cellsOf(things, 'Next'))
    expect(await world.textsOf(things, 'Next 2')).toEqual(['e', 'd', 'c', 'b', 'a'])
    expect(await world.fieldOf(things, 'Next 2')).not.toHaveProperty('isPending')
  })
})
