import { MemoryBlobStore } from '@gateleg/testing/doubles/memory-blob-store'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { type BaseWorld, invalidAt } from '@gateleg/testing/worlds/base-world'
import { textFile } from '@gateleg/testing/worlds/place'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { defaultSettings } from '../../settings.ts'
import type { BlobStore } from '../blob-store.ts'
import { FetchRefusal, type FileFetcher } from '../files/file-fetcher.ts'
import type { FileSource } from '../files/file-source.ts'

interface Item {
  readonly id: string
  readonly name: string
  readonly token: string
  readonly path: string
}

/** A file that is fetched, as the pieces that come and what breaks it off; or why it is not. */
type Fetched =
  | { readonly name: string; readonly pieces: readonly (string | FetchRefusal)[] }
  | FetchRefusal

async function* piecesOf(fetched: Fetched): AsyncIterable<Uint8Array> {
  for (const piece of fetched instanceof FetchRefusal ? [fetched] : fetched.pieces) {
    if (piece instanceof FetchRefusal) throw piece
    yield Buffer.from(piece)
  }
}

const fileOf = (name: string, ...texts: string[]): FileSource => ({
  name,
  stream: async function* () {
    for (const text of texts) yield Buffer.from(text, 'latin1')
  },
})

describeOnEveryStorage('files that are uploaded', (storage) => {
  let world: TableWorld
  let table: TestTable
  let fieldId: string
  let blobs: BlobStore
  /** What the fetcher of files finds, what it was asked for, and how often it was let go of. */
  let fetched: Fetched
  let asked: unknown[] = []
  let ended = 0

  beforeAll(async () => {
    blobs = new MemoryBlobStore()
    const settings = { ...defaultSettings, maxAttachmentBytes: 1_000 }
    const fileFetcher: FileFetcher = {
      fetch: async (request) => {
        asked.push(request)
        if (fetched instanceof FetchRefusal) throw fetched
        return { name: fetched.name, stream: () => piecesOf(fetched), end: () => ended++ }
      },
    }
    world = await openTableWorld(storage, { blobs, settings, fileFetcher })
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    asked = []
    ended = 0
    table = await world.makeNames('Notes', 'a', 'b')
    fieldId = (await world.addField(table, { type: 'attachment', name: 'Files' })).id
  })
  afterEach(() => world.clear())

  const uploadFrom = async (fileUrl: string, file?: FileSource, api = world.api) => {
    const record = await api.attachments.uploadAttachment({
      ...place(),
      fileUrl,
      ...(file && { file }),
    })
    return record.fields[fieldId] as readonly Item[]
  }
  const place = () => ({ tableId: table.id, recordId: table.recordIds[0] ?? '', fieldId })
  const upload = async (file: FileSource, api: BaseWorld['api'] = world.api) => {
    const record = await api.attachments.uploadAttachment({ ...place(), file })
    return record.fields[fieldId] as readonly Item[]
  }
  const insert = async (attachments: readonly object[], anchorId?: string) => {
    const input = { ...place(), attachments, ...(anchorId !== undefined && { anchorId }) }
    const record = await world.api.attachments.insertAttachment(input as never)
    return record.fields[fieldId] as readonly Item[]
  }
  const blobPaths = async () => {
    const paths: string[] = []
    for await (const page of blobs.list()) paths.push(...page.map(({ path }) => path))
    return paths.toSorted()
  }
  const named = (cell: readonly Item[]) => cell.map(({ name }) => name)

  test('[ATTACH-8] are answered with the name of their record, which may be empty', async () => {
    const name = async () =>
      (await world.api.attachments.uploadAttachment({ ...place(), file: textFile })).name
    expect(await name()).toBe('a')
    await world.change(table, table.recordIds[0], { Name: null })
    expect(await name()).toBe('')
  })

  test('[ATTACH-2] items of other members than they have, or of wrong kinds, are refused with their place', async () => {
    const [{ token } = { token: '' }] = await upload(textFile)
    const item = { name: 'n', token }
    for (const [member, wrong] of [
      ...['path', 'mimetype', 'presignedUrl', 'smThumbnailUrl', 'lgThumbnailUrl'].map((name) => [
        name,
        5,
      ]),
      ...['size', 'width', 'height'].map((name) => [name, '5']),
      ['id', 'xyz1'],
    ] as [string, unknown][]) {
      const refusal = invalidAt('attachments', 0, member)
      await expect(insert([{ ...item, [member]: wrong }])).rejects.toMatchObject(refusal)
    }
    const told = { path: 'p', mimetype: 'x/y', size: 1, width: null, presignedUrl: '' }
    expect(named(await insert([{ ...item, ...told, more: 1 }]))).toEqual(['note.txt', 'n'])
  })

  test('[ATTACH-8] come last in their cell, with an id of their own and what their content says', async () => {
    await upload(textFile)
    const png = `\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x28\0\0\0\x1e`
    const cell = await upload(fileOf('photo.txt', png.slice(0, 5), png.slice(5)))
    expect(cell).toEqual([
      expect.objectContaining({ name: 'note.txt', size: 6, mimetype: 'text/plain' }),
      {
        id: expect.stringMatching(/^act[0-9a-zA-Z]{16}$/),
        name: 'photo.txt',
        token: expect.stringMatching(/^[0-9a-f]{64}$/),
        path: expect.stringMatching(/^[0-9a-f]{64}-[0-9a-f]{16}$/),
        size: 24,
        mimetype: 'image/png',
        width: 40,
        height: 30,
        presignedUrl: expect.stringContaining('/api/attachments/read/'),
        smThumbnailUrl: expect.stringMatching(/&thumbnail=sm$/),
        lgThumbnailUrl: expect.stringMatching(/&thumbnail=lg$/),
      },
    ])
    expect(await world.cellsOf(table, 'Files')).toEqual([cell, null])
    const pieces: Uint8Array[] = []
    for await (const piece of (await blobs.read(cell[1]?.path ?? '')) ?? []) pieces.push(piece)
    expect(Buffer.concat(pieces)).toEqual(Buffer.from(png, 'latin1'))
  })

  test('[ATTACH-9] are kept once, whoever brings the same bytes, at one time or later', async () => {
    const before = await blobPaths()
    const cells = await Promise.all(
      Array.from({ length: 5 }, (_, index) => upload(fileOf(`${index}`, 'the same'))),
    )
    const eve = await world.newCollaborator(`Eve${storage.name}`, 'editor')
    const last = await upload(fileOf('last', 'the', ' same'), eve.api)
    expect(new Set(last.map(({ path }) => path)).size).toBe(1)
    expect(new Set(last.map(({ token }) => token)).size).toBe(6)
    expect(cells.flat().every(({ path }) => path === last[0]?.path)).toBe(true)
    expect(await blobPaths()).toHaveLength(before.length + 1)
  })

  test('[ATTACH-10] refuses files beyond the bytes that one may have, and leaves nothing', async () => {
    const before = await blobPaths()
    expect(await upload(fileOf('most', 'x'.repeat(1_000)))).toHaveLength(1)
    const one = await blobPaths()
    await world.expectNoTrace(() => upload(fileOf('more', 'x'.repeat(1_000), 'y')), {
      code: 'payload_too_large',
    })
    expect(await blobPaths()).toEqual(one)
    expect(one).toHaveLength(before.length + 1)
  })

  test('[ATTACH-10] leaves nothing of what breaks off', async () => {
    const before = await blobPaths()
    const broken: FileSource = {
      name: 'broken',
      stream: async function* () {
        yield Buffer.from('first')
        throw new Error('the line is cut')
      },
    }
    await expect(upload(broken)).rejects.toThrow('the line is cut')
    expect(await world.cellsOf(table, 'Files')).toEqual([null, null])
    expect(await blobPaths()).toEqual(before)
  })

  test('[ATTACH-10] leaves nothing of a file whose record went while its bytes came', async () => {
    const before = await blobPaths()
    const { tableId, recordId } = place()
    const slow: FileSource = {
      name: 'slow',
      stream: async function* () {
        yield Buffer.from('bytes that came')
        await world.api.records.deleteRecord({ tableId, recordId })
      },
    }
    await expect(upload(slow)).rejects.toMatchObject({ code: 'not_found' })
    expect(await blobPaths()).toEqual(before)
  })

  test('[ATTACH-11] asks who may change the record before it takes anything', async () => {
    const viewer = await world.newCollaborator(`Viewer${storage.name}`, 'viewer')
    const stranger = await world.newPerson(`Stranger${storage.name}`)
    let isRead = false
    const file: FileSource = {
      name: 'unread',
      stream: async function* () {
        isRead = true
        yield Buffer.from('bytes')
      },
    }
    const { tableId, recordId } = place()
    const { attachments } = world.api
    const formula = { expression: '{Files}' }
    const computed = await world.addField(table, { type: 'formula', options: formula })
    const cases: readonly (readonly [() => Promise<unknown>, object])[] = [
      [() => upload(file, viewer.api), { code: 'restricted_resource' }],
      [() => upload(file, stranger.api), { code: 'not_found' }],
      [
        () => attachments.uploadAttachment({ ...place(), fieldId: 'fldNone', file }),
        { code: 'not_found' },
      ],
      [
        () => attachments.uploadAttachment({ ...place(), recordId: 'recNone', file }),
        { code: 'not_found' },
      ],
      [
        () => attachments.uploadAttachment({ tableId, recordId, fieldId: table.primaryId, file }),
        invalidAt('fieldId'),
      ],
      [
        () => attachments.uploadAttachment({ tableId, recordId, fieldId: computed.id, file }),
        invalidAt('fieldId'),
      ],
      [() => attachments.uploadAttachment(place()), invalidAt('file')],
      [
        () => attachments.uploadAttachment({ ...place(), file: 'text' as never }),
        invalidAt('file'),
      ],
    ]
    for (const [call, refusal] of cases) await world.expectNoTrace(call, refusal)
    expect(isRead).toBe(false)
  })

  test('[ATTACH-28] are fetched from a URL where none is sent', async () => {
    fetched = { name: 'a/b\u202e.txt', pieces: ['from ', 'elsewhere'] }
    const [item] = await uploadFrom('https://files.example/b.txt')
    expect(item).toMatchObject({ name: 'b.txt', size: 14, mimetype: 'text/plain' })
    expect(asked).toEqual([
      { url: 'https://files.example/b.txt', most: 1_000, caller: world.ada.userId },
    ])
    expect(ended).toBe(1)
    const both = await uploadFrom('https://files.example/b.txt', fileOf('sent', 'x'))
    expect(named(both)).toEqual(['b.txt', 'sent'])
    expect(asked).toHaveLength(1)
  })

  test('[ATTACH-29] leave nothing where they can not be fetched', async () => {
    const before = await blobPaths()
    const viewer = await world.newCollaborator(`Fetcher${storage.name}`, 'viewer')
    fetched = { name: 'a', pieces: ['x'] }
    await world.expectNoTrace(() => uploadFrom('http://a.example', undefined, viewer.api), {
      code: 'restricted_resource',
    })
    const long = `http://a.example/${'x'.repeat(limits.fileUrlLength)}`
    await world.expectNoTrace(() => uploadFrom(long), invalidAt('fileUrl'))
    expect(asked).toEqual([])
    fetched = new FetchRefusal('must lead to a public address')
    await world.expectNoTrace(() => uploadFrom('http://10.0.0.1'), invalidAt('fileUrl'))
    fetched = { name: 'a', pieces: ['x', new FetchRefusal('must lead to a whole file')] }
    await world.expectNoTrace(() => uploadFrom('http://a.example'), invalidAt('fileUrl'))
    fetched = { name: 'a', pieces: ['x'.repeat(1_001)] }
    await world.expectNoTrace(() => uploadFrom('http://a.example'), { code: 'payload_too_large' })
    expect(ended).toBe(2)
    expect(await blobPaths()).toEqual(before)
  })

  test('[ATTACH-12] belong to their uploader until a cell has them, then to the space', async () => {
    const cell = await upload(fileOf('mine', 'mine'))
    const token = 'f'.repeat(64)
    await world.engine.store.write((tx) =>
      tx.attachments.insert({
        ...{ token, spaceId: world.ada.spaceId, path: 'p', size: 1, mimetype: 'a/b' },
        ...{ width: null, height: null, createdBy: world.ada.userId },
        ...{ createdTime: '2026-01-01T00:00:00.000Z', attachedTime: null },
      }),
    )
    const eve = await world.newCollaborator(`Other${storage.name}`, 'editor')
    const attach = (api: BaseWorld['api'], one: string) =>
      api.attachments.insertAttachment({ ...place(), attachments: [{ name: 'n', token: one }] })
    const write = (api: BaseWorld['api'], one: string) =>
      api.records.updateRecord({
        tableId: table.id,
        recordId: table.recordIds[1] ?? '',
        record: { fields: { Files: [{ name: 'n', token: one }] } },
      })
    await world.expectNoTrace(() => attach(eve.api, token), invalidAt('attachments', 0, 'token'))
    await world.expectNoTrace(() => write(eve.api, token), invalidAt('record', 'fields', 'Files'))
    await attach(eve.api, cell[0]?.token ?? '')
    await attach(world.api, token)
    expect((await write(eve.api, token)).fields).toMatchObject({ Files: [{ token }] })
  })

  test('[ATTACH-7] are inserted after the anchor, and keep what was there', async () => {
    await upload(fileOf('a', 'a'))
    const [a, b] = await upload(fileOf('b', 'b'))
    const [token = '', anchor = ''] = [a?.token, a?.id]
    const items = ['c', 'd'].map((name) => ({ name, token }))
    expect(named(await insert(items, anchor))).toEqual(['a', 'c', 'd', 'b'])
    expect(named(await insert([{ name: 'e', token }], 'actUnknown'))).toEqual([...'acdbe'])
    const cell = await insert([{ name: 'f', token }])
    expect(named(cell)).toEqual([...'acdbef'])
    expect(cell.find(({ name }) => name === 'b')).toEqual(b)
    expect(new Set(cell.map(({ id }) => id)).size).toBe(6)
    for (const unknown of ['', 'x'.repeat(65), 'x'.repeat(limits.shortTextLength)]) {
      const added = await insert([{ name: `after${unknown.length}`, token }], unknown)
      expect(named(added).at(-1)).toBe(`after${unknown.length}`)
    }
    const strange = insert([{ name: 'g', token, id: 'file 1' }])
    await expect(strange).rejects.toThrow('must be "act" with 32 letters and digits after it')
    const tooLong = 'x'.repeat(limits.shortTextLength + 1)
    const one = [{ name: 'g', token }]
    await world.expectNoTrace(() => insert(one, tooLong), invalidAt('anchorId'))
  })

  test('[ATTACH-55] answer the record with what the caller may do with it', async () => {
    const file = fileOf('a', 'a')
    const whole = { 'record|read': true, 'record|update': true, 'record|delete': true }
    const uploaded = await world.api.attachments.uploadAttachment({ ...place(), file })
    const permissions = { ...whole, 'record|comment': true }
    expect(uploaded).toMatchObject({ permissions, undeletable: false })
    const [{ token = '' } = {}] = uploaded.fields[fieldId] as readonly Item[]
    const scoped = world.engine.as({
      ...{ kind: 'token', userId: world.ada.userId, tokenId: 'acc' },
      scopes: new Set(['record|update']),
    })
    const attachments = [{ name: 'b', token }]
    const inserted = await scoped.attachments.insertAttachment({ ...place(), attachments })
    expect(inserted.permissions).toEqual({
      ...{ 'record|read': false, 'record|update': true },
      ...{ 'record|delete': false, 'record|comment': false },
    })
    const read = await world.api.records.getRecord(place())
    expect(read).not.toHaveProperty('permissions')
    expect(read).not.toHaveProperty('undeletable')
  })

  test('[ATTACH-13] an id that the cell has stays with the item that had it, wherever that stands', async () => {
    await upload(fileOf('a', 'a'))
    const [a, b] = await upload(fileOf('b', 'b'))
    const same = { ...b, name: 'again', size: 5, path: 'elsewhere' }
    const cell = await insert([same, { ...same, id: 'actNew' }], a?.id)
    expect(named(cell)).toEqual(['a', 'again', 'again', 'b'])
    expect(cell[3]).toEqual(b)
    expect(cell[1]?.id).not.toBe(b?.id)
    expect(cell[2]?.id).toBe('actNew')
    expect(cell[1]).toMatchObject({ path: b?.path, size: 1 })
  })

  test('[ATTACH-14] refuses what is no list of files, and more than a cell holds', async () => {
    const [{ token = '' } = {}] = await upload(fileOf('a', 'a'))
    const one = { name: 'a', token }
    const full = new Array(limits.attachmentsPerCell - 1).fill(one)
    for (const [attachments, path] of [
      [[], ['attachments']],
      [
        [one, { ...one, token: 'unknown' }],
        ['attachments', 1, 'token'],
      ],
      [[{ ...one, id: 'file1' }], ['attachments', 0, 'id']],
      [[...full, one], ['attachments']],
    ] as const) {
      await world.expectNoTrace(() => insert(attachments), invalidAt(...path))
    }
    expect(await insert(full)).toHaveLength(limits.attachmentsPerCell)
    await world.expectNoTrace(() => upload(fileOf('b', 'b')), invalidAt('file'))
  })

  test('[ATTACH-15] get the last part of their name as a name', async () => {
    const cell: Item[] = []
    for (const name of ['../../etc/passwd', 'C:\\a\\b.txt', '', '..', 'a\u202ecod.exe', 'a\0b\n']) {
      cell.push(...(await upload(fileOf(name, 'x'))).slice(-1))
    }
    expect(named(cell)).toEqual(['passwd', 'b.txt', 'file', 'file', 'acod.exe', 'ab'])
    const long = await upload(fileOf(`${'ä'.repeat(400)}.txt`, 'x'))
    expect(long.at(-1)?.name).toBe(`${'ä'.repeat(251)}.txt`)
  })

  test('[ATTACH-16] a repeated upload with the key of the first one takes no bytes', async () => {
    let times = 0
    const file: FileSource = {
      name: 'once',
      stream: async function* () {
        times++
        yield Buffer.from('bytes')
      },
    }
    const call = () =>
      world.api.attachments.uploadAttachment({ ...place(), file }, { idempotencyKey: 'once' })
    const first = await call()
    expect(await call()).toEqual(first)
    expect(times).toBe(1)
    expect((await world.cellsOf(table, 'Files'))[0]).toHaveLength(1)
  })
})
