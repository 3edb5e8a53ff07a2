import { MemoryBlobStore } from '@gateleg/testing/doubles/memory-blob-store'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import type { ShownFile } from '@gateleg/testing/worlds/place'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { limits } from '../limits.ts'
import { defaultSettings } from '../settings.ts'
import type { WriteTx } from '../store.ts'
import { sweepBlobs } from './unused/sweep-blobs.ts'

const hourMs = 3_600_000

describeOnEveryStorage('files that cells have had', (storage) => {
  let world: TableWorld
  let blobs: MemoryBlobStore
  /** Files are told apart by it: the same bytes are kept once. */
  let count = 0

  beforeEach(async () => {
    blobs = new MemoryBlobStore(() => world.clock.now())
    world = await openTableWorld(storage, { blobs })
  })
  afterEach(() => world.close())

  const makeTable = async (...names: string[]) => {
    const table = await world.makeNames(`T${count++}`, ...names)
    const { id: fieldId } = await world.addField(table, { type: 'attachment', name: 'Files' })
    return { table, fieldId }
  }
  const upload = async (table: TestTable, fieldId: string, recordId = table.recordIds[0] ?? '') => {
    const text = `file ${count++}`
    const file = { name: text, stream: () => piecesOf(text) }
    const place = { tableId: table.id, recordId, fieldId }
    const { fields } = await world.api.attachments.uploadAttachment({ ...place, file })
    return (fields[fieldId] as readonly ShownFile[]).at(-1) as ShownFile
  }
  /** So many days go by in which the background does what it has to, and bytes are swept. */
  const wait = async (days: number) => {
    for (let hours = 0; hours < days * 24; hours += 6) {
      world.clock.advance(6 * hourMs)
      await world.finishJobs()
    }
    await sweepBlobs({ store: world.engine.store, blobs, clock: world.clock })
  }
  const paths = async () => {
    const found: string[] = []
    for await (const page of blobs.list()) found.push(...page.map(({ path }) => path))
    return found.toSorted()
  }

  test('[ATTACH-34] go some days after the last cell has lost them, and not before', async () => {
    const { table, fieldId } = await makeTable('a')
    const kept = await upload(table, fieldId)
    const left = await upload(table, fieldId)
    await wait(5)
    expect(await paths()).toEqual([kept.path, left.path].toSorted())
    await world.change(table, table.recordIds[0], { Files: [{ name: 'k', token: kept.token }] })
    world.clock.advance(23 * hourMs)
    await world.finishJobs()
    await sweepBlobs({ store: world.engine.store, blobs, clock: world.clock })
    expect(await paths()).toEqual([kept.path, left.path].toSorted())
    await wait(5)
    expect(await paths()).toEqual([kept.path])
    await wait(5)
    expect(await paths()).toEqual([kept.path])
  })

  test('[ATTACH-34] stay while a deleted record, field or table has them, and go when that is purged', async () => {
    const { table, fieldId } = await makeTable('a', 'b')
    const ofRecord = await upload(table, fieldId)
    const other = await makeTable('a')
    const ofTable = await upload(other.table, other.fieldId)
    const third = await makeTable('a')
    const ofField = await upload(third.table, third.fieldId)
    await world.remove(table, table.recordIds[0])
    await world.api.fields.deleteField({ tableId: third.table.id, fieldId: third.fieldId })
    const { baseId } = world
    await world.api.tables.deleteTable({ baseId, tableId: other.table.id })
    await wait(6)
    expect(await paths()).toEqual([ofRecord.path, ofTable.path, ofField.path].toSorted())
    await world.api.tables.deleteTablePermanently({ baseId, tableId: other.table.id })
    await wait(6)
    expect(await paths()).toEqual([ofRecord.path, ofField.path].toSorted())
  })

  test('[ATTACH-34] stay while the history of a record names them', async () => {
    const settings = { ...defaultSettings, recordHistoryDays: 20 }
    await world.close()
    world = await openTableWorld(storage, { blobs, settings })
    const { table, fieldId } = await makeTable('a')
    const { path } = await upload(table, fieldId)
    await world.change(table, table.recordIds[0], { Files: null })
    await wait(6)
    expect(await paths()).toEqual([path])
    await wait(30)
    expect(await paths()).toEqual([])
  })

  test('[ATTACH-34] stay while the history names them, of which so many changes are looked through at a time', async () => {
    expect(limits.changesLookedThrough).toBe(50)
    const settings = { ...defaultSettings, recordHistoryDays: 20 }
    await world.close()
    world = await openTableWorld(storage, { blobs, settings })
    const { table, fieldId } = await makeTable('a')
    const files: string[] = []
    for (let round = 0; round < 3; round++) {
      files.push((await upload(table, fieldId)).path)
      await world.change(table, table.recordIds[0], { Files: null })
      world.clock.advance(1_000)
    }
    const repository = await world.engine.store.write(
      async (tx): Promise<WriteTx['history']> => Object.getPrototypeOf(tx.history),
    )
    await withLimits({ changesLookedThrough: 4 }, async () => {
      const listing = vi.spyOn(repository, 'list')
      await wait(0.25)
      const counts = listing.mock.settledResults.map(({ value }) => value.length)
      listing.mockRestore()
      expect(counts).toEqual([4, 2])
      await wait(6)
      expect(await paths()).toEqual(files.toSorted())
    })
  })

  test('[ATTACH-34] stay while a copy has them, whatever is purged', async () => {
    const { table, fieldId } = await makeTable('a')
    const { path } = await upload(table, fieldId)
    const { baseId } = world
    const nodes = await world.api.tree.listNodes({ baseId })
    const nodeId = nodes.find(({ resourceId }) => resourceId === table.id)?.id ?? ''
    await world.api.tree.duplicateNode({ baseId, nodeId, includeRecords: true })
    await world.api.tables.deleteTablePermanently({ baseId, tableId: table.id })
    await wait(6)
    expect(await paths()).toEqual([path])
  })

  test('[ATTACH-35] no bytes are lost and none are left, whatever was done with files', async () => {
    const operation = fc.record({
      what: fc.constantFrom('upload', 'upload', 'insert', 'replace', 'empty', 'remove', 'purge'),
      table: fc.nat({ max: 5 }),
      record: fc.nat({ max: 2 }),
      file: fc.nat({ max: 9 }),
      hours: fc.constantFrom(0, 0, 0, 5, 20),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { minLength: 15, maxLength: 40 }),
        async (operations) => {
          await world.clear()
          interface Known {
            readonly table: TestTable
            readonly fieldId: string
            /** The files in the cells of its living records, and all that deleted ones have. */
            readonly cells: Map<string, ShownFile[]>
            readonly deleted: ShownFile[]
          }
          const make = async (): Promise<Known> => ({
            ...(await makeTable('a', 'b', 'c')),
            cells: new Map(),
            deleted: [],
          })
          const tables = [await make(), await make()]
          const { baseId } = world
          for (const { what, table: nth, record, file, hours } of operations) {
            if (tables.length === 0) tables.push(await make())
            const known = tables[nth % tables.length] as Known
            const { table, fieldId, cells, deleted } = known
            const recordId = table.recordIds[record] ?? ''
            const all = tables.flatMap((one) => [...one.cells.values()].flat())
            const chosen = all[file % Math.max(1, all.length)]
            const place = { tableId: table.id, recordId, fieldId }
            if (what === 'upload' && !gone.has(recordId)) {
              const item = await upload(table, fieldId, recordId)
              cells.set(recordId, [...(cells.get(recordId) ?? []), item])
            } else if (what === 'insert' && chosen && !gone.has(recordId)) {
              const attachments = [{ name: 'again', token: chosen.token }]
              await world.api.attachments.insertAttachment({ ...place, attachments })
              cells.set(recordId, [...(cells.get(recordId) ?? []), chosen])
            } else if (what === 'replace' && chosen && !gone.has(recordId)) {
              await world.change(table, recordId, { Files: [{ name: 'new', token: chosen.token }] })
              cells.set(recordId, [chosen])
            } else if (what === 'empty' && !gone.has(recordId)) {
              await world.change(table, recordId, { Files: null })
              cells.delete(recordId)
            } else if (what === 'remove' && !gone.has(recordId)) {
              await world.remove(table, recordId)
              gone.add(recordId)
              deleted.push(...(cells.get(recordId) ?? []))
              cells.delete(recordId)
            } else if (what === 'purge') {
              await world.api.tables.deleteTablePermanently({ baseId, tableId: table.id })
              tables.splice(tables.indexOf(known), 1)
            }
            world.clock.advance(hours * hourMs)
            await world.finishJobs()
          }
          await wait(5)
          const used = tables.flatMap(({ cells, deleted }) => [
            ...[...cells.values()].flat(),
            ...deleted,
          ])
          expect(await paths()).toEqual([...new Set(used.map(({ path }) => path))].toSorted())
        },
      ),
      { numRuns: 5 },
    )
  }, 120_000)

  /** Records that were deleted. */
  const gone = new Set<string>()
})

async function* piecesOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text)
}
