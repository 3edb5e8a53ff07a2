import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { expect, test } from 'vitest'
import { purgeExpired } from '../jobs/purge-expired.ts'
import { limits } from '../limits.ts'

const dayMs = 24 * 3_600_000

describeOnEveryStorage('imports under way', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  /** Begins an import of which each row is written by itself, in the background. */
  const begin = (tableId: string, content: string) =>
    withLimits({ importRowsAtOnce: 1, rowsPerImportPiece: 1 }, () =>
      world.api.imports.importRecords({ baseId: world.baseId, tableId, content } as never),
    )
  const statusOf = (importId: string) =>
    world.api.imports.getImport({ baseId: world.baseId, importId })
  const purge = async () => {
    const purgeSome = () =>
      world.engine.store.write((tx) =>
        purgeExpired.run({ tx, nowMs: world.clock.now(), jobId: 'job' } as never),
      )
    while ((await purgeSome()) === 'more');
  }

  test('[IMPORT-20] are finished however long nothing was done, and told of for seven days then', async () => {
    const table = await world.makeNames('Waiting')
    const { id } = await begin(table.id, 'Name\na\nb\nc\n')
    world.clock.advance((limits.importKeptDays + 1) * dayMs)
    await purge()
    expect(await statusOf(id)).toMatchObject({ state: 'running', rowsCreated: 0 })
    await world.finishJobs()
    expect(await world.cellsOf(table, 'Name')).toEqual(['a', 'b', 'c'])
    expect(await statusOf(id)).toMatchObject({ state: 'done', rowsCreated: 3 })
    world.clock.advance(limits.importKeptDays * dayMs)
    await expect(statusOf(id)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('[IMPORT-20] count among those of the base however long they take', async () => {
    const table = await world.makeNames('Counted')
    await begin(table.id, 'Name\na\nb\n')
    world.clock.advance((limits.importKeptDays + 1) * dayMs)
    await withLimits({ importsPerBase: 1 }, async () => {
      const another = begin(table.id, 'Name\na\nb\n')
      await expect(another).rejects.toMatchObject({ code: 'too_many_requests' })
    })
    await world.finishJobs()
  })

  test('[IMPORT-21] leave out cells whose field was deleted, and tell of them', async () => {
    const table = await world.makeNames('Losing')
    const { id } = await begin(table.id, 'Name,Count\na,1\nb,2\nc,\n')
    await world.runJob()
    const { id: fieldId } = await world.fieldOf(table, 'Count')
    await world.api.fields.deleteField({ tableId: table.id, fieldId })
    await world.finishJobs()
    expect(await world.cellsOf(table, 'Name')).toEqual(['a', 'b', 'c'])
    expect(await statusOf(id)).toMatchObject({
      state: 'done',
      rowsCreated: 3,
      rowsLeftOut: 0,
      cellsEmptied: 1,
      issues: [{ line: 3, message: 'the field of column 2 was deleted: the cell is left out' }],
    })
  })

  test('[IMPORT-21] leave out cells whose field became a computed one, and tell of them', async () => {
    const table = await world.makeNames('Turning')
    const { id } = await begin(table.id, 'Name,Count\na,1\nb,2\n')
    await world.convert(table, 'Count', { type: 'formula', options: { expression: '7' } })
    await world.finishJobs()
    expect(await world.cellsOf(table, 'Count')).toEqual([7, 7])
    const message = "the field of column 2 can't be written any more: the cell is left out"
    expect(await statusOf(id)).toMatchObject({
      rowsCreated: 2,
      cellsEmptied: 2,
      issues: [
        { line: 2, message },
        { line: 3, message },
      ],
    })
  })
})
