import { MemoryBlobStore } from '@gateleg/testing/doubles/memory-blob-store'
import { pngFile, pngOf } from '@gateleg/testing/factories/png-image'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { textFile, tokenOfUrl } from '@gateleg/testing/worlds/place'
import {
  openTableWorld,
  type TableWorld,
  type TestTable,
} from '@gateleg/testing/worlds/table-world'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { limits } from '../../limits.ts'
import type { BlobStore } from '../blob-store.ts'
import type { FileSource } from '../files/file-source.ts'
import type { ImageSize } from '../files/image-size.ts'
import type { ThumbnailKind } from '../thumbnails/thumbnail.ts'
import { noThumbnails, type ThumbnailMaker } from '../thumbnails/thumbnail-maker.ts'
import { sweepBlobs } from '../unused/sweep-blobs.ts'

interface ShownImage {
  readonly path: string
  readonly token: string
  readonly presignedUrl: string
  readonly smThumbnailUrl?: string
  readonly lgThumbnailUrl?: string
}

/** Makes thumbnails of nothing but bytes that tell of them, and none of red images, one turn after another. */
class FakeThumbnailMaker implements ThumbnailMaker {
  readonly types = new Set(['image/png'])
  /** Bytes of each image that thumbnails were made of. */
  readonly made: number[] = []
  refuses = false
  /** Called when the thumbnails are made, and not kept yet. */
  onMade = () => {}
  #last: Promise<unknown> = Promise.resolve()

  inTurn<T>(_caller: string, work: Parameters<ThumbnailMaker['inTurn']>[1]): Promise<T> {
    const turn = this.#last.then(() =>
      work(async ({ bytes }, sizes) => {
        let size = 0
        for await (const piece of bytes) size += piece.length
        this.made.push(size)
        this.onMade()
        const name = ({ height }: ImageSize) => (height < 100 ? 'small' : 'large')
        return this.refuses ? undefined : sizes.map((size) => Buffer.from(name(size)))
      }),
    )
    this.#last = turn.catch(() => undefined)
    return turn as Promise<T>
  }
}

describeOnEveryStorage('thumbnails', (storage) => {
  let world: TableWorld
  let table: TestTable
  let fieldId: string
  let blobs: MemoryBlobStore
  let thumbnails: FakeThumbnailMaker

  beforeEach(async () => {
    blobs = new MemoryBlobStore(() => world.clock.now())
    thumbnails = new FakeThumbnailMaker()
    world = await openTableWorld(storage, { blobs, thumbnails })
    table = await world.makeNames('Notes', 'a', 'b')
    fieldId = (await world.addField(table, { type: 'attachment', name: 'Files' })).id
  })
  afterEach(() => world.close())

  const place = () => ({ tableId: table.id, recordId: table.recordIds[0] ?? '', fieldId })
  const upload = async (file: FileSource) => {
    const { fields } = await world.api.attachments.uploadAttachment({ ...place(), file })
    return (fields[fieldId] as readonly ShownImage[]).at(-1) as ShownImage
  }
  const read = async (url: string | undefined) => {
    const { pathname, searchParams } = new URL(url ?? '', 'http://localhost')
    const served = await world.engine.public.attachments.readAttachment({
      path: pathname.split('/').at(-1) ?? '',
      token: searchParams.get('token') ?? '',
      thumbnail: (searchParams.get('thumbnail') ?? undefined) as ThumbnailKind | undefined,
    })
    let text = ''
    for await (const piece of (await served.read()) ?? []) text += Buffer.from(piece).toString()
    return { name: served.name, mimetype: served.mimetype, size: served.size, text }
  }
  const paths = async () => {
    const found: string[] = []
    for await (const page of blobs.list()) found.push(...page.map(({ path }) => path))
    return found.toSorted()
  }

  test('[ATTACH-50] images show the URLs of two thumbnails, other files none', async () => {
    const image = await upload(pngFile('ada.png', 40, 30))
    expect(image.smThumbnailUrl).toBe(`${image.presignedUrl}&thumbnail=sm`)
    expect(image.lgThumbnailUrl).toBe(`${image.presignedUrl}&thumbnail=lg`)
    const { fields } = await world.api.records.getRecord(place())
    expect(fields.Files).toEqual([image])
    expect(await read(image.smThumbnailUrl)).toEqual({
      ...{ name: 'ada.png.webp', mimetype: 'image/webp', size: 5, text: 'small' },
    })
    expect(await read(image.lgThumbnailUrl)).toMatchObject({ text: 'large' })
    const cells = await world.change(table, table.recordIds[1], {
      Files: [{ ...image, smThumbnailUrl: 'https://evil.example.com' }],
    })
    expect(Object.keys((cells.Files as readonly object[])[0] ?? {})).toEqual(Object.keys(image))
  })

  test('[ATTACH-50] what has none is refused: no image, a type or size of which none are made', async () => {
    const large = pngOf(1, 1)
    large.writeUInt32BE(9_000, 16)
    large.writeUInt32BE(9_000, 20)
    const others = [
      textFile,
      { ...textFile, stream: () => once(large) },
      { ...textFile, stream: () => once(Buffer.from('GIF89a\x28\0\x1e\0', 'latin1')) },
      { ...textFile, stream: () => once(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')) },
    ]
    for (const file of others) {
      const shown = await upload(file)
      expect(shown).not.toHaveProperty('smThumbnailUrl')
      expect(shown).not.toHaveProperty('lgThumbnailUrl')
      const url = `${shown.presignedUrl}&thumbnail=sm`
      await expect(read(url)).rejects.toMatchObject({ code: 'not_found' })
    }
    const image = await upload(pngFile('ada.png', 40, 30))
    const url = `${image.presignedUrl}&thumbnail=xl`
    await expect(read(url)).rejects.toMatchObject({ code: 'validation_error' })
    expect(thumbnails.made).toEqual([])
  })

  test('[ATTACH-51] are made when one is asked for, once of the same bytes, however many ask', async () => {
    const images = [await upload(pngFile('a.png', 40, 30)), await upload(pngFile('b.png', 40, 30))]
    expect([thumbnails.made.length, (await paths()).length]).toEqual([0, 1])
    const urls = images.flatMap((image) => [image.smThumbnailUrl, image.lgThumbnailUrl])
    const read20 = Array.from({ length: 20 }, (_, index) => read(urls[index % 4]))
    const texts = (await Promise.all(read20)).map(({ text }) => text)
    expect(new Set(texts)).toEqual(new Set(['small', 'large']))
    expect([thumbnails.made.length, (await paths()).length]).toEqual([1, 3])
  })

  test('[ATTACH-51] end with the right to the file', async () => {
    const image = await upload(pngFile('ada.png', 40, 30))
    await read(image.smThumbnailUrl)
    await world.change(table, table.recordIds[0], { Files: [] })
    await expect(read(image.smThumbnailUrl)).rejects.toMatchObject({ code: 'not_found' })
    await expect(read(image.lgThumbnailUrl)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('[ATTACH-52] where none could be made, none are, and nobody tries again', async () => {
    thumbnails.refuses = true
    const size = pngOf(40, 30).length
    const image = await upload(pngFile('ada.png', 40, 30))
    for (const url of [image.smThumbnailUrl, image.lgThumbnailUrl, image.smThumbnailUrl]) {
      await expect(read(url)).rejects.toMatchObject({ code: 'not_found' })
    }
    expect(thumbnails.made).toEqual([size])
    expect(await read(image.presignedUrl)).toMatchObject({ size })
  })

  test('[ATTACH-71] bytes that are not all read keep nobody from having thumbnails made later', async () => {
    const image = await upload(pngFile('ada.png', 40, 30))
    const whole = blobs.read.bind(blobs)
    const busy = { code: 'service_busy' }
    const broken: readonly (readonly [BlobStore['read'], object])[] = [
      [(path) => whole(path, { first: 0, last: 39 }), busy],
      [async () => once(Buffer.concat([pngOf(40, 30), Buffer.from('more')])), busy],
      [async () => undefined, { code: 'not_found' }],
    ]
    for (const [read1, refusal] of broken) {
      blobs.read = read1
      await expect(read(image.smThumbnailUrl)).rejects.toMatchObject(refusal)
    }
    blobs.read = whole
    expect(await read(image.smThumbnailUrl)).toMatchObject({ text: 'small' })
  })

  test('[ATTACH-72] are not made for a caller who has gone', async () => {
    const image = await upload(pngFile('ada.png', 40, 30))
    const gone = new Error('nobody is there')
    const path = image.path
    const token = tokenOfUrl(image.presignedUrl)
    const { readAttachment } = world.engine.public.attachments
    const reads = vi.spyOn(blobs, 'read')
    const reading = readAttachment(
      { path, token, thumbnail: 'sm' },
      { signal: AbortSignal.abort(gone) },
    )
    await expect(reading).rejects.toBe(gone)
    expect(reads).not.toHaveBeenCalled()
    reads.mockRestore()
    const controller = new AbortController()
    const whole = blobs.read.bind(blobs)
    blobs.read = async (path) => {
      controller.abort(gone)
      return whole(path)
    }
    const later = readAttachment({ path, token, thumbnail: 'sm' }, { signal: controller.signal })
    await expect(later).rejects.toBe(gone)
    expect(thumbnails.made).toEqual([])
    expect(await read(image.smThumbnailUrl)).toMatchObject({ text: 'small' })
  })

  test('[ATTACH-53] what ends while they are made leaves nothing that is seen: they are made again', async () => {
    const image = await upload(pngFile('ada.png', 40, 30))
    const put = blobs.put.bind(blobs)
    let puts = 0
    blobs.put = async (bytes) => {
      if (++puts === 2) throw new Error('the store is gone')
      return put(bytes)
    }
    await expect(read(image.smThumbnailUrl)).rejects.toThrow('the store is gone')
    expect(await read(image.smThumbnailUrl)).toMatchObject({ text: 'small' })
    expect([thumbnails.made.length, (await paths()).length]).toEqual([2, 4])
    world.clock.advance(limits.unusedFileHours * 3_600_000 + 1)
    expect(await sweepBlobs({ store: world.engine.store, blobs, clock: world.clock })).toBe(1)
    expect(await read(await urlNow())).toMatchObject({ text: 'small' })
  })

  const urlNow = async () => {
    const { fields } = await world.api.records.getRecord(place())
    return (fields.Files as readonly ShownImage[])[0]?.smThumbnailUrl
  }

  /** Has another server keep thumbnails of six bytes of the image as soon as this one has made its own. */
  function outrunBy(sourcePath: string): void {
    const { store } = world.engine
    let isFirst = true
    thumbnails.onMade = () => {
      if (!isFirst) return
      isFirst = false
      const other = { path: 'theirs', size: 6 }
      const rows = (['sm', 'lg'] as const).map((kind) => ({ ...other, sourcePath, kind }))
      theirs = store.write((tx) => tx.thumbnails.insert(rows))
    }
    let theirs: Promise<boolean> | undefined
    const put = blobs.put.bind(blobs)
    blobs.put = async (bytes) => {
      await theirs
      return put(bytes)
    }
  }

  test('[ATTACH-53] of two servers that make them, one keeps its own, and the other leaves none', async () => {
    const image = await upload(pngFile('ada.png', 40, 30))
    outrunBy(image.path)
    expect((await read(image.smThumbnailUrl)).size).toBe(6)
    expect(await paths()).toEqual([image.path])
  })

  test('[ATTACH-57] that are not needed and can not be removed keep nobody from those that are there', async () => {
    const image = await upload(pngFile('ada.png', 40, 30))
    outrunBy(image.path)
    const removing = vi.spyOn(blobs, 'remove').mockRejectedValue(new Error('out of reach'))
    expect((await read(image.smThumbnailUrl)).size).toBe(6)
    expect([removing.mock.calls.length, (await paths()).length]).toEqual([2, 3])
  })

  test('[ATTACH-54] are removed with their image', async () => {
    const image = await upload(pngFile('ada.png', 40, 30))
    await read(image.smThumbnailUrl)
    const sweep = async () => {
      await world.finishJobs()
      return sweepBlobs({ store: world.engine.store, blobs, clock: world.clock })
    }
    world.clock.advance(3 * 86_400_000)
    expect(await sweep()).toBe(0)
    expect((await paths()).length).toBe(3)
    await world.engine.store.write((tx) =>
      tx.fileUses.removeUnnoted('9999-01-01T00:00:00.000Z', 10),
    )
    world.clock.advance(3_600_000)
    expect(await sweep()).toBe(3)
    const { path } = image
    expect(await world.engine.store.read((tx) => tx.thumbnails.find(path, 'sm'))).toBeUndefined()
  })
})

describeOnEveryStorage('an engine that makes no thumbnails', (storage) => {
  test('[ATTACH-50] shows no URLs of them', async () => {
    const world = await openTableWorld(storage, { thumbnails: noThumbnails })
    const table = await world.makeNames('Notes', 'a')
    const { id: fieldId } = await world.addField(table, { type: 'attachment', name: 'Files' })
    const place = { tableId: table.id, recordId: table.recordIds[0] ?? '', fieldId }
    const file = pngFile('ada.png', 40, 30)
    const { fields } = await world.api.attachments.uploadAttachment({ ...place, file })
    const [image] = fields[fieldId] as readonly ShownImage[]
    expect(image).toHaveProperty('presignedUrl')
    expect(image).not.toHaveProperty('smThumbnailUrl')
    const token = tokenOfUrl(image?.presignedUrl)
    const { readAttachment } = world.engine.public.attachments
    const reading = readAttachment({ path: image?.path ?? '', token, thumbnail: 'sm' })
    await expect(reading).rejects.toMatchObject({ code: 'not_found' })
    await world.close()
  })
})

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
