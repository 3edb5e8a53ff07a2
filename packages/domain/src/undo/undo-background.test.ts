import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { recordsPerSlice, withLimits } from '@gateleg/testing/with-limits'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

const options = { windowId: 'window-1' }
const done = { status: 'fulfilled' }

describeOnEveryStorage('undo of what the background goes on with', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let api: TableWorld['api']
  let table: TestTable
  let tableId: string
  let fieldId: string

  beforeAll(() => {
    api = world.api
  })
  beforeEach(async () => {
    table = await world.makeNames('Names', 'a', 'b', 'c', 'd')
    tableId = table.id
    fieldId = (await world.addField(table, { type: 'singleLineText', name: 'Field' })).id
    for (const [index, text] of ['1', 'x, y', '2.50', '4'].entries()) await write(index, text)
  })
  afterEach(() => world.clear())

  const undo = () => few(() => api.undo.undoChange({ tableId }, options))
  const redo = () => few(() => api.undo.redoChange({ tableId }, options))
  const failed = (message: RegExp) => ({
    ...{ status: 'failed', errorMessage: expect.stringMatching(message) },
  })
  /** So few records that all of them are too many for one write. */
  const few = <T>(work: () => Promise<T>) =>
    withLimits({ recordsCalculated: 2, ...recordsPerSlice(2) }, work)
  const convert = (definition: object, at: object = options) =>
    few(() => api.fields.convertField({ tableId, fieldId, ...definition } as never, at))
  const write = (index: number, cell: unknown, at: object = {}) =>
    api.records.updateRecord(
      {
        ...{ tableId, recordId: table.recordIds[index] ?? '', fieldKeyType: 'id' as const },
        ...{ typecast: true, record: { fields: { [fieldId]: cell } } },
      },
      at,
    )
  const finish = () => few(() => world.finishJobs())
  const runJobs = async (count: number) => {
    for (let job = 0; job < count; job++) await few(() => world.runJob())
  }
  const cells = () => world.cellsOf(table, 'Field')
  const stateOf = async () => {
    const fields = await api.fields.listFields({ tableId })
    return { fields, cells: await cells() }
  }
  const keptOf = () => world.engine.store.write((tx) => tx.keptValues.listOf(tableId))
  const retired = () =>
    world.engine.store.read(async (tx) =>
      (await tx.fields.retiredColumns(tableId)).map(({ name }) => name),
    )

  test('[UNDO-26] [UNDO-27] waits for a conversion in the background, and takes it back afterwards', async () => {
    const running = failed(/The values of "Field" are being converted or copied/)
    const texts = await stateOf()
    await convert({ type: 'number' })
    await runJobs(1)
    const halfway = await stateOf()
    expect(await undo()).toEqual(running)
    expect(await stateOf()).toEqual(halfway)
    await finish()
    const numbers = await stateOf()
    expect(numbers.cells).toEqual([1, null, 2.5, 4])
    expect(await undo()).toEqual(done)
    expect(await redo()).toEqual(running)
    await finish()
    expect(await stateOf()).toEqual(texts)
    expect(await redo()).toEqual(done)
    expect(await undo()).toEqual(running)
    await finish()
    expect(await stateOf()).toEqual(numbers)
    expect(await undo()).toEqual(done)
    await finish()
    expect(await stateOf()).toEqual(texts)
    expect(await undo()).toEqual({ status: 'empty' })
  })

  test('[UNDO-27] takes back what each kind of field became, and does it again', async () => {
    const read = { expression: `{${table.primaryId}} & "!"` }
    const steps = [
      { type: 'singleLineText', unique: true },
      { type: 'singleSelect', options: { choices: [{ name: '1' }] } },
      { type: 'formula', options: read },
      { type: 'longText' },
      { type: 'multipleSelect', options: { choices: [] } },
      { type: 'number', options: { formatting: { type: 'percent', precision: 1 } } },
      { type: 'createdTime' },
      { type: 'singleLineText' },
    ]
    const states = [await stateOf()]
    for (const step of steps) {
      await convert(step)
      await finish()
      states.push(await stateOf())
    }
    for (const state of states.slice(0, -1).toReversed()) {
      expect(await undo()).toEqual(done)
      await finish()
      expect(await stateOf()).toEqual(state)
    }
    for (const state of states.slice(1)) {
      expect(await redo()).toEqual(done)
      await finish()
      expect(await stateOf()).toEqual(state)
    }
  })

  test('[UNDO-27] puts back names of choices, and values of records in the trash and of those that came later', async () => {
    await convert({ type: 'singleSelect', options: { choices: [{ name: '1' }] } }, {})
    await finish()
    await world.remove(table, table.recordIds[0])
    const { options: before } = await world.fieldOf(table, 'Field')
    const { choices } = before as { choices: { id: string; name: string }[] }
    const renamed = choices.map((one) => (one.name === '1' ? { ...one, name: 'one' } : one))
    await convert({ type: 'singleSelect', options: { choices: renamed.slice(0, -1) } })
    await finish()
    expect(await cells()).toEqual(['x, y', '2.50', null])
    await world.add(table, { Name: 'e' })
    await api.records.createRecords({ tableId, records: [{ fields: { Field: 'one' } }] }, options)
    expect(await undo()).toEqual(done)
    expect(await undo()).toEqual(done)
    await finish()
    const { trashItems } = await api.trash.listTrashItems({
      ...{ resourceId: tableId, resourceType: 'table' },
    })
    for (const { id: trashId } of trashItems) await api.trash.restoreTrash({ trashId })
    expect(await cells()).toEqual(['1', 'x, y', '2.50', '4', null, '1'])
  })

  test('[UNDO-5] [UNDO-27] changes nothing where somebody wrote since, while it went on too', async () => {
    const since = failed(/The field "Field", or what its cells hold, was changed since/)
    const later = async () => {
      await finish()
      await write(3, 5)
    }
    const newer = async () => {
      await finish()
      await world.add(table, { Field: 5 })
    }
    for (const change of [() => write(0, 5), later, newer]) {
      await convert({ type: 'singleLineText' }, {})
      await finish()
      await convert({ type: 'number' })
      await change()
      await finish()
      const state = await stateOf()
      expect(await undo()).toEqual(since)
      expect(await stateOf()).toEqual(state)
    }
  })

  test.each(['one write', 'the background'])(
    '[UNDO-121] refuses where a record was deleted or restored since that has a value, by %s',
    async (where) => {
      const isLater = where === 'the background'
      const apply = <T>(work: () => Promise<T>) => (isLater ? few(work) : work())
      const since = failed(/The field "Field", or what its cells hold, was changed since/)
      const convertAnew = async () => {
        await apply(() =>
          api.fields.convertField({ tableId, fieldId, type: 'singleLineText' } as never, {}),
        )
        await finish()
        await apply(() =>
          api.fields.convertField({ tableId, fieldId, type: 'number' } as never, options),
        )
        await finish()
      }
      const restore = async () => {
        const asked = { resourceId: tableId, resourceType: 'table' } as const
        const { trashItems } = await api.trash.listTrashItems(asked)
        await api.trash.restoreTrash({ trashId: trashItems[0]?.id ?? '' })
      }
      const undoAndFinish = async () => {
        const answer = await apply(() => api.undo.undoChange({ tableId }, options))
        await finish()
        return answer
      }
      const [first = ''] = table.recordIds
      await convertAnew()
      await world.remove(table, first)
      expect(await undoAndFinish()).toEqual(since)
      await convertAnew()
      await restore()
      expect(await undoAndFinish()).toEqual(since)
      await convertAnew()
      await world.remove(table, first)
      await restore()
      expect(await undoAndFinish()).toEqual(done)
      // One that was deleted before, and stays so, is as it was left.
      await world.remove(table, first)
      await convertAnew()
      expect(await undoAndFinish()).toEqual(done)
    },
  )

  test('[UNDO-27] is taken back though cells were written meanwhile that were taken back, too', async () => {
    const texts = await stateOf()
    await convert({ type: 'number' })
    await write(3, 9, options)
    expect(await undo()).toEqual(failed(/are being converted/))
    await finish()
    expect(await undo()).toEqual(done)
    expect(await undo()).toEqual(done)
    await finish()
    expect(await stateOf()).toEqual(texts)
  })

  test('[FIELD-390] is refused for what was written over values that were not converted yet', async () => {
    const gone = failed(/"Field" was being converted, and what a cell held before is gone/)
    await convert({ type: 'number' }, {})
    await runJobs(1)
    await write(0, 8, options)
    await write(2, 9, options)
    await write(2, 10, options)
    await write(3, null, options)
    await finish()
    const answers = []
    for (let step = 0; step < 4; step++) answers.push(await undo())
    expect(answers).toEqual([gone, done, gone, done])
    expect(await cells()).toEqual([1, null, 9, null])
  })

  test('[UNDO-27] [RECORD-23] records whose value is kept by a column alone count as changed', async () => {
    await write(1, null)
    const versions = async () => {
      const { records } = await api.records.listRecords({ tableId })
      const found = records.map(({ id: recordId }) => api.records.getRecord({ tableId, recordId }))
      return (await Promise.all(found)).map(({ version }) => version)
    }
    const before = await versions()
    const empty = { type: 'formula', options: { expression: '""' } }
    await convert(empty)
    await finish()
    expect(await cells()).toEqual([null, null, null, null])
    const grown = await versions()
    expect(grown.map((version, index) => version - (before[index] ?? 0))).toEqual([1, 0, 1, 1])
    expect(await undo()).toEqual(done)
    await finish()
    expect(await cells()).toEqual(['1', null, '2.50', '4'])
    // The same in one write, of values that a step has no room for.
    await withLimits({ undoLength: 900 }, async () => {
      for (const index of [0, 2, 3]) await write(index, 'x'.repeat(300))
      const old = await versions()
      await api.fields.convertField({ tableId, fieldId, ...empty } as never, options)
      const now = await versions()
      expect(now.map((version, index) => version - (old[index] ?? 0))).toEqual([1, 0, 1, 1])
      expect(await api.undo.undoChange({ tableId }, options)).toEqual(done)
    })
    expect(await cells()).toEqual(['x', '', 'x', 'x'].map((one) => one.repeat(300) || null))
  })

  test('[UNDO-27] keeps values for as long as they can be taken back, and of a table so many', async () => {
    await convert({ type: 'number' })
    await finish()
    expect([(await keptOf()).length, (await retired()).length]).toEqual([2, 1])
    await withLimits({ keptValuesPerTable: 2 }, async () => {
      await convert({ type: 'longText' })
      await finish()
    })
    expect([(await keptOf()).length, (await retired()).length]).toEqual([2, 1])
    expect(await undo()).toEqual(done)
    await finish()
    expect(await undo()).toEqual(
      failed(/The values that "Field" had are not kept any more|changed/),
    )
    await convert({ type: 'checkbox' })
    await finish()
    world.clock.advance(25 * 3_600_000)
    await finish()
    expect([await keptOf(), await retired()]).toEqual([[], []])
    expect(await undo()).toEqual({ status: 'empty' })
  })

  test('[UNDO-19] [UNDO-27] keeps nothing of a field that is purged', async () => {
    await convert({ type: 'number' })
    await finish()
    await api.fields.deleteField({ tableId, fieldId })
    expect(await keptOf()).toHaveLength(2)
    await api.trash.resetTrash({ resourceId: tableId, resourceType: 'table' })
    await world.finishJobs()
    expect([await keptOf(), await retired()]).toEqual([[], []])
  })

  test('[UNDO-27] keeps links beside the step where it has no room for them', async () => {
    const other = await world.makeNames('Others', ...Array.from({ length: 30 }, (_, i) => `o${i}`))
    const link = { type: 'link', options: { relationship: 'manyMany', foreignTableId: other.id } }
    await convert(link, {})
    await finish()
    for (const index of [3, 1, 0]) await write(index, other.recordIds.slice(index))
    const ends = async () => [await cells(), await world.cellsOf(other, 'Names')]
    const before = await ends()
    const room = { undoLength: 2_000, keptPartLength: 1_000, linksStoredAtOnce: 3 }
    const apply = (direction: 'undoChange' | 'redoChange') =>
      withLimits(room, () => api.undo[direction]({ tableId }, options))
    await withLimits(room, () =>
      api.fields.convertField({ tableId, fieldId, type: 'checkbox' }, options),
    )
    expect(await keptOf()).toHaveLength(1)
    expect(await apply('undoChange')).toEqual(done)
    expect(await ends()).toEqual(before)
    expect(await apply('redoChange')).toEqual(done)
    expect(await cells()).toEqual([true, true, null, true])
    world.clock.advance(23 * 3_600_000)
    expect(await apply('undoChange')).toEqual(done)
    expect(await ends()).toEqual(before)
    await withLimits({ ...room, linksKept: 10 }, () =>
      api.fields.convertField({ tableId, fieldId, type: 'checkbox' }, options),
    )
    expect(await keptOf()).toEqual([])
    expect(await apply('undoChange')).toEqual(failed(/had more than 10 links/))
  })

  test('[UNDO-27] takes links back that are the oldest that are kept, while it keeps other values', async () => {
    const other = await world.makeNames(
      'Others',
      ...Array.from({ length: 30 }, (_, i) => `${i}`.padEnd(60, 'o')),
    )
    const link = { type: 'link', options: { relationship: 'manyMany', foreignTableId: other.id } }
    await api.fields.convertField({ tableId, fieldId, ...link } as never)
    await write(0, other.recordIds)
    const before = await cells()
    const room = { undoLength: 1_200, keptPartLength: 500, keptValuesPerTable: 1 }
    const apply = (direction: 'undoChange' | 'redoChange') =>
      withLimits(room, () => api.undo[direction]({ tableId }, options))
    await withLimits(room, () =>
      api.fields.convertField({ tableId, fieldId, type: 'longText' }, options),
    )
    const texts = await cells()
    const [links] = await keptOf()
    expect(await apply('undoChange')).toEqual(done)
    expect(await cells()).toEqual(before)
    const [column] = await keptOf()
    expect([links?.columnName, column?.columnName]).toEqual([undefined, expect.any(String)])
    expect(await apply('redoChange')).toEqual(done)
    expect(await cells()).toEqual(texts)
  })

  test('[UNDO-26] [UNDO-27] takes a copy back once its values are made, if nobody wrote into it', async () => {
    const slowly = <T>(work: () => Promise<T>) =>
      withLimits({ bytesCalculated: 1 }, () => few(work))
    const before = await stateOf()
    const copy = () => slowly(() => api.fields.duplicateField({ tableId, fieldId }, options))
    const made = await copy()
    expect(made).toMatchObject({ isPending: true })
    expect(await undo()).toEqual(failed(/are being converted or copied/))
    await finish()
    const copied = await api.fields.listFields({ tableId })
    expect(await undo()).toEqual(done)
    expect(await stateOf()).toEqual(before)
    expect(await redo()).toEqual(done)
    expect(await api.fields.listFields({ tableId })).toEqual(copied)
    expect(await undo()).toEqual(done)
    const again = await copy()
    await finish()
    await world.change(table, table.recordIds[0], { [again.name]: 'written' })
    expect(await undo()).toEqual(failed(/was changed since/))
    await withLimits({ keptValuesPerTable: 0 }, copy)
    await finish()
    expect(await undo()).toEqual(failed(/not known any more whether the cells of "Field 3"/))
  })

  test('[UNDO-26] waits for links that the background works out', async () => {
    const other = await world.makeNames('Others', 'x', 'y', 'z')
    const link = { type: 'link', options: { relationship: 'manyMany', foreignTableId: other.id } }
    await convert(link, {})
    await finish()
    await write(0, other.recordIds, options)
    const end = await world.fieldOf(other, 'Names')
    await few(() =>
      api.fields.convertField({
        ...{ tableId: other.id, fieldId: end.id, type: 'link' },
        options: { relationship: 'oneMany', foreignTableId: tableId },
      } as never),
    )
    expect(await undo()).toEqual(failed(/"Field" are being converted, copied or worked out/))
    await finish()
    expect(await undo()).toEqual(failed(/The cell of "Field".* was changed since/))
  })
})
