import { request as openRequest } from 'node:http'
import { connect } from 'node:net'
import { createClient } from '@gateleg/contract/client'
import { limits } from '@gateleg/domain/limits'
import { type HttpWorld, openHttpWorld } from '@gateleg/testing/http/http-world'
import { listAllRecords } from '@gateleg/testing/observations/list-all-records'
import {
  archivedRecords,
  archivedTable,
  archiveHead,
  archiveOf,
} from '@gateleg/testing/operations/archives'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import type { Person } from '@gateleg/testing/worlds/world'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

describeOnEveryStorage('files that are imported over HTTP', (storage) => {
  let world: HttpWorld
  let ada: Person
  let baseId: string

  beforeAll(async () => {
    world = await openHttpWorld(storage)
    ada = await world.newPerson('Ada')
    baseId = (await ada.api.bases.createBase({ spaceId: ada.spaceId, name: 'Base' })).id
  })
  afterAll(() => world.close())

  const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    world.sendAs(ada, {
      method: 'POST',
      path: `/api/import/${path}`,
      body,
      headers: { 'Content-Type': 'text/csv', ...headers },
    })
  const rowsOf = async (tableId: string) =>
    (await listAllRecords(ada.api, { tableId, take: 100 })).map(({ fields }) => fields)
  const tables = () => ada.api.tables.listTables({ baseId })

  test('[HTTP-74] a body is the file, its parameters are in the query', async () => {
    const query = new URLSearchParams({
      name: 'Sent',
      columns: '[{"type":"longText"},{"type":"number"}]',
    })
    const answer = await send(`${baseId}?${query}`, 'Name;Count\né;1\n')
    expect(answer.status).toBe(201)
    const { table, ...made } = answer.json() as { id: string; tableId: string; table: object }
    expect(table).toMatchObject({ id: made.tableId })
    expect(await rowsOf(made.tableId)).toEqual([{ Name: 'é', Count: 1 }])
    const path = `/api/import/${baseId}/status/${made.id}`
    expect((await world.sendAs(ada, { method: 'GET', path })).json()).toEqual(made)
    const into = { method: 'PATCH', path: `/api/import/${baseId}/${made.tableId}` }
    const headers = { 'Content-Type': 'text/csv; charset=iso-8859-1' }
    const body = Buffer.from('Name\nBl\xfcte\n', 'latin1')
    expect((await world.sendAs(ada, { ...into, body, headers })).status).toBe(200)
    expect((await rowsOf(made.tableId)).at(-1)).toEqual({ Name: 'Blüte' })
    const analyzed = await send('analyze?excludeFirstRow=false', '1,2\n')
    expect(analyzed.json()).toMatchObject({ rowsRead: 1, delimiter: ',' })
  })

  test.each([
    ['JSON', '{}', { 'Content-Type': 'application/json' }, 415],
    ['a compressed file', 'a\n', { 'Content-Encoding': 'gzip' }, 415],
    ['an unknown encoding', 'a\n', { 'Content-Type': 'text/csv; charset=koi8-r' }, 400],
    ['no body', undefined, {}, 400],
    ['no CSV', 'a\n"b', {}, 400],
  ])('[HTTP-74] refuses %s, and imports nothing', async (_, body, headers, status) => {
    const before = await tables()
    expect((await send(baseId, body, headers)).status).toBe(status)
    expect(await tables()).toEqual(before)
  })

  test('[HTTP-74] says of an empty body that the file is empty, and of one without a type what it takes', async () => {
    const empty = await send(baseId, Buffer.alloc(0))
    expect([empty.status, empty.text]).toEqual([400, expect.stringContaining('the file is empty')])
    const none = await send(baseId, Buffer.alloc(0), { 'Content-Type': '' })
    expect([none.status, none.text]).toEqual([400, expect.stringContaining('is required: send')])
  })

  test('[HTTP-74] refuses a file by its address, as that is not available yet', async () => {
    const answer = await send(`${baseId}?attachmentUrl=http://example.com/a.csv`, 'a\n')
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringContaining('not available yet'),
    ])
  })

  test('[HTTP-74] refuses who may not, before anything of the file is read', async () => {
    const other = await world.newPerson('Other')
    const path = `/api/import/${baseId}`
    const headers = { 'Content-Type': 'text/csv', 'Transfer-Encoding': 'chunked' }
    const sent = { method: 'POST', path, body: Buffer.alloc(300_000, 'a\n'), headers }
    expect((await world.sendAs(other, sent)).status).toBe(404)
    expect((await world.send(sent)).status).toBe(401)
  })

  test('[HTTP-75] the client sends a stream as it comes, of any length', async () => {
    await withLimits({ importRowsAtOnce: 10 }, async () => {
      const client = createClient({ baseUrl: `${world.url}/api`, token: ada.accessToken })
      const rows = Array.from({ length: 2_000 }, (_, n) => `row ${n},${'x'.repeat(500)}\n`)
      const content = ReadableStream.from(['Name,Text\n', ...rows].map((row) => Buffer.from(row)))
      const input = { baseId, content, name: 'Streamed' }
      const { table: _, ...made } = await client.imports.importTable(input)
      expect(made).toMatchObject({ state: 'running', rowsRead: 2_000 })
      const importId = made.id
      expect(await client.imports.getImport({ baseId, importId })).toEqual(made)
    })
  })

  test('[HTTP-75] a file whose line is cut leaves nothing', async () => {
    await withLimits({ importRowsAtOnce: 2, rowsPerImportPiece: 500 }, async () => {
      const before = await tables()
      const open = () =>
        world.engine.store.read((tx) => tx.imports.countOpen(baseId, '2000-01-01T00:00:00.000Z'))
      const openBefore = await open()
      const { hostname, port } = new URL(world.url)
      const path = `/api/import/${baseId}?partial=true`
      const headers = { Authorization: `Bearer ${ada.accessToken}`, 'Content-Type': 'text/csv' }
      const sent = openRequest({ hostname, port, method: 'POST', path, headers })
      sent.on('error', () => {})
      sent.write('Name\n')
      for (let row = 0; row < 20_000; row++) sent.write(`row ${row}\n`)
      await vi.waitFor(async () => expect(await open()).toBe(openBefore + 1), { timeout: 10_000 })
      sent.destroy()
      const now = new Date(world.clock.now()).toISOString()
      const left = () => world.engine.store.read((tx) => tx.imports.countOpen(baseId, now))
      await vi.waitFor(async () => expect(await left()).toBe(openBefore), { timeout: 20_000 })
      expect(await tables()).toEqual(before)
    })
  })

  test('[ARCHIVE-15] archives count for what is held of them among the bodies', async () => {
    const path = `/api/base/import?spaceId=${ada.spaceId}`
    const headers = { 'Content-Type': 'application/x-ndjson' }
    const archive = { method: 'POST', path, headers, body: archiveOf([archiveHead]) }
    const answer = await withLimits({ archiveBytesHeld: 2 ** 40 }, () => world.sendAs(ada, archive))
    expect([answer.status, (await world.sendAs(ada, archive)).status]).toEqual([413, 200])
  })

  test('[ARCHIVE-15] [ARCHIVE-16] as many archives of a user as may come find room among the bodies', async () => {
    const client = createClient({ baseUrl: `${world.url}/api`, token: ada.accessToken })
    const { promise: going, resolve: go } = Promise.withResolvers<void>()
    const text = archiveOf([...archivedTable, ...archivedRecords])
    const content = () =>
      ReadableStream.from(
        (async function* () {
          yield Buffer.from(text.slice(0, -10))
          await going
          yield Buffer.from(text.slice(-10))
        })(),
      )
    const imports = Array.from({ length: limits.archivesPerUser }, () =>
      client.archives.importBase({ spaceId: ada.spaceId, content: content() }),
    )
    const ends = Promise.allSettled(imports)
    const { userId } = ada
    const coming = () => world.engine.store.write((tx) => tx.bases.countUnfinishedHeld(userId))
    await vi.waitFor(async () => expect(await coming()).toBe(imports.length))
    go()
    expect((await ends).map(({ status }) => status)).toEqual(imports.map(() => 'fulfilled'))
  })

  test('[HTTP-330] what still comes of a refused archive is thrown away, and the connection goes on', async () => {
    const { hostname, port } = new URL(world.url)
    const socket = connect(Number(port), hostname)
    let answers = ''
    socket.on('data', (piece) => {
      answers += piece
    })
    const path = `/api/base/import?spaceId=${ada.spaceId}`
    const lines = [`POST ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${ada.accessToken}`]
    lines.push('Content-Type: application/x-ndjson', 'Content-Length: 2000000', '', '')
    const half = (text: string) => text.padEnd(1_000_000, ' ')
    socket.write(lines.join('\r\n') + half('no archive\n'))
    await expect.poll(() => answers).toMatch(/^HTTP\/1.1 400 /)
    expect(answers).toMatch(/^Connection: keep-alive/im)
    socket.write(`${half('')}GET /health HTTP/1.1\r\nHost: x\r\n\r\n`)
    await expect.poll(() => answers, { timeout: 3_000 }).toMatch(/HTTP\/1.1 200 /)
    socket.destroy()
  })
})
