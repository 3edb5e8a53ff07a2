import { request } from 'node:http'
import type { FileSource } from '@gateleg/domain/attachments/files/file-source'
import { type HttpWorld, openHttpWorld } from '@gateleg/testing/http/http-world'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import type { ShownFile } from '@gateleg/testing/worlds/place'
import type { Person } from '@gateleg/testing/worlds/world'
import { afterAll, beforeAll, expect, test } from 'vitest'

describeOnEveryStorage('files over HTTP', (storage) => {
  let world: HttpWorld
  let ada: Person
  let place: { tableId: string; recordId: string; fieldId: string }

  beforeAll(async () => {
    world = await openHttpWorld(storage)
    ada = await world.newPerson('Ada')
    const { id: baseId } = await ada.api.bases.createBase({ spaceId: ada.spaceId })
    const { id: tableId, records } = await ada.api.tables.createTable({ baseId })
    const { id: fieldId } = await ada.api.fields.createField({ tableId, type: 'attachment' })
    place = { tableId, recordId: records[0]?.id ?? '', fieldId }
  })
  afterAll(() => world.close())

  const upload = async (name: string, text: string): Promise<ShownFile> => {
    const stream = async function* () {
      yield Buffer.from(text, 'latin1')
    }
    const file: FileSource = { name, stream }
    const { fields } = await ada.api.attachments.uploadAttachment({ ...place, file })
    return (fields[place.fieldId] as readonly ShownFile[]).at(-1) as ShownFile
  }
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    world.send({ method, path, headers })

  test('[HTTP-83] a file is sent by its URL, with no other credential', async () => {
    const { presignedUrl, path } = await upload('nöte "1".txt', 'A note')
    const { status, headers, text } = await get(presignedUrl)
    expect([status, text]).toEqual([200, 'A note'])
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '6',
      'content-disposition': `inline; filename="n_te _1_.txt"; filename*=UTF-8''n%C3%B6te%20%221%22.txt`,
      'accept-ranges': 'bytes',
      etag: `"${path}"`,
    })
    const head = await get(presignedUrl, {}, 'HEAD')
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '6'])
  })

  test('[ATTACH-58] a file is shown or saved, and called, as its reader says', async () => {
    const { presignedUrl } = await upload('a.txt', 'A note')
    const page = await upload('page.html', '<!doctype html><script>alert(1)</script>')
    const asked = (disposition: string, { presignedUrl: url } = { presignedUrl }) =>
      get(`${url}&response-content-disposition=${encodeURIComponent(disposition)}`)
    for (const [disposition, answered] of [
      ['attachment', `attachment; filename="a.txt"; filename*=UTF-8''a.txt`],
      ['Inline; filename=b.txt', `inline; filename="b.txt"; filename*=UTF-8''b.txt`],
      [
        'attachment; filename="c \\"d\\";.txt"',
        `attachment; filename="c _d_;.txt"; filename*=UTF-8''c%20%22d%22%3B.txt`,
      ],
      [
        `attachment;filename="o";filename*=utf-8''%C3%B6.txt`,
        `attachment; filename="_.txt"; filename*=UTF-8''%C3%B6.txt`,
      ],
      ['attachment; filename="../../x"', `attachment; filename="x"; filename*=UTF-8''x`],
    ] as const) {
      const { status, headers, text } = await asked(disposition)
      expect([status, text]).toEqual([200, 'A note'])
      expect(headers['content-disposition']).toBe(answered)
    }
    const shown = await asked('inline; filename="a.txt"', page)
    expect(shown.headers['content-disposition']).toMatch(/^attachment; filename="a.txt";/)
    expect(shown.headers['content-type']).not.toContain('text/plain')
    for (const wrong of [
      '',
      'form-data',
      'inline; x=y',
      'attachment; filename=a b',
      'attachment\r\nX: y',
      "attachment; filename*=UTF-8''%ff",
    ]) {
      const { status, json } = await asked(wrong)
      expect([wrong, status]).toEqual([wrong, 400])
      expect(json()).toMatchObject({ code: 'validation_error' })
    }
  })

  test('[HTTP-83] what is refused is told as everywhere', async () => {
    const { presignedUrl } = await upload('a.txt', 'A note')
    expect((await get(`${presignedUrl}0`)).status).toBe(404)
    expect((await get('/api/attachments/read/a')).status).toBe(400)
    for (const path of ['..%2f..%2fetc%2fpasswd', '%00', '..', '.', 'con', 'a'.repeat(3_000)]) {
      const { status } = await get(`/api/attachments/read/${path}?token=a.b`)
      expect([path.slice(0, 20), [400, 404].includes(status)]).toEqual([path.slice(0, 20), true])
    }
    world.clock.advance(3_600_000)
    expect((await get(presignedUrl)).status).toBe(403)
    world.clock.advance(-3_600_000)
  })

  test('[HTTP-84] sends the part that is asked for', async () => {
    const { presignedUrl, path } = await upload('digits.txt', '0123456789')
    const cases: readonly (readonly [string, number, string, string | undefined])[] = [
      ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
      ['bytes=4-', 206, '456789', 'bytes 4-9/10'],
      ['bytes=-3', 206, '789', 'bytes 7-9/10'],
      ['bytes=-30', 206, '0123456789', 'bytes 0-9/10'],
      ['bytes=8-100', 206, '89', 'bytes 8-9/10'],
      ['bytes=0-1,4-5', 200, '0123456789', undefined],
      ['bytes=5-4', 200, '0123456789', undefined],
      ['bytes=a-b', 200, '0123456789', undefined],
      ['bytes=-', 200, '0123456789', undefined],
      ['lines=0-1', 200, '0123456789', undefined],
      [`bytes=0-${'9'.repeat(400)}`, 200, '0123456789', undefined],
    ]
    for (const [Range, status, text, range] of cases) {
      const answer = await get(presignedUrl, { Range })
      const { 'content-range': said, 'content-length': length } = answer.headers
      expect([Range, answer.status, answer.text, said]).toEqual([Range, status, text, range])
      expect(length).toBe(`${text.length}`)
    }
    for (const Range of ['bytes=10-', 'bytes=99-100', 'bytes=-0']) {
      const answer = await get(presignedUrl, { Range })
      expect([Range, answer.status]).toEqual([Range, 416])
      expect(answer.headers['content-range']).toBe('bytes */10')
    }
    const ifRange = (tag: string) => get(presignedUrl, { Range: 'bytes=0-0', 'If-Range': tag })
    expect((await ifRange(`"${path}"`)).text).toBe('0')
    expect((await ifRange('"other"')).text).toBe('0123456789')
  })

  test('[HTTP-375] a part is asked for by `GET`, and its unit in any case', async () => {
    const { presignedUrl } = await upload('digits.txt', '0123456789')
    const upper = await get(presignedUrl, { Range: 'Bytes=0-3' })
    expect([upper.status, upper.text]).toEqual([206, '0123'])
    for (const Range of ['bytes=0-3', 'bytes=99-']) {
      const { status, headers } = await get(presignedUrl, { Range }, 'HEAD')
      expect([Range, status, headers['content-length']]).toEqual([Range, 200, '10'])
      expect(headers).not.toHaveProperty('content-range')
    }
  })

  test('[HTTP-84] an empty file is sent whole, and has no parts', async () => {
    const { presignedUrl } = await upload('empty', '')
    const { status, text, headers } = await get(presignedUrl)
    expect([status, text, headers['content-length']]).toEqual([200, '', '0'])
    expect((await get(presignedUrl, { Range: 'bytes=0-' })).status).toBe(416)
  })

  test('[HTTP-84] who has the file already is told that it is the same', async () => {
    const { presignedUrl, path } = await upload('same.txt', 'The same')
    for (const tag of [`"${path}"`, `W/"${path}", "b"`, '*']) {
      const { status, text } = await get(presignedUrl, { 'If-None-Match': tag })
      expect([tag, status, text]).toEqual([tag, 304, ''])
    }
    expect((await get(presignedUrl, { 'If-None-Match': '"other"' })).text).toBe('The same')
  })

  test('[HTTP-85] what a browser could run comes as something to save', async () => {
    const page = '<!doctype html><script>alert(1)</script>'
    const picture = '\x89PNG\r\n\x1a\n'
    for (const [name, content, disposition, type] of [
      ['a.html', page, 'attachment', 'text/html'],
      ['a.png', page, 'attachment', 'text/html'],
      ['a.txt', page, 'attachment', 'text/html'],
      ['a.svg', '<svg onload="alert(1)"/>', 'attachment', 'image/svg+xml'],
      ['a.xml', '<?xml version="1.0"?><a/>', 'attachment', 'application/xml'],
      ['a.js', 'alert(1)', 'attachment', 'text/javascript'],
      ['a.css', 'a{}', 'attachment', 'text/css'],
      ['a.pdf', '%PDF-1.7', 'attachment', 'application/pdf'],
      ['a.swf', 'CWS\0', 'attachment', 'application/octet-stream'],
      ['a.html', picture, 'inline', 'image/png'],
      ['a', `GIF89a/*<script>*/=1;\0`, 'inline', 'image/gif'],
    ] as const) {
      const { headers } = await get((await upload(name, content)).presignedUrl)
      const [said = ''] = headers['content-disposition']?.split(';') ?? []
      expect([name, content, said, headers['content-type']]).toEqual([
        ...[name, content, disposition, type],
      ])
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; sandbox;/)
    }
  })

  test('[HTTP-83] who goes away in the middle ends the reading', async () => {
    const { presignedUrl } = await upload('long.txt', 'x'.repeat(8_000_000))
    const { hostname, port } = new URL(world.url)
    await new Promise<void>((resolve) => {
      const sent = request({ hostname, port, path: presignedUrl }, (answer) => {
        answer.once('data', () => {
          sent.destroy()
          resolve()
        })
      })
      sent.on('error', () => {})
      sent.end()
    })
    const { text } = await get(presignedUrl)
    expect(text).toHaveLength(8_000_000)
  })
})
