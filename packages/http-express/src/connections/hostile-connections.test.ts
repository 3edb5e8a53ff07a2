import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '@gateleg/domain/limits'
import { type HttpWorld, openHttpWorld } from '@gateleg/testing/http/http-world'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import type { Person } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('connections of hostile callers', (storage) => {
  let world: HttpWorld
  let ada: Person

  beforeEach(async () => {
    world = await openHttpWorld(storage)
    ada = await world.newPerson('Ada')
  })
  afterEach(() => world.close())

  const open = () => connect(Number(new URL(world.url).port), '127.0.0.1')
  const health = async () => (await world.send({ method: 'GET', path: '/health' })).status
  /** Sends all of it in one go, and reads what comes until the end. */
  const converse = async (content: string) => {
    const socket = open()
    // A connection that is cut is an end, too.
    socket.on('error', () => {})
    socket.write(content)
    return readText(socket).catch(() => '')
  }
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`

  test('[HTTP-95] closes a connection that sends more requests than one may without waiting for answers', async () => {
    const few = get('/health').repeat(limits.requestsPerConnection - 1)
    const answered = await converse(few + get('/health', 'Connection: close\r\n'))
    expect(answered.match(/HTTP\/1.1 200/g)).toHaveLength(limits.requestsPerConnection)
    for (const path of ['/openapi.json', '/api/space', '/docs', '/nowhere']) {
      const many = await converse(get(path, 'Accept-Encoding: gzip\r\n').repeat(1_000))
      const count = (many.match(/HTTP\/1.1/g) ?? []).length
      expect([path, count <= limits.requestsPerConnection]).toEqual([path, true])
    }
    expect(await health()).toBe(200)
  })

  test('[HTTP-95] a connection may send as many requests as it likes one after another', async () => {
    const socket = open()
    let answers = ''
    socket.on('data', (data) => {
      answers += data
    })
    for (let n = 1; n <= 2 * limits.requestsPerConnection; n++) {
      socket.write(get('/health'))
      while ((answers.match(/HTTP\/1.1 200/g) ?? []).length < n) await pause(1)
    }
    socket.destroy()
  })

  /** A body in chunks of so many bytes, in one go. */
  const inChunks = (size: number, count: number) =>
    `${size.toString(16)}\r\n${' '.repeat(size)}\r\n`.repeat(count)
  const post = (path: string, headers: string, body: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n${headers}\r\n${body}`

  test.each([
    ['/api/auth/signin', 'application/json', false],
    ['/api/space', 'application/json', true],
    ['/api/import/analyze', 'text/csv', true],
    ['/api/base/import?spaceId=SPACE', 'application/x-ndjson', true],
  ])('[HTTP-96] refuses a body in pieces of a byte: %s', async (path, type, isSignedIn) => {
    const authorization = isSignedIn ? `Authorization: Bearer ${ada.accessToken}\r\n` : ''
    const headers = `Content-Type: ${type}\r\n${authorization}`
    const answer = await converse(
      post(path.replace('SPACE', ada.spaceId), headers, inChunks(1, 100_000)),
    )
    // Who goes on sending may never get to see it.
    if (answer !== '') expect(answer).toContain('pieces of less than 2 bytes')
    expect(await health()).toBe(200)
  })

  test('[HTTP-96] closes the connection of a body that was refused, though all of it has come', async () => {
    const headers = `Content-Type: application/json\r\nAuthorization: Bearer ${ada.accessToken}\r\n`
    const whole = `${inChunks(1, 700)}0\r\n\r\n`
    const sent = post('/api/space', headers, whole).replace('Connection: close\r\n', '')
    const answer = await converse(sent)
    expect(answer).toMatch(/^HTTP\/1.1 400/)
    expect(answer).toContain('Connection: close')
    // The same without its end, which the caller would go on with.
    expect(await converse(post('/api/space', headers, inChunks(1, 600)))).toMatch(/^HTTP\/1.1 400/)
  })

  test('[HTTP-96] takes pieces of two bytes of which a network has cut one', async () => {
    const headers = `Content-Type: application/json\r\nAuthorization: Bearer ${ada.accessToken}\r\n`
    const body = `{"name": "Cut in two"${' '.repeat(1_978)}}`
    const pieces = body.match(/../g)?.map((piece) => `2\r\n${piece}\r\n`) ?? []
    const sent = post('/api/space', headers, `${pieces.join('')}0\r\n\r\n`)
    const head = sent.indexOf('\r\n\r\n') + 4
    const socket = open()
    socket.setNoDelay(true)
    const answered = readText(socket)
    // Between the two bytes of a piece.
    for (const part of [sent.slice(0, head + 704), sent.slice(head + 704)]) {
      socket.write(part)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect(await answered).toMatch(/^HTTP\/1.1 201/)
  })

  test('[HTTP-96] cuts a connection whose body nobody wants and comes in such pieces', async () => {
    const socket = open()
    socket.on('error', () => {})
    socket.write(post('/api/space', 'Content-Type: application/json\r\n', ''))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const beat = setInterval(() => socket.write(inChunks(1, 1_000)), 1)
    await closed
    clearInterval(beat)
  })

  test('[HTTP-96] takes a body in short pieces that are no waste, and one that a network has cut', async () => {
    const headers = `Content-Type: application/json\r\nAuthorization: Bearer ${ada.accessToken}\r\n`
    const body = `{"name": "Short"${' '.repeat(63)}}`
    const chunks = `${inChunks(2, 2_000)}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    expect(await converse(post('/api/space', headers, chunks))).toMatch(/^HTTP\/1.1 201/)
    const socket = open()
    const answered = readText(socket)
    const whole = `${' '.repeat(1_500)}{"name": "Cut"}`
    socket.setNoDelay(true)
    socket.write(
      `POST /api/space HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${whole.length}\r\n${headers}\r\n`,
    )
    for (const byte of whole) {
      socket.write(byte)
      await new Promise(setImmediate)
    }
    expect(await answered).toMatch(/^HTTP\/1.1 201/)
  })

  test('[HTTP-28] compresses the description once, as the caller takes it', async () => {
    const plain = await world.send({ method: 'GET', path: '/openapi.json' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    for (const encoding of ['br', 'gzip']) {
      const answer = await fetch(`${world.url}/openapi.json`, {
        headers: { 'Accept-Encoding': encoding },
      })
      expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([
        encoding,
        'Accept-Encoding',
      ])
      expect(await answer.text()).toBe(plain.text)
    }
  })
})
