import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@gateleg/contract/client'
import { DiskBlobStore } from '@gateleg/engine/platform/blobs/disk-blob-store'
import { pngFile, pngOf } from '@gateleg/testing/factories/png-image'
import { type HttpWorld, openHttpWorld } from '@gateleg/testing/http/http-world'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import type { Person } from '@gateleg/testing/worlds/world'
import { afterAll, beforeAll, expect, test } from 'vitest'

const path = '/api/user/avatar'
const boundary = 'xBoundaryx'
const formType = `multipart/form-data; boundary=${boundary}`

/** A form with the bytes as the file of the name, which it says to be a picture. */
function formOf(bytes: Buffer, filename: string): Buffer {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: image/png\r\n\r\n`
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
}

describeOnEveryStorage('pictures of users over HTTP', (storage) => {
  let world: HttpWorld
  let ada: Person
  let folder: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateleg-avatars-'))
    world = await openHttpWorld(storage, { ports: { blobs: new DiskBlobStore(folder) } })
    ada = await world.newPerson('Ada')
  })
  afterAll(async () => {
    await world.close()
    rmSync(folder, { recursive: true })
  })

  const send = (body: Buffer, headers: Record<string, string> = {}) =>
    world.sendAs(ada, {
      ...{ method: 'PATCH', path, body },
      headers: { 'Content-Type': formType, ...headers },
    })
  const get = (url: string, headers: Record<string, string> = {}) =>
    world.send({ method: 'GET', path: url, headers })
  const avatarOf = async () => (await ada.api.accounts.getMe({})).avatar ?? ''
  const filesKept = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())

  test('[HTTP-240] are sent as a form, and read without a credential as images that may be shown', async () => {
    const { status, text } = await send(formOf(pngOf(600, 300), 'me.html'))
    expect([status, text]).toEqual([200, ''])
    const url = await avatarOf()
    const read = await get(url)
    expect([read.status, read.text.slice(0, 4), read.text.slice(8, 12)]).toEqual([
      200,
      'RIFF',
      'WEBP',
    ])
    expect(read.headers).toMatchObject({
      'content-type': 'image/webp',
      'content-disposition': expect.stringMatching(/^inline; filename="avatar\.webp"/),
      'content-security-policy': expect.stringContaining("default-src 'none'; sandbox"),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=300',
    })
    const again = await get(url, { 'If-None-Match': String(read.headers.etag) })
    expect([again.status, again.text]).toEqual([304, ''])
    expect((await get(url, { Range: 'bytes=0-3' })).text).toBe('RIFF')
    expect((await get(`${url}0`)).status).toBe(404)
    const head = await world.send({ method: 'HEAD', path: url })
    const { 'content-length': length } = read.headers
    expect([head.status, head.headers['content-length']]).toEqual([200, length])
  })

  test('[HTTP-240] end at once where another one comes, or it is removed', async () => {
    await send(formOf(pngOf(20, 20), 'me.png'))
    const first = await avatarOf()
    const client = createClient({ baseUrl: `${world.url}/api`, token: ada.accessToken })
    await client.accounts.changeAvatar({ file: pngFile('me.png', 30, 30) })
    const second = await avatarOf()
    expect([(await get(first)).status, (await get(second)).status]).toEqual([404, 200])
    const file = await client.accounts.readAvatar({ path: second.split('/').at(-1) ?? '' })
    expect([file.mimetype, file.isShown()]).toEqual(['image/webp', true])
    const removed = await world.sendAs(ada, { method: 'DELETE', path })
    expect([removed.status, removed.text, (await get(second)).status]).toEqual([200, '', 404])
    expect(await avatarOf()).toMatch(/^data:image\/svg\+xml,/)
  })

  test('[HTTP-82] [ACCOUNT-62] are refused before a byte is kept, or leave none', async () => {
    const before = filesKept().length
    const form = formOf(pngOf(20, 20), 'me.png')
    const headers = { 'Content-Type': formType }
    const nobody = await world.send({ method: 'PATCH', path, headers, body: form })
    expect(nobody.status).toBe(401)
    expect((await send(Buffer.from('{}'), { 'Content-Type': 'application/json' })).status).toBe(415)
    expect((await send(form.subarray(0, form.length - 20))).status).toBe(400)
    expect((await send(Buffer.from(`--${boundary}--\r\n`))).status).toBe(400)
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
    expect((await send(formOf(svg, 'me.svg'))).status).toBe(400)
    expect((await send(formOf(Buffer.alloc(11 * 1024 * 1024), 'me.png'))).status).toBe(413)
    expect(filesKept().length).toBe(before)
  })
})
