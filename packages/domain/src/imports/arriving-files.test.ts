import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { openTableWorld } from '@gateleg/testing/worlds/table-world'
import { worldOfBlock } from '@gateleg/testing/worlds/world-of-block'
import { expect, onTestFinished, test, vi } from 'vitest'
import { toTimestamp } from '../clock.ts'
import { purgeExpired } from '../jobs/purge-expired.ts'
import { limits } from '../limits.ts'

describeOnEveryStorage('files of imports on their way', (storage) => {
  const world = worldOfBlock(() => openTableWorld(storage))

  const importTable = (content: unknown, more: object = {}) =>
    world.api.imports.importTable({ baseId: world.baseId, content, ...more } as never)
  const importInto = (tableId: string, content: unknown, more: object = {}) =>
    world.api.imports.importRecords({ baseId: world.baseId, tableId, content, ...more } as never)
  const tableNames = async () =>
    (await world.api.tables.listTables({ baseId: world.baseId })).map(({ name }) => name)
  /** Counts imports that have not ended, such as had not expired when it was made. */
  const countOpenFromNow = () => {
    const start = toTimestamp(world.clock.now())
    return () => world.engine.store.read((tx) => tx.imports.countOpen(world.baseId, start))
  }
  const purge = async () => {
    const purgeSome = () =>
      world.engine.store.write((tx) =>
        purgeExpired.run({ tx, nowMs: world.clock.now(), jobId: 'job' } as never),
      )
    while ((await purgeSome()) === 'more');
  }
  /** A file of three long rows, and of what comes once that is known. */
  async function* slowly(rest: Promise<string>) {
    yield new TextEncoder().encode(`Name\n${`${'x'.repeat(30_000)}\n`.repeat(3)}`)
    yield new TextEncoder().encode(await rest)
  }

  test('[IMPORT-14] takes what an export answers, and nothing but texts and bytes', async () => {
    const { tableId } = await importTable('Name\nä\n')
    const content = await world.api.exports.exportTable({ tableId })
    expect(await importInto(tableId, content)).toMatchObject({ rowsCreated: 1 })
    async function* numbers() {
      yield 5
    }
    await expect(importTable(numbers())).rejects.toMatchObject({
      code: 'validation_error',
      message: expect.stringContaining('must consist of texts or bytes'),
    })
  })

  test('[IMPORT-9] keeps nothing of a file that breaks off', async () => {
    await withLimits({ importRowsAtOnce: 2, rowsPerImportPiece: 2 }, async () => {
      async function* broken() {
        yield new TextEncoder().encode('Name\na\nb\nc\nd\ne\n')
        throw new Error('the line is cut')
      }
      const before = await tableNames()
      const open = countOpenFromNow()
      const openBefore = await open()
      await expect(importTable(broken(), { partial: true })).rejects.toThrow('the line is cut')
      await expect(importTable('Name\na\nb\nc\nd\n"e\n')).rejects.toMatchObject({
        code: 'validation_error',
      })
      expect(await tableNames()).toEqual(before)
      expect(await open()).toBe(openBefore)
    })
  })

  test('[IMPORT-9] gives up a file that has not come within an hour', async () => {
    expect(limits.importArrivalHours).toBe(1)
    const lowered = { importRowsAtOnce: 1, rowsPerImportPiece: 1, importsPerBase: 1 }
    await withLimits(lowered, async () => {
      const line = Promise.withResolvers<string>()
      const kept = countOpenFromNow()
      const coming = importTable(slowly(line.promise))
      await vi.waitFor(async () => expect(await kept()).toBe(1))
      const another = () => importTable('Name\na\nb\n')
      world.clock.advance(3_600_000 - 1)
      await expect(another()).rejects.toMatchObject({ code: 'too_many_requests' })
      world.clock.advance(1)
      await expect(another()).resolves.toMatchObject({ state: 'running' })
      await world.finishJobs()
      expect(await kept()).toBe(1)
      await purge()
      expect(await kept()).toBe(0)
      line.reject(new Error('the line is cut'))
      await expect(coming).rejects.toThrow('the line is cut')
    })
  })

  test.each([
    ['comes to its end', ''],
    ['goes on', 'b\nc\nd\n'],
  ])('[IMPORT-9] refuses a file of which more than an hour later the rest %s', async (_, rest) => {
    await withLimits({ importRowsAtOnce: 1, rowsPerImportPiece: 1 }, async () => {
      const line = Promise.withResolvers<string>()
      const kept = countOpenFromNow()
      const before = await tableNames()
      const coming = importTable(slowly(line.promise))
      await vi.waitFor(async () => expect(await kept()).toBe(1))
      world.clock.advance(3_600_000)
      line.resolve(rest)
      await expect(coming).rejects.toMatchObject({ code: 'request_timeout' })
      expect(await tableNames()).toEqual(before)
      world.clock.advance(1)
      await purge()
      expect(await kept()).toBe(0)
    })
  })

  test.each(['importTable', 'importRecords'])(
    '[IMPORT-30] refuses a file whose rows expired between its end and the transaction of %s that begins it',
    async (operation) => {
      const table = await world.makeNames('Waiting')
      const send = () => {
        const content = 'Name\na\nb\nc\n'
        return operation === 'importTable' ? importTable(content) : importInto(table.id, content)
      }
      await withLimits({ importRowsAtOnce: 1, rowsPerImportPiece: 1 }, async () => {
        const { store } = world.engine
        const write = store.write.bind(store)
        let writes = 0
        let expireAt = Number.POSITIVE_INFINITY
        const spy = vi.spyOn(store, 'write').mockImplementation(async (...args) => {
          if (++writes === expireAt) {
            world.clock.advance(3_600_001)
            await purge()
          }
          return write(...args)
        })
        onTestFinished(() => spy.mockRestore())
        await send()
        const beforeLast = writes
        await world.finishJobs()
        const before = await tableNames()
        writes = 0
        expireAt = beforeLast
        await expect(send()).rejects.toMatchObject({ code: 'request_timeout' })
        expireAt = Number.POSITIVE_INFINITY
        await world.finishJobs()
        expect(await tableNames()).toEqual(before)
        expect(await world.cellsOf(table, 'Name')).toHaveLength(operation === 'importTable' ? 0 : 3)
      })
    },
  )

  test('[IMPORT-9] a file that is refused when it has come counts no longer', async () => {
    const table = await world.makeNames('Refusing')
    const rows = 'a\nb\nc\n'
    await withLimits({ importRowsAtOnce: 1, importsPerBase: 1 }, async () => {
      for (const refuse of [
        () => importInto(table.id, `None\n${rows}`),
        () => importInto(table.id, `Name\n${rows}`, { sourceColumnMap: { [table.primaryId]: 1 } }),
        () => importTable(`Name\n${rows}`, { columns: [] }),
        () => withLimits({ tablesPerBase: 1 }, () => importTable(`Name\n${rows}`)),
      ]) {
        const code = await refuse().then(
          () => 'done',
          (error) => error.code,
        )
        expect(code).toBe('validation_error')
      }
      await expect(importTable(`Name\n${rows}`)).resolves.toMatchObject({ state: 'running' })
      await world.finishJobs()
    })
  })

  test('[IMPORT-9] bounds the imports of a base that are under way', async () => {
    await withLimits({ importRowsAtOnce: 1, importsPerBase: 1 }, async () => {
      await importTable('Name\na\nb\n')
      await expect(importTable('Name\na\nb\n')).rejects.toMatchObject({ code: 'too_many_requests' })
      await expect(importTable('Name\na\n')).resolves.toMatchObject({ state: 'done' })
      await world.finishJobs()
      await expect(importTable('Name\na\nb\n')).resolves.toMatchObject({ state: 'running' })
      await world.finishJobs()
    })
  })
})
