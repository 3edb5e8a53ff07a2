import { createHash } from 'node:crypto'
import { MemoryBlobStore } from '@gateleg/testing/doubles/memory-blob-store'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { invalidAt } from '@gateleg/testing/worlds/base-world'
import { type ShownFile, tokenOfUrl } from '@gateleg/testing/worlds/place'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { defaultSettings } from '../../settings.ts'

describeOnEveryStorage('files that are uploaded by themselves', (storage) => {
  let world: TableWorld
  let table: TestTable
  let fieldId: string
  let blobs: MemoryBlobStore

  beforeAll(async () => {
    blobs = new MemoryBlobStore()
    const settings = { ...defaultSettings, maxAttachmentBytes: 1_000 }
    world = await openTableWorld(storage, { blobs, settings })
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    table = await world.makeNames('Notes', 'a', 'b')
    fieldId = (await world.addField(table, { type: 'attachment', name: 'Files' })).id
  })
  afterEach(() => world.clear())

  const contentType = 'text/plain'
  const ask = (said: object = {}, api = world.api) =>
    api.attachments.requestUpload({
      ...{ baseId: world.baseId, type: 1, contentType, contentLength: 4, ...said },
    })
  const send = (token: string, content = 'Emma', type = contentType, api = world.api) =>
    api.attachments.uploadContent({ token, content, contentType: type })
  const finish = (token: string, api = world.api) =>
    api.attachments.finishUpload({ token, filename: 'b/emma.txt' })
  const attach = async (token: string, api = world.api) => {
    const place = { tableId: table.id, recordId: table.recordIds[0] ?? '', fieldId }
    const attachments = [{ name: 'emma.txt', token }]
    const { fields } = await api.attachments.insertAttachment({ ...place, attachments })
    return (fields[fieldId] as readonly ShownFile[]).at(-1)
  }
  const read = async (path: string, url: string) => {
    const file = await world.api.attachments.readAttachment({ path, token: tokenOfUrl(url) })
    const pieces: Uint8Array[] = []
    for await (const piece of (await file.read()) ?? []) pieces.push(piece)
    return Buffer.concat(pieces).toString()
  }
  const blobCount = async () => {
    let count = 0
    for await (const page of blobs.list()) count += page.length
    return count
  }
  const absent = { code: 'not_found' }

  test('[ATTACH-30] a token is given out to who may change records, for what is said', async () => {
    const place = await ask()
    expect(place).toEqual({
      url: `/api/attachments/upload/${place.token}`,
      uploadMethod: 'PUT',
      token: expect.stringMatching(/^[0-9a-f]{64}$/),
      requestHeaders: { 'Content-Type': contentType, 'Content-Length': 4 },
    })
    const viewer = await world.newCollaborator(`SlotViewer${storage.name}`, 'viewer')
    const stranger = await world.newPerson(`SlotStranger${storage.name}`)
    const restricted = { code: 'restricted_resource' }
    await world.expectNoTrace(() => ask({}, viewer.api), restricted)
    await world.expectNoTrace(() => ask({}, stranger.api), absent)
    await world.expectNoTrace(() => ask({ contentLength: 1_001 }), { code: 'payload_too_large' })
    for (const [said, path] of [
      [{ contentLength: -1 }, 'contentLength'],
      [{ contentLength: 1.5 }, 'contentLength'],
      ...[
        '',
        'text',
        'text/',
        'text/plain\r\nX-Mine: 1',
        'text/plain; x=\n',
        'text/plain\0',
        'text/é',
      ].map((type) => [{ contentType: type }, 'contentType'] as const),
      [{ type: 2 }, 'type'],
      [{ hash: 'abc' }, 'hash'],
      [{ expiresIn: 86_401 }, 'expiresIn'],
      [{ baseId: undefined }, 'baseId'],
    ] as const) {
      await world.expectNoTrace(() => ask(said), invalidAt(path))
    }
    const long = 'Text/CSV; charset="utf-8";header=present'
    expect((await ask({ contentType: long })).requestHeaders['Content-Type']).toBe(long)
  })

  test('[ATTACH-31] [ATTACH-32] the file is uploaded, told of, read and put into a cell', async () => {
    const { token } = await ask()
    await expect(finish(token)).rejects.toMatchObject(absent)
    await send(token)
    const file = await finish(token)
    expect(file).toEqual({
      ...{ name: 'emma.txt', token, size: 4, mimetype: contentType },
      path: expect.stringMatching(/^[0-9a-f]{64}-/),
      url: file.presignedUrl,
      presignedUrl: expect.stringContaining(`/api/attachments/read/${file.path}?token=`),
    })
    expect(await read(file.path, file.presignedUrl)).toBe('Emma')
    const item = await attach(token)
    expect(item).toMatchObject({ name: 'emma.txt', token, path: file.path })
    await expect(read(file.path, file.presignedUrl)).rejects.toMatchObject(absent)
    expect(await read(file.path, item?.presignedUrl ?? '')).toBe('Emma')
  })

  test('[ATTACH-31] a token is good once, in time, for who asked for it', async () => {
    const eve = await world.newCollaborator(`SlotEve${storage.name}`, 'editor')
    const { token } = await ask()
    const before = await blobCount()
    await world.expectNoTrace(() => send(token, 'Emma', contentType, eve.api), absent)
    await world.expectNoTrace(() => send('none'), absent)
    const { token: short } = await ask({ expiresIn: 60 })
    world.clock.advance(60_000)
    await world.expectNoTrace(() => send(short), absent)
    expect(await blobCount()).toBe(before)
    const sent = await Promise.allSettled(Array.from({ length: 4 }, () => send(token, 'Jane')))
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await world.expectNoTrace(() => send(token), absent)
    expect(await blobCount()).toBe(before + 1)
    await expect(finish(token, eve.api)).rejects.toMatchObject(absent)
    const refused = invalidAt('attachments', 0, 'token')
    await world.expectNoTrace(() => attach(token, eve.api), refused)
    await attach(token)
    await attach(token, eve.api)
  })

  test('[ATTACH-31] an upload that began in time may end later', async () => {
    const { token } = await ask({ expiresIn: 60 })
    async function* slowly() {
      yield Buffer.from('Em')
      world.clock.advance(2 * 3_600_000)
      await world.finishJobs()
      yield Buffer.from('ma')
    }
    await world.api.attachments.uploadContent({ token, contentType, content: slowly() })
    expect((await finish(token)).size).toBe(4)
  })

  test('[ATTACH-31] what is not as it was said is refused, leaves nothing, and may come again', async () => {
    const hash = createHash('sha256').update('Emma').digest('hex')
    const { token } = await ask({ hash })
    const before = await blobCount()
    const wrong = invalidAt('content')
    await world.expectNoTrace(() => send(token, 'Emm'), wrong)
    await world.expectNoTrace(() => send(token, 'Emmas'), { code: 'payload_too_large' })
    await world.expectNoTrace(() => send(token, 'Anna'), wrong)
    await world.expectNoTrace(() => send(token, 'Emma', 'text/html'), wrong)
    await world.expectNoTrace(() => send(token, 'Emma', ''), wrong)
    expect(await blobCount()).toBe(before)
    await send(token, 'Emma', ' TEXT/Plain')
    const { token: empty } = await ask({ contentLength: 0 })
    await send(empty, '')
    expect((await finish(empty)).size).toBe(0)
  })

  test('[ATTACH-31] an upload that is repeated with its key is answered as the first one', async () => {
    const { token } = await ask()
    const call = () =>
      world.api.attachments.uploadContent(
        { token, contentType, content: 'Emma' },
        { idempotencyKey: 'upload-once' },
      )
    expect([await call(), await call()]).toEqual([undefined, undefined])
  })

  test('[ATTACH-33] what a file was said to be counts where its bytes allow it', async () => {
    const upload = async (content: string, type: string) => {
      const { token } = await ask({ contentType: type, contentLength: content.length })
      await send(token, content, type)
      return (await finish(token)).mimetype
    }
    expect(await upload('a,b\n', 'text/csv')).toBe('text/csv')
    expect(await upload('<html><script>', 'image/png')).toBe('text/html')
    expect(await upload('<svg ', 'text/plain')).toBe('image/svg+xml')
    expect(await upload('%PDF-1.7', 'text/csv')).toBe('application/pdf')
  })
})
