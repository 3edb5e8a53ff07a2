import { fileOf } from '@gateleg/testing/factories/file-of'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld, type TestTable } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { beforeEach, expect, test } from 'vitest'

const options = { windowId: 'window-1' }
const done = { status: 'fulfilled' }

describeOnEveryStorage('undo of cells whose files went to another space', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))
  let baseId: string
  let spaceId: string
  let table: TestTable
  let fieldId: string

  const newSpace = async () => (await world.api.spaces.createSpace({ name: 'Space' })).id
  const newTable = async () => {
    const { id } = await world.api.bases.createBase({ spaceId, name: 'Base' })
    const fields = [
      { type: 'singleLineText', name: 'Name' },
      { type: 'attachment', name: 'Files' },
    ]
    return { baseId: id, table: await world.makeTable('Files', fields, [{ Name: 'one' }], id) }
  }
  beforeEach(async () => {
    spaceId = await newSpace()
    const made = await newTable()
    baseId = made.baseId
    table = made.table
    fieldId = (await world.fieldOf(table, 'Files')).id
    const place = { tableId: table.id, recordId: table.recordIds[0] ?? '', fieldId }
    await world.api.attachments.uploadAttachment({ ...place, file: fileOf('a.txt', 'Hello') })
  })

  const set = ({ id: tableId, recordIds: [recordId = ''] }: TestTable, Files: unknown) =>
    world.api.records.updateRecord(
      { tableId, recordId, record: { fields: { Files } } } as never,
      options,
    )
  const undo = ({ id: tableId }: TestTable) => world.api.undo.undoChange({ tableId }, options)
  const redo = ({ id: tableId }: TestTable) => world.api.undo.redoChange({ tableId }, options)
  const moveAway = async () =>
    world.api.bases.moveBaseToSpace({ baseId, spaceId: await newSpace() })
  const filesOf = async (one: TestTable) =>
    ((await world.cellsOf(one, 'Files')) as ({ token: string }[] | null)[]).map((cell) =>
      cell?.map(({ token }) => token),
    )

  test('[UNDO-110] has them again where their own base was moved', async () => {
    const before = await filesOf(table)
    await set(table, null)
    await moveAway()
    expect(await undo(table)).toEqual(done)
    expect(await filesOf(table)).toEqual(before)
    expect(await redo(table)).toEqual(done)
    expect(await filesOf(table)).toEqual([undefined])
  })

  /** The bytes of files that spaces have, by which they are counted. */
  const bytesIn = (...ids: string[]) =>
    world.engine.store.read(({ usage }) => Promise.all(ids.map((id) => usage.fileBytes(id))))

  test('[UNDO-140] has them count in the space that its base was moved into, where others may name them', async () => {
    await set(table, null)
    const movedTo = await newSpace()
    await world.api.bases.moveBaseToSpace({ baseId, spaceId: movedTo })
    expect(await bytesIn(spaceId, movedTo)).toEqual([5, 0])
    expect(await undo(table)).toEqual(done)
    expect(await bytesIn(spaceId, movedTo)).toEqual([0, 5])
    const [[token] = []] = await filesOf(table)
    await world.add(table, { Files: [{ name: 'b.txt', token }] })
    // Back in the first space, with a step that was left in the second one.
    await redo(table)
    await world.api.bases.moveBaseToSpace({ baseId, spaceId })
    expect(await undo(table)).toEqual(done)
    expect(await bytesIn(spaceId, movedTo)).toEqual([5, 0])
  })

  test('[UNDO-140] has those of a converted field count there', async () => {
    const text = { tableId: table.id, fieldId, type: 'singleLineText' }
    await world.api.fields.convertField(text as never, options)
    const movedTo = await newSpace()
    await world.api.bases.moveBaseToSpace({ baseId, spaceId: movedTo })
    expect(await bytesIn(spaceId, movedTo)).toEqual([5, 0])
    expect(await undo(table)).toEqual(done)
    expect(await bytesIn(spaceId, movedTo)).toEqual([0, 5])
  })

  test('[UNDO-110] has them again where another base that names them was moved', async () => {
    const { table: other } = await newTable()
    const [[token] = []] = await filesOf(table)
    await set(other, [{ name: 'b.txt', token }])
    await moveAway()
    await set(other, null)
    const before = await bytesIn(spaceId)
    expect(await undo(other)).toEqual(done)
    expect(await filesOf(other)).toEqual([[token]])
    expect(await bytesIn(spaceId)).toEqual(before)
    // Nobody else is let in by that.
    await set(other, null)
    await expect(set(other, [{ name: 'b.txt', token }])).rejects.toMatchObject({
      code: 'validation_error',
    })
  })

  test('[UNDO-120] says of a file that is gone by now that it does not come back', async () => {
    await set(table, null)
    await withLimits({ unusedFileHours: 1 }, async () => {
      for (let hour = 0; hour < 8; hour++) {
        world.clock.advance(2 * 3_600_000)
        await world.finishJobs()
      }
    })
    expect(await undo(table)).toEqual({
      status: 'failed',
      errorMessage: 'A file that "Files" had is gone by now',
    })
    expect(await filesOf(table)).toEqual([undefined])
  })

  test('[UNDO-110] makes files of what a field was before it was converted', async () => {
    const before = await filesOf(table)
    await world.api.fields.convertField(
      { tableId: table.id, fieldId, type: 'singleLineText' } as never,
      options,
    )
    await moveAway()
    expect(await undo(table)).toEqual(done)
    expect(await filesOf(table)).toEqual(before)
  })
})
