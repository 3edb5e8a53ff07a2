import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DiskBlobStore } from '@gateleg/engine/platform/blobs/disk-blob-store'
import { pngFile, pngOf } from '@gateleg/testing/factories/png-image'
import { type HttpWorld, openHttpWorld } from '@gateleg/testing/http/http-world'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import type { Person } from '@gateleg/testing/worlds/world'
import { afterAll, beforeAll, expect, test } from 'vitest'

interface ShownImage {
  readonly width: number
  readonly presignedUrl: string
  readonly smThumbnailUrl: string
  readonly lgThumbnailUrl: string
}

describeOnEveryStorage('thumbnails over HTTP', (storage) => {
  let world: HttpWorld
  let ada: Person
  let folder: string
  let place: { tableId: string; recordId: string; fieldId: string }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateleg-thumbnails-'))
    world = await openHttpWorld(storage, { ports: { blobs: new DiskBlobStore(folder) } })
    ada = await world.newPerson('Ada')
    const { id: baseId } = await ada.api.bases.createBase({ spaceId: ada.spaceId })
    const { id: tableId, records } = await ada.api.tables.createTable({ baseId })
    const { id: fieldId } = await ada.api.fields.createField({ tableId, type: 'attachment' })
    place = { tableId, recordId: records[0]?.id ?? '', fieldId }
  })
  afterAll(async () => {
    await world.close()
    rmSync(folder, { recursive: true })
  })

  const upload = async (file = pngFile('ada.png', 1_600, 1_050)) => {
    const { fields } = await ada.api.attachments.uploadAttachment({ ...place, file })
    return (fields[place.fieldId] as readonly ShownImage[]).at(-1) as ShownImage
  }
  const get = (path: string, headers: Record<string, string> = {}) =>
    world.send({ method: 'GET', path, headers })

  test('[HTTP-90] are images of their own, with a tag of their own, which a browser may show', async () => {
    const image = await upload()
    const tags: unknown[] = []
    for (const [url, side] of [
      [image.smThumbnailUrl, 56],
      [image.lgThumbnailUrl, 525],
    ] as const) {
      const { status, headers, text } = await get(url)
      expect([side, status, text.slice(0, 4), text.slice(8, 12)]).toEqual([
        side,
        200,
        'RIFF',
        'WEBP',
      ])
      expect(headers).toMatchObject({
        'content-type': 'image/webp',
        'content-disposition': expect.stringMatching(/^inline; filename="ada\.png\.webp"/),
        'x-content-type-options': 'nosniff',
      })
      tags.push(headers.etag)
      const again = await get(url, { 'If-None-Match': String(headers.etag) })
      expect([again.status, again.text]).toEqual([304, ''])
      expect((await get(url, { Range: 'bytes=0-3' })).text).toBe('RIFF')
    }
    tags.push((await get(image.presignedUrl)).headers.etag)
    expect(new Set(tags).size).toBe(3)
  })

  test('[HTTP-90] that there are none of are refused as what is not there', async () => {
    const broken = pngOf(100, 100).subarray(0, 60)
    const stream = async function* () {
      yield broken
    }
    const image = await upload({ name: 'broken.png', stream })
    expect(image.width).toBe(100)
    expect((await get(image.smThumbnailUrl)).status).toBe(404)
    expect((await get(image.presignedUrl)).status).toBe(200)
    expect((await get(`${image.presignedUrl}&thumbnail=xl`)).status).toBe(400)
    expect((await get(`${image.presignedUrl}0&thumbnail=sm`)).status).toBe(404)
  })

  test('[HTTP-90] that many ask for at one time are made once', async () => {
    const image = await upload(pngFile('b.png', 300, 200, 7))
    const urls = [image.smThumbnailUrl, image.lgThumbnailUrl]
    const all = await Promise.all(Array.from({ length: 20 }, (_, n) => get(urls[n % 2] ?? '')))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(all.map(({ headers }) => headers.etag)).size).toBe(2)
  })
})
