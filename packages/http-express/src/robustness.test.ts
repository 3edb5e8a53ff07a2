import { connect } from 'node:net'
import { limits } from '@gateleg/domain/limits'
import { findOperations } from '@gateleg/testing/http/find-operation'
import { type HttpWorld, openHttpWorld } from '@gateleg/testing/http/http-world'
import { testHttp } from '@gateleg/testing/http/test-http'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import type { Person } from '@gateleg/testing/worlds/world'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** Sends bytes as they are and reads until the other side closes. */
function sendRaw(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')))
  })
}

describeOnEveryStorage('robustness', (storage) => {
  let world: HttpWorld
  let ada: Person

  beforeEach(async () => {
    world = await openHttpWorld(storage)
    ada = await world.newPerson('Ada')
  })
  // What a request breaks outside of it fails the run: an unhandled rejection does.
  afterEach(async () => {
    expect((await world.send({ method: 'GET', path: '/health' })).status).toBe(200)
    await world.close()
  })

  test('[HTTP-8] refuses a body that says it is too large', async () => {
    const body = Buffer.alloc(limits.jsonBodyBytes + 1, ' ')
    const answer = await world.sendAs(ada, { method: 'POST', path: '/api/space', body })
    expect(answer.json()).toMatchObject({ status: 413, code: 'payload_too_large' })
  })

  test('[HTTP-8] refuses a body that says it is too large before any of it has come', async () => {
    const { accessToken } = ada
    const head = `POST /api/space HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${accessToken}\r\n`
    const body = `Content-Type: application/json\r\nContent-Length: ${limits.jsonBodyBytes + 1}\r\n`
    const answer = await sendRaw(world.url, `${head}${body}Connection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('[HTTP-8] refuses a body that turns out to be too large', async () => {
    const headers = { 'Transfer-Encoding': 'chunked' }
    const body = Buffer.alloc(limits.jsonBodyBytes + 1, ' ')
    const request = { method: 'POST', path: '/api/space', headers, body }
    expect((await world.sendAs(ada, request)).status).toBe(413)
  })

  test('[HTTP-25] answers what is no HTTP, and closes the connection', async () => {
    for (const bytes of [
      'hello\r\n\r\n',
      'GET\r\n\r\n',
      'GET /api/space HTTP/9.9\r\n\r\n',
      'GET /api/space HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n',
      'POST /api/space HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01]),
    ]) {
      const answer = await sendRaw(world.url, bytes)
      expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
      expect(answer).toContain('X-Content-Type-Options: nosniff\r\n')
      expect(answer).toMatch(/X-Request-Id: req\w{16}\r\n/)
      expect(answer).toContain('"code":"validation_error"')
    }
  })

  test('[HTTP-25] answers headers that are too large', async () => {
    const header = `X-Large: ${'x'.repeat(limits.requestHeaderBytes)}`
    const answer = await sendRaw(world.url, `GET / HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toContain('"code":"payload_too_large"')
  })

  test('[HTTP-25] takes the query that deletes the most records', async () => {
    const ids = Array.from({ length: limits.recordsPerDelete }, () => 'rec0123456789abcdef')
    const query = ids.map((id) => `recordIds%5B%5D=${id}`).join('&')
    const path = `/api/table/tblNone/record?${query}`
    expect((await world.sendAs(ada, { method: 'DELETE', path })).status).toBe(404)
  })

  test('[HTTP-25] answers a request without a host', async () => {
    const answer = await sendRaw(world.url, 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('Host: must say the host')
  })

  test('[HTTP-26] goes on when callers go away in the middle of a request', async () => {
    const head = `POST /api/space HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.accessToken}\r\n`
    const { hostname, port } = new URL(world.url)
    for (const rest of [
      '',
      'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name":',
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"nam',
      'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
    ]) {
      await new Promise<void>((resolve, reject) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(head + rest, () => socket.resetAndDestroy())
        })
        socket.on('error', reject)
        socket.on('close', () => resolve())
      })
    }
  })

  test('[HTTP-26] always answers, whatever JSON a body is', async () => {
    const json = fc.json({ maxDepth: 6 })
    const members = fc.dictionary(
      fc.constantFrom('name', '__proto__', 'spaceId', 'x'),
      fc.jsonValue(),
    )
    const bodies = fc.oneof(
      json,
      members.map((value) => JSON.stringify(value)),
      fc.string(),
    )
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const request = { method: 'POST', path: '/api/space', body }
        expect([201, 400]).toContain((await world.sendAs(ada, request)).status)
      }),
      { numRuns: 100 },
    )
  })

  test('[HTTP-26] always answers, whatever a query is', async () => {
    const keys = fc.constantFrom('take', 'skip', 'search', 'includeSystem', 'x', '__proto__', 'a[]')
    const values = fc.oneof(fc.webQueryParameters(), fc.json().map(encodeURIComponent))
    const queries = fc.array(fc.tuple(keys, values).map((pair) => pair.join('=')))
    const path = `/api/space/${ada.spaceId}/collaborators`
    await fc.assert(
      fc.asyncProperty(queries, async (pairs) => {
        const request = { method: 'GET', path: `${path}?${pairs.join('&')}` }
        expect([200, 400]).toContain((await world.sendAs(ada, request)).status)
      }),
      { numRuns: 100 },
    )
  })

  test('[HTTP-11] never serves a mutated path without the rights of the operation it hits', async () => {
    const { operations } = await testHttp()
    const paths = operations.map(({ method, path }) => ({
      method,
      path: `/api${path.replaceAll('{spaceId}', ada.spaceId).replaceAll(/\{\w+\}/g, 'none')}`,
    }))
    const parts = [
      '/',
      '//',
      '.',
      '..',
      '%2e',
      '%2f',
      '%',
      '%00',
      ';',
      '\\',
      '?',
      '#',
      '%20',
      'A',
      '{',
      '*',
    ]
    const mutation = fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom('', ...parts))
    const mutants = fc
      .tuple(fc.constantFrom(...paths), fc.array(mutation, { minLength: 1, maxLength: 3 }))
      .map(([{ method, path }, mutations]) => ({
        method,
        path: mutations.reduce((mutant, [at, removed, part]) => {
          const start = 1 + (at % (mutant.length - 1))
          return mutant.slice(0, start) + part + mutant.slice(start + removed)
        }, path),
      }))
      .filter(({ path }) => path.length > 1)
    await fc.assert(
      fc.asyncProperty(mutants, async (request) => {
        const { status } = await world.send(request)
        // What says at the root what this is, with any query.
        if (status === 200 && /^\/(\?|$)/.test(request.path)) return
        const hit = findOperations(operations, request.path).find(
          ({ method }) => method === request.method,
        )
        if (!hit) expect([400, 404, 405]).toContain(status)
        else if (!hit.isPublic) expect([400, 401]).toContain(status)
      }),
      { numRuns: 500 },
    )
  })
})
