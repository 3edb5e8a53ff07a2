import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@gateleg/contract/client'
import { limits } from '@gateleg/domain/limits'
import { defaultSettings } from '@gateleg/domain/settings'
import { DiskBlobStore } from '@gateleg/engine/platform/blobs/disk-blob-store'
import { WebFileFetcher } from '@gateleg/engine/platform/web-files/web-file-fetcher'
import { type HttpWorld, openHttpWorld } from '@gateleg/testing/http/http-world'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import type { Person } from '@gateleg/testing/worlds/world'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

interface Item {
  readonly name: string
  readonly size: number
  readonly mimetype: string
}

describeOnEveryStorage('uploads over HTTP', (storage) => {
  let world: HttpWorld
  let ada: Person
  let folder: string
  let path: string
  let fieldId: string
  let baseId: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateleg-uploads-'))
    const settings = { ...defaultSettings, maxAttachmentBytes: 3_000_000 }
    const blobs = new DiskBlobStore(folder)
    const fileFetcher = new WebFileFetcher({ allow: ['127.0.0.2'] })
    world = await openHttpWorld(storage, { ports: { blobs, settings, fileFetcher } })
    ada = await world.newPerson('Ada')
  })
  afterAll(async () => {
    await world.close()
    rmSync(folder, { recursive: true })
  })
  beforeEach(async () => {
    baseId = (await ada.api.bases.createBase({ spaceId: ada.spaceId })).id
    const { id, records } = await ada.api.tables.createTable({ baseId })
    const field = await ada.api.fields.createField({ tableId: id, type: 'attachment' })
    fieldId = field.id
    path = `/api/table/${id}/record/${records[0]?.id}/${fieldId}/uploadAttachment`
  })

  const boundary = 'xBoundaryx'
  const formType = `multipart/form-data; boundary=${boundary}`
  const partOf = (name: string, content: string, filename?: string) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`
    const type = filename === undefined ? '' : 'Content-Type: image/png\r\n'
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type}\r\n${content}\r\n`
  }
  const end = `--${boundary}--\r\n`
  const send = async (body: string | Buffer, headers: Record<string, string> = {}) => {
    const all = { 'Content-Type': formType, ...headers }
    return world.sendAs(ada, { method: 'POST', path, headers: all, body })
  }
  const cellOf = (answer: { json(): unknown }) =>
    (answer.json() as { fields: Record<string, readonly Item[]> }).fields[fieldId] ?? []
  /** Files of the folder, those that are still coming in included. */
  const files = () =>
    readdirSync(folder, { recursive: true }).filter((name) => /[-.]/.test(`${name}`))

  test('[ATTACH-8] [HTTP-80] a file of a form is stored, whatever the form says of its type', async () => {
    const answer = await send(partOf('file', 'Text\r\n--x', 'nöte.png') + end)
    expect(answer.status).toBe(201)
    expect(cellOf(answer)).toMatchObject([{ name: 'nöte.png', size: 9, mimetype: 'text/plain' }])
  })

  test('[HTTP-80] members before the file and behind it are read past', async () => {
    const other = partOf('other', 'unread', 'other.txt')
    const body = partOf('note', 'x') + other + partOf('file', 'Text', 'a.txt') + other + end
    expect(cellOf(await send(body))).toMatchObject([{ name: 'a.txt', size: 4 }])
  })

  test('[ATTACH-28] [HTTP-80] a form may say from where its file is fetched', async () => {
    const source = createServer((_request, response) => response.end('fetched'))
    source.listen(0, '127.0.0.2')
    await once(source, 'listening')
    const { port } = source.address() as AddressInfo
    const fileUrl = partOf('fileUrl', `http://127.0.0.2:${port}/a.txt`)
    try {
      expect(cellOf(await send(fileUrl + end))).toMatchObject([{ name: 'a.txt', size: 7 }])
      const both = cellOf(await send(fileUrl + partOf('file', 'sent', 'b.txt') + end))
      expect(both).toMatchObject([{ name: 'a.txt' }, { name: 'b.txt', size: 4 }])
      const api = createClient({ baseUrl: `${world.url}/api`, token: ada.accessToken })
      const [, , , tableId = '', , recordId = ''] = path.split('/')
      const url = `http://127.0.0.2:${port}/c`
      await api.attachments.uploadAttachment({ tableId, recordId, fieldId, fileUrl: url })
      const closed = await send(partOf('fileUrl', `http://127.0.0.1:${port}/a.txt`) + end)
      expect([closed.status, closed.json()]).toMatchObject([
        400,
        { data: { issues: [{ path: ['fileUrl'], message: 'must lead to a public address' }] } },
      ])
    } finally {
      source.close()
    }
  })

  test('[ATTACH-150] a file without its name is told how a form names it', async () => {
    const answer = await send(`${partOf('file', 'emma.pdf')}${end}`)
    const message = expect.stringContaining('a part that has a filename')
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { code: 'validation_error', data: { issues: [{ path: ['file'], message }] } },
    ])
  })

  test('[HTTP-81] a form that breaks off is no file', async () => {
    const before = files()
    const whole = partOf('file', 'x'.repeat(200_000), 'a.txt')
    for (const body of [whole, whole.slice(0, 100_000), whole + end.slice(0, 5), '--', 'x']) {
      const answer = await send(body)
      expect([body.length, answer.status]).toEqual([body.length, 400])
    }
    // The file has come whole then: whether the rest is seen before it is stored must make no difference.
    const behind = whole + partOf('other', 'x').slice(0, 30)
    for (let n = 0; n < 8; n++) expect((await send(behind)).status).toBe(400)
    const { status, text } = await send(partOf('file', 'whole', 'a.txt') + end)
    expect([status, JSON.parse(text).fields[fieldId].length]).toEqual([201, 1])
    expect(files()).toHaveLength(before.length + 1)
  })

  test('[HTTP-81] a line that is cut leaves nothing', async () => {
    const before = files()
    const { hostname, port } = new URL(world.url)
    const socket = connect(Number(port), hostname)
    const lines = [`POST ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${ada.accessToken}`]
    lines.push(`Content-Type: ${formType}`, 'Content-Length: 1000000', '', '')
    socket.write(lines.join('\r\n') + partOf('file', 'x'.repeat(500_000), 'a').slice(0, -2))
    await expect.poll(() => files().length).toBe(before.length + 1)
    socket.destroy()
    await expect.poll(files).toEqual(before)
  })

  test('[HTTP-272] a fetch ends with its caller, and leaves nothing', async () => {
    const before = files()
    let open = 0
    const slow = createServer((_request, response) => {
      open++
      response.on('close', () => open--)
      response.writeHead(200, { 'Content-Length': '1000' }).write('x')
    }).listen(0, '127.0.0.2')
    await once(slow, 'listening')
    const { hostname, port } = new URL(world.url)
    const url = `http://127.0.0.2:${(slow.address() as AddressInfo).port}/a.txt`
    const body = partOf('fileUrl', url) + end
    const lines = [`POST ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${ada.accessToken}`]
    lines.push(`Content-Type: ${formType}`, `Content-Length: ${body.length}`, '', body)
    // As many as one caller may have, twice.
    for (let round = 0; round < 2; round++) {
      const sockets = Array.from({ length: limits.fetchesPerCaller }, () =>
        connect(Number(port), hostname).on('error', () => undefined),
      )
      for (const socket of sockets) socket.write(lines.join('\r\n'))
      await expect.poll(() => open).toBe(limits.fetchesPerCaller)
      for (const socket of sockets) socket.destroy()
      await expect.poll(() => open).toBe(0)
    }
    await expect.poll(files).toEqual(before)
    slow.close()
  })

  test('[ATTACH-10] [HTTP-81] a file that is too large is refused while it comes', async () => {
    const before = files()
    const body = partOf('file', 'x'.repeat(3_000_001), 'a.txt') + end
    const { status, text } = await send(body)
    expect([status, JSON.parse(text).code]).toEqual([413, 'payload_too_large'])
    expect(files()).toEqual(before)
  })

  test('[HTTP-82] refuses what is no form, before it reads any of it', async () => {
    const body = partOf('file', 'Text', 'a.txt') + end
    const many = Array.from({ length: 30 }, (_, index) => partOf(`m${index}`, 'x')).join('')
    const cases: readonly (readonly [string, Record<string, string>, number])[] = [
      ['{}', { 'Content-Type': 'application/json' }, 415],
      [body, { 'Content-Type': 'multipart/form-data' }, 415],
      [body, { 'Content-Encoding': 'gzip' }, 415],
      [end, {}, 400],
      [partOf('file', 'no file') + end, {}, 400],
      [many + body, {}, 400],
      [partOf('note', 'x'.repeat(20_000)) + body, {}, 400],
    ]
    for (const [sent, headers, status] of cases) {
      const answer = await send(sent, headers)
      expect([sent.slice(0, 60), answer.status]).toEqual([sent.slice(0, 60), status])
    }
  })

  test('[ATTACH-11] [HTTP-82] who may not change the record is refused without a byte on the disk', async () => {
    const eve = await world.newPerson(`Eve${storage.name}`)
    const before = files()
    const body = partOf('file', 'x'.repeat(2_000_000), 'a.txt') + end
    const request = { method: 'POST', path, headers: { 'Content-Type': formType }, body }
    expect((await world.sendAs(eve, request)).status).toBe(404)
    expect((await world.send(request)).status).toBe(401)
    expect(files()).toEqual(before)
  })

  const ask = async (contentLength: number) => {
    const { attachments } = ada.api
    const asked = { type: 1, contentType: 'image/png', contentLength } as const
    return attachments.requestUpload({ baseId, ...asked })
  }
  const put = (url: string, body: string, more: Record<string, string> = {}, method = 'PUT') =>
    world.sendAs(ada, {
      method,
      path: url,
      headers: { 'Content-Type': 'image/png', ...more },
      body,
    })

  test('[HTTP-190] [ATTACH-31] a file that has a token is the whole body, of any type', async () => {
    for (const method of ['PUT', 'POST']) {
      const { url, token } = await ask(200_000)
      const { status, text } = await put(url, 'x'.repeat(200_000), {}, method)
      expect([status, text]).toEqual([201, ''])
      const path = `/api/attachments/notify/${token}?filename=a%20b.txt`
      const told = await world.sendAs(ada, { method: 'POST', path })
      expect([told.status, told.json()]).toMatchObject([201, { name: 'a b.txt', size: 200_000 }])
      const read = await world.send({ method: 'GET', path: (told.json() as { url: string }).url })
      expect([read.status, read.text.length]).toEqual([200, 200_000])
    }
    const { url, token } = await ask(0)
    expect((await put(url, '')).status).toBe(201)
    const api = createClient({ baseUrl: `${world.url}/api`, token: ada.accessToken })
    expect((await api.attachments.finishUpload({ token })).size).toBe(0)
  })

  test('[HTTP-190] what is not as it was said, or not allowed, leaves nothing', async () => {
    const before = files()
    const { url } = await ask(100_000)
    const body = 'x'.repeat(100_000)
    expect((await put(url, body, { 'Content-Type': 'image/jpeg' })).status).toBe(400)
    expect((await put(url, body, { 'Content-Encoding': 'gzip' })).status).toBe(415)
    expect((await put(url, `${body}x`)).status).toBe(413)
    expect((await put(url, 'x')).status).toBe(400)
    const eve = await world.newPerson(`Putter${storage.name}`)
    const request = { method: 'PUT', path: url, headers: { 'Content-Type': 'image/png' }, body }
    expect((await world.sendAs(eve, request)).status).toBe(404)
    expect((await world.send(request)).status).toBe(401)
    const { hostname, port } = new URL(world.url)
    const socket = connect(Number(port), hostname)
    const lines = [`PUT ${url} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${ada.accessToken}`]
    lines.push('Content-Type: image/png', 'Content-Length: 100000', '', '')
    socket.write(lines.join('\r\n') + 'x'.repeat(50_000))
    await expect.poll(() => files().length).toBe(before.length + 1)
    socket.destroy()
    await expect.poll(files).toEqual(before)
    expect((await put(url, body)).status).toBe(201)
  })

  test('[HTTP-201] what still comes of a refused file is thrown away, and the line goes on', async () => {
    const { url } = await ask(100)
    const { hostname, port } = new URL(world.url)
    const socket = connect(Number(port), hostname)
    let answers = ''
    socket.on('data', (piece) => {
      answers += piece
    })
    const lines = [`PUT ${url} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${ada.accessToken}`]
    lines.push('Content-Type: image/png', 'Content-Length: 2000000', '', '')
    socket.write(lines.join('\r\n') + 'x'.repeat(1_000_000))
    await expect.poll(() => answers).toMatch(/^HTTP\/1.1 413 /)
    socket.write(`${'x'.repeat(1_000_000)}GET /health HTTP/1.1\r\nHost: x\r\n\r\n`)
    await expect.poll(() => answers).toMatch(/HTTP\/1.1 200 /)
    socket.destroy()
  })

  test('[ATTACH-9] files that come at one time are all there, and kept once', async () => {
    const before = files()
    const body = partOf('file', 'y'.repeat(100_000), 'a.txt') + end
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(body)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    expect(Math.max(...answers.map((answer) => cellOf(answer).length))).toBe(8)
    expect(files()).toHaveLength(before.length + 1)
  })
})
