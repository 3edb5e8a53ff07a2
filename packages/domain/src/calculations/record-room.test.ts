import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'

describeOnEveryStorage('the room of all that is worked out in a record', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let notes: TestTable
  let people: TestTable
  let linkId: string

  beforeAll(async () => {
    await world.finishJobs()
  })
  beforeEach(async () => {
    const name = { type: 'singleLineText', name: 'Name' }
    const texts = ['a', 'b', 'c', 'd'].map((letter) => ({ Name: letter.repeat(20) }))
    notes = await world.makeTable('Notes', [name], texts)
    people = await world.makeTable('People', [name], [{ Name: 'ann' }])
    linkId = (await world.addField(people, link('Notes'))).id
  })
  afterEach(() => world.clear())

  /** The first three fields of a table have room for all, the next two for 50, later ones for 30. */
  const withLittleRoom = <T>(work: () => Promise<T>) =>
    withLimits(
      { longCellFields: 3, middlingCellFields: 5, middlingCellBytes: 50, shortCellBytes: 32 },
      work,
    )
  const link = (name: string) => ({
    type: 'link',
    name,
    options: { relationship: 'manyMany', foreignTableId: notes.id, isOneWay: true },
  })
  const lookupOptions = () => ({
    linkFieldId: linkId,
    foreignTableId: notes.id,
    lookupFieldId: notes.primaryId,
  })
  const lookup = (name: string) => ({
    type: 'singleLineText',
    name,
    isLookup: true,
    lookupOptions: lookupOptions(),
  })
  const kinds = () => ({
    Lookup: lookup(''),
    Formula: { type: 'formula', options: { expression: 'ARRAY_JOIN({Notes}, "")' } },
    Rollup: {
      type: 'rollup',
      options: { expression: 'concatenate({values})' },
      lookupOptions: lookupOptions(),
    },
  })
  const linkAll = (count: number) =>
    world.change(people, people.recordIds[0], { Notes: notes.recordIds.slice(0, count) })
  const lengths = async (...names: readonly string[]) => {
    const cells = await Promise.all(
      names.map(async (name) => (await world.cellsOf(people, name))[0]),
    )
    return cells.map((cell) => [cell ?? []].flat().join('').length)
  }
  const titleLengths = async (name: string) => {
    const [cell] = await world.cellsOf(people, name)
    return (cell as { title?: string }[]).map(({ title = '' }) => title.length)
  }

  test('[CALC-42] is what the rule says', () => {
    const { longCellBytes, middlingCellBytes, shortCellBytes } = limits
    const { longCellFields, middlingCellFields, fieldsPerTable } = limits
    expect([longCellFields, middlingCellFields]).toEqual([4, 40])
    expect([longCellBytes, middlingCellBytes, shortCellBytes]).toEqual([262_144, 16_384, 4_096])
    const long = longCellFields * longCellBytes
    const middling = (middlingCellFields - longCellFields) * middlingCellBytes
    const most = long + middling + (fieldsPerTable - middlingCellFields) * shortCellBytes
    expect(most).toBeLessThan(3.5 * 1024 * 1024)
    // A record that is as long as can be is part of a page still.
    expect(most + limits.recordBytes).toBeLessThan(1.1 * limits.recordsLength)
  })

  test('[CALC-42] counts the bytes of JSON', async () => {
    // Six letters, of which each takes so many bytes.
    const bytes = { a: 1, é: 2, 語: 3, '"': 2, '\u0001': 6 }
    await linkAll(1)
    for (const [letter, each] of Object.entries(bytes)) {
      await world.change(notes, notes.recordIds[0], { Name: letter.repeat(6) })
      for (const [name, brackets] of [
        ['Lookup', 2],
        ['Formula', 0],
        ['Rollup', 0],
      ] as const) {
        const least = 6 * each + 2 + brackets
        for (const [room, length] of [
          [least, 6],
          [least - 1, 0],
        ] as const) {
          await withLimits({ longCellBytes: room }, async () => {
            await world.addField(people, { ...kinds()[name], name })
            expect([letter, name, await lengths(name)]).toEqual([letter, name, [length]])
          })
          const { id: fieldId } = await world.fieldOf(people, name)
          await world.api.fields.deleteField({ tableId: people.id, fieldId })
        }
      }
    }
  })

  test('[CALC-42] is less for lookups that were made later', async () => {
    await withLittleRoom(async () => {
      for (const name of ['L2', 'L3', 'L4', 'L5']) await world.addField(people, lookup(name))
      await linkAll(1)
      expect(await lengths('L2', 'L3', 'L4', 'L5')).toEqual([20, 20, 20, 20])
      await linkAll(2)
      expect(await lengths('L2', 'L3', 'L4', 'L5')).toEqual([40, 40, 40, 0])
      await linkAll(3)
      expect(await lengths('L2', 'L3', 'L4', 'L5')).toEqual([60, 0, 0, 0])
    })
  })

  test('[CALC-42] is less for formulas and rollups that were made later', async () => {
    await withLittleRoom(async () => {
      const expression = 'REPT({Name}, 15)'
      const formula = (name: string) => ({ type: 'formula', name, options: { expression } })
      const rollup = (name: string) => ({
        type: 'rollup',
        name,
        options: { expression: 'concatenate({values})' },
        lookupOptions: lookupOptions(),
      })
      await linkAll(2)
      await world.addField(people, formula('F2'))
      await world.addField(people, rollup('R3'))
      await world.addField(people, formula('F4'))
      await world.addField(people, formula('F5'))
      await world.addField(people, rollup('R6'))
      expect(await lengths('F2', 'R3', 'F4', 'F5', 'R6')).toEqual([45, 42, 45, 0, 0])
      await world.change(people, people.recordIds[0], { Name: 'an' })
      expect(await lengths('F2', 'R3', 'F4', 'F5', 'R6')).toEqual([30, 42, 30, 30, 0])
    })
  })

  test('[CALC-42] is less for the titles of links that were made later, whose links stay', async () => {
    await withLittleRoom(async () => {
      for (const name of ['M2', 'M3', 'M4', 'M5']) await world.addField(people, link(name))
      const { recordIds } = notes
      const cells = { Notes: recordIds, M2: recordIds, M3: recordIds, M5: recordIds }
      await world.change(people, people.recordIds[0], cells)
      expect(await titleLengths('M2')).toEqual([20, 20, 20, 20])
      expect(await titleLengths('M3')).toEqual([20, 20, 20, 0])
      expect(await titleLengths('M5')).toEqual([20, 20, 0, 0])
      // The same when they are computed again.
      await world.change(notes, recordIds[0], { Name: 'A'.repeat(20) })
      expect(await titleLengths('M5')).toEqual([20, 20, 0, 0])
    })
  })

  test('[CALC-42] is that of its own place in the copy of a field', async () => {
    await withLittleRoom(async () => {
      await linkAll(4)
      for (const name of ['T2', 'T3', 'T4']) {
        await world.addField(people, { type: 'singleLineText', name })
      }
      const tableId = people.id
      await world.api.fields.duplicateField({ tableId, fieldId: linkId, name: 'Copy' })
      expect(await titleLengths('Notes')).toEqual([20, 20, 20, 20])
      expect(await titleLengths('Copy')).toEqual([20, 20, 0, 0])
    })
  })

  test('[CALC-1] [CALC-42] stays when fields before it are deleted or converted', async () => {
    await withLittleRoom(async () => {
      await world.addField(people, { type: 'singleLineText', name: 'T2' })
      await world.addField(people, { type: 'singleLineText', name: 'T3' })
      await world.addField(people, lookup('L4'))
      await world.addField(people, lookup('L5'))
      await linkAll(2)
      expect(await lengths('L4', 'L5')).toEqual([40, 0])
      await world.convert(people, 'T3', lookup('T3'))
      const { id: fieldId } = await world.fieldOf(people, 'T2')
      await world.api.fields.deleteField({ tableId: people.id, fieldId })
      expect(await lengths('T3', 'L4', 'L5')).toEqual([40, 40, 0])
      await world.change(notes, notes.recordIds[0], { Name: 'A'.repeat(20) })
      expect(await lengths('T3', 'L4', 'L5')).toEqual([40, 40, 0])
    })
  })
})
