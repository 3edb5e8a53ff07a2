import { MemoryBlobStore } from '@gateleg/testing/doubles/memory-blob-store'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { type ShownFile, textFile } from '@gateleg/testing/worlds/place'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Plans } from '../../billing/plans.ts'
import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { defaultSettings } from '../../settings.ts'
import type { WriteTx } from '../../store.ts'
import type { FileSource } from '../files/file-source.ts'
import { keepFile, putForSpace } from '../operations/note-file.ts'
import { sweepBlobs } from './sweep-blobs.ts'

const dayMs = limits.unusedFileHours * 3_600_000

describeOnEveryStorage('files that nobody uses', (storage) => {
  let world: TableWorld
  let table: TestTable
  let fieldId: string
  let blobs: MemoryBlobStore

  beforeEach(async () => {
    blobs = new MemoryBlobStore(() => world.clock.now())
    world = await openTableWorld(storage, { blobs })
    table = await world.makeNames('Notes', 'a')
    fieldId = (await world.addField(table, { type: 'attachment', name: 'Files' })).id
  })
  afterEach(() => world.close())

  const fileOf = (text: string): FileSource => ({
    name: text,
    stream: async function* () {
      yield Buffer.from(text)
    },
  })
  const upload = async (text: string) => {
    const place = { tableId: table.id, recordId: table.recordIds[0] ?? '', fieldId }
    const { fields } = await world.api.attachments.uploadAttachment({
      ...place,
      file: fileOf(text),
    })
    return (fields[fieldId] as readonly ShownFile[]).at(-1) as ShownFile
  }
  /** Stores a file as an upload does whose cell was not written in the end. */
  const uploadHalf = async (text: string) => {
    const { store } = world.engine
    const now = new Date(world.clock.now()).toISOString()
    const ports = { blobs, store, settings: defaultSettings, plans: new Plans(), now }
    const { spaceId, userId } = world.ada
    const put = await putForSpace(ports, fileOf(text), spaceId)
    return keepFile(ports, put, { spaceId, userId, token: `token of ${text}`, name: 'a.txt' })
  }
  const sweep = async () => {
    await world.finishJobs()
    return sweepBlobs({ store: world.engine.store, blobs, clock: world.clock })
  }
  const paths = async () => {
    const found: string[] = []
    for await (const page of blobs.list()) found.push(...page.map(({ path }) => path))
    return found.toSorted()
  }

  test('[ATTACH-26] a file is removed a day after its upload when no cell has had it', async () => {
    const { path } = await upload('attached')
    const half = await uploadHalf('never attached')
    world.clock.advance(dayMs / 2)
    expect(await sweep()).toBe(0)
    world.clock.advance(dayMs)
    expect(await sweep()).toBe(1)
    expect(await paths()).toEqual([path])
    const { tableId, recordId } = { tableId: table.id, recordId: table.recordIds[0] ?? '' }
    const attachments = [{ name: 'late', token: half.token }]
    await expect(
      world.api.attachments.insertAttachment({ tableId, recordId, fieldId, attachments }),
    ).rejects.toMatchObject({ code: 'validation_error' })
  })

  test('[ATTACH-26] bytes without a file, as a killed process leaves them, are removed after a day', async () => {
    const { path } = await upload('whole')
    await blobs.put(fileOf('orphan').stream())
    world.clock.advance(dayMs / 2)
    expect(await sweep()).toBe(0)
    world.clock.advance(dayMs / 2)
    expect(await sweep()).toBe(1)
    expect(await paths()).toEqual([path])
  })

  test('[ATTACH-26] so many files are removed at a time, and the next ones right after', async () => {
    expect(limits.filesPerSweep).toBe(500)
    const { path } = await upload('attached')
    for (const text of ['a', 'b', 'c']) await uploadHalf(text)
    world.clock.advance(2 * dayMs)
    const repository = await world.engine.store.write(
      async (tx): Promise<WriteTx['attachments']> => Object.getPrototypeOf(tx.attachments),
    )
    const files = vi.spyOn(repository, 'removeUnattached')
    const bytes = vi.spyOn(repository, 'removeUnused')
    await withLimits({ filesPerSweep: 2 }, () => world.finishJobs())
    expect(files.mock.settledResults.map(({ value }) => value)).toEqual([2, 1])
    expect(bytes.mock.settledResults.map(({ value }) => value.length)).toEqual([2, 1])
    files.mockRestore()
    bytes.mockRestore()
    expect(await sweep()).toBe(3)
    expect(await paths()).toEqual([path])
  })

  test('[ATTACH-57] bytes that are not needed and can not be removed fail no upload, and go with the sweep', async () => {
    const first = await upload('same')
    const removing = vi.spyOn(blobs, 'remove').mockRejectedValue(new Error('out of reach'))
    const second = await upload('same')
    const { attachments, records } = world.api
    const contentType = 'text/plain'
    const said = { baseId: world.baseId, type: 1, contentType, contentLength: 4 } as const
    const { token } = await attachments.requestUpload(said)
    await attachments.uploadContent({ token, contentType, content: 'same' })
    const third = await attachments.finishUpload({ token })
    expect([second.path, third.path]).toEqual([first.path, first.path])
    expect(removing).toHaveBeenCalledTimes(2)
    expect(await paths()).toHaveLength(3)
    removing.mockRestore()
    world.clock.advance(dayMs)
    expect(await sweep()).toBe(2)
    expect(await paths()).toEqual([first.path])
    const { fields } = await records.getRecord({
      ...{ tableId: table.id, recordId: table.recordIds[0] ?? '' },
    })
    expect(fields.Files).toMatchObject([{ token: first.token }, { token: second.token }])
  })

  test('[ATTACH-57] an upload is refused as it would be where its bytes can not be removed', async () => {
    const { attachments, records } = world.api
    const contentType = 'text/plain'
    const said = { baseId: world.baseId, type: 1, contentType, contentLength: 4 } as const
    const { token } = await attachments.requestUpload(said)
    const send = (content: string) => attachments.uploadContent({ token, contentType, content })
    const place = { tableId: table.id, recordId: table.recordIds[0] ?? '' }
    const file: FileSource = {
      name: 'late',
      stream: async function* () {
        yield Buffer.from('late')
        await records.deleteRecord(place)
      },
    }
    async function* twice() {
      yield Buffer.from('twi')
      await send('once')
      yield Buffer.from('c')
    }
    const removing = vi.spyOn(blobs, 'remove').mockRejectedValue(new Error('out of reach'))
    const notFound = { code: 'not_found' }
    await expect(send('few')).rejects.toMatchObject({ code: 'validation_error' })
    const late = attachments.uploadContent({ token, contentType, content: twice() })
    await expect(late).rejects.toMatchObject(notFound)
    const uploading = attachments.uploadAttachment({ ...place, fieldId, file })
    await expect(uploading).rejects.toMatchObject(notFound)
    expect(removing).toHaveBeenCalledTimes(3)
    removing.mockRestore()
    const kept = await attachments.finishUpload({ token })
    expect(await paths()).toHaveLength(4)
    expect(await sweep()).toBe(0)
    world.clock.advance(dayMs / 2)
    expect(await sweep()).toBe(0)
    expect(await paths()).toContain(kept.path)
    world.clock.advance(dayMs)
    expect(await sweep()).toBe(4)
  })

  test.each([
    ['in a cell', upload],
    ['for later', uploadHalf],
  ])(
    '[ATTACH-90] keeps the bytes of a file %s where the commit gets no answer',
    async (_, send) => {
      const { store } = world.engine
      const write = store.write.bind(store)
      const lost = new DomainError('database_connection_unavailable', 'The connection is lost')
      const writing = vi.spyOn(store, 'write').mockImplementation(async (work, options) => {
        await write(work, options)
        throw lost
      })
      await expect(send('kept')).rejects.toBe(lost)
      writing.mockRestore()
      const [path = ''] = await paths()
      expect(await store.read((tx) => tx.attachments.knownPaths([path]))).toEqual([path])
      // Whoever sends the same bytes has those.
      expect((await upload('kept')).path).toBe(path)
      expect(await paths()).toEqual([path])
    },
  )

  test('[ATTACH-56] bytes that are older than the first account are left, and told of', async () => {
    const created = world.clock.now()
    const told: number[] = []
    const sweepOf = (putMs: number) => {
      const list = async function* () {
        yield [{ path: 'theirs', putTime: new Date(putMs).toISOString() }]
      }
      const onOthers = (count: number) => void told.push(count)
      const removed: string[] = []
      const remove = async (path: string) => void removed.push(path)
      const ports = { store: world.engine.store, clock: world.clock, onOthers }
      return sweepBlobs({
        ...ports,
        blobs: Object.assign(new MemoryBlobStore(), { list, remove }),
      }).then((count) => [count, removed])
    }
    world.clock.advance(2 * dayMs)
    expect(await sweepOf(created - 10 * dayMs)).toEqual([0, []])
    expect(told).toEqual([1])
    expect(await sweepOf(created + 1_000)).toEqual([1, ['theirs']])
    expect(told).toEqual([1])
  })

  test('[ATTACH-56] bytes that were put for other data are left, and told of', async () => {
    const told: number[] = []
    const onOthers = (count: number) => void told.push(count)
    const theirs = await blobs.put(fileOf('theirs').stream(), 'bbbb0000')
    await blobs.put(fileOf('own').stream(), 'aaaa0000')
    await blobs.put(fileOf('of an earlier version').stream())
    world.clock.advance(2 * dayMs)
    const { store } = world.engine
    const ports = { store, blobs, clock: world.clock, onOthers }
    expect(await sweepBlobs({ ...ports, owner: 'aaaa0000' })).toBe(2)
    expect(await paths()).toEqual([theirs.path])
    expect(told).toEqual([1])
    // Who keeps no owner has put for none.
    expect(await sweepBlobs(ports)).toBe(0)
    expect(await sweepBlobs({ ...ports, owner: 'bbbb0000' })).toBe(1)
    expect(await paths()).toEqual([])
  })

  test('[ATTACH-26] bytes stay for as long as one file has them, and are kept anew when they come again', async () => {
    const first = await uploadHalf('same')
    world.clock.advance(dayMs)
    const attached = await upload('same')
    expect(attached.path).toBe(first.path)
    world.clock.advance(2 * dayMs)
    expect(await sweep()).toBe(0)
    await uploadHalf('other')
    world.clock.advance(dayMs + 3_600_000)
    expect(await sweep()).toBe(1)
    const again = await upload('other')
    expect(await paths()).toEqual([again.path, attached.path].toSorted())
    world.clock.advance(2 * dayMs)
    expect(await sweep()).toBe(0)
  })

  test('[ATTACH-27] the bytes of a file are there before anything is known of it', async () => {
    const put = blobs.put.bind(blobs)
    const seen: string[][] = []
    blobs.put = async (bytes) => {
      const done = await put(bytes)
      seen.push([
        ...(await world.engine.store.read((tx) => tx.attachments.knownPaths([done.path]))),
      ])
      return done
    }
    const { path } = await upload(textFile.name)
    expect(seen).toEqual([[]])
    expect(await blobs.read(path)).toBeDefined()
  })
})
