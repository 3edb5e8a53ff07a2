import { createClient } from '@gateleg/contract/client'
import { type HttpWorld, openHttpWorld } from '@gateleg/testing/http/http-world'
import type { TestRequest } from '@gateleg/testing/http/send-request'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { type Person, testPassword } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('answers', (storage) => {
  let world: HttpWorld
  let ada: Person
  let space: string

  beforeEach(async () => {
    world = await openHttpWorld(storage)
    ada = await world.newPerson('Ada')
    space = `/api/space/${ada.spaceId}`
  })
  afterEach(() => world.close())

  const send = (request: TestRequest) => world.sendAs(ada, request)
  const rename = (name: string, headers: Record<string, string> = {}) =>
    send({ method: 'PATCH', path: space, headers, body: { name } })

  test('[HTTP-16] tags answers with the version, which counts changes', async () => {
    const read = await send({ method: 'GET', path: space })
    expect(read.headers.etag).toMatch(/^"v1\.[\w-]{11}"$/)
    expect(read.json()).toEqual({ id: ada.spaceId, name: "ada's space", role: 'owner' })
    expect((await rename('Lab')).headers.etag).toMatch(/^"v2\.[\w-]{11}"$/)
    expect((await send({ method: 'GET', path: space })).headers.etag).toMatch(/^"v2\./)
    expect((await send({ method: 'GET', path: '/api/space' })).headers.etag).toBeUndefined()
  })

  test('[HTTP-17] changes what has the version that If-Match names', async () => {
    expect((await rename('One', { 'If-Match': '"v1"' })).status).toBe(200)
    const second = await rename('Two', { 'If-Match': '"v1", "v2"' })
    const tag = second.headers.etag ?? ''
    expect((await rename('Three', { 'If-Match': tag })).status).toBe(200)
    expect((await rename('Late', { 'If-Match': tag })).status).toBe(412)
    expect((await rename('Four', { 'If-Match': '"v4.another"' })).status).toBe(200)
    expect((await rename('Five', { 'If-Match': '*' })).status).toBe(200)
  })

  test('[HTTP-17] refuses to change or delete what has another version, and does nothing', async () => {
    await rename('Lab')
    const before = world.events.length
    for (const tag of ['"v1"', '"v3"', '"v1.a"', 'W/"v2"', '"2"', '"other"', 'v2', '']) {
      const headers = { 'If-Match': tag }
      const deleted = await send({ method: 'DELETE', path: space, headers })
      expect([tag, deleted.status]).toEqual([tag, 412])
      expect((await rename('Other', headers)).json()).toMatchObject({ code: 'precondition_failed' })
    }
    expect(world.events.length).toBe(before)
    expect((await send({ method: 'GET', path: space })).text).toContain('Lab')
  })

  test('[HTTP-17] says why tags can match nothing', async () => {
    const messageFor = async (request: TestRequest) => {
      const answer = await send(request)
      expect(answer.status).toBe(412)
      return (answer.json() as { message: string }).message
    }
    const ifMatch = (tag: string) => ({ 'If-Match': tag })
    for (const tag of ['v1', '"abc"', 'W/"v1"', '"abc", v1', '']) {
      const request = { method: 'PATCH', path: space, headers: ifMatch(tag), body: { name: 'x' } }
      expect([tag, await messageFor(request)]).toEqual([
        tag,
        expect.stringContaining('in its quotes'),
      ])
    }
    const late = { method: 'PATCH', path: space, headers: ifMatch('v1, "v7"'), body: { name: 'x' } }
    expect(await messageFor(late)).toContain('has changed')
    const create = { method: 'POST', path: '/api/space', headers: ifMatch('"v1"'), body: {} }
    expect(await messageFor(create)).toContain('leave If-Match out')
    const inSpace = (tag: string) => ({
      method: 'POST',
      path: '/api/base',
      headers: ifMatch(tag),
      body: { spaceId: ada.spaceId },
    })
    expect(await messageFor(inSpace('"v2"'))).toContain('has changed')
    expect((await send(inSpace('"v1"'))).status).toBe(201)
  })

  test('[HTTP-17] [RECORD-41] asks each tag of the record in its place, one that is not ours too', async () => {
    const { id: baseId } = await ada.api.bases.createBase({ spaceId: ada.spaceId })
    const table = await ada.api.tables.createTable({ baseId })
    const [a = '', b = ''] = table.records.map(({ id }) => id)
    const path = `/api/table/${table.id}/record`
    const change = (tags: string) => {
      const records = [a, b].map((id) => ({ id, fields: {} }))
      return send({ method: 'PATCH', path, headers: { 'If-Match': tags }, body: { records } })
    }
    await send({
      method: 'PATCH',
      path: `${path}/${b}`,
      body: { record: { fields: { Name: 'b' } } },
    })
    for (const tags of ['"v2.x", "v1.x"', '"v1"', '"v1", W/"v2"', 'W/"v1", "v2"', '"a,b", "v2"']) {
      expect([tags, (await change(tags)).status]).toEqual([tags, 412])
    }
    for (const tags of ['W/"v9", "v1", "v2"', '"v1", "v2", "v2"', '']) {
      const refused = await change(tags)
      expect([tags, refused.status, refused.text.includes('If-Match')]).toEqual([tags, 400, true])
    }
    expect((await change('"v1.x", "v2.y"')).status).toBe(200)
    const { records: api } = createClient({ baseUrl: `${world.url}/api`, token: ada.accessToken })
    const input = { tableId: table.id, recordIds: [a, b] }
    const stale = { code: 'precondition_failed' }
    await expect(api.deleteRecords(input, { ifMatch: [2, 1] })).rejects.toMatchObject(stale)
    await api.deleteRecords(input, { ifMatch: [1, 2] })
  })

  test('[HTTP-18] does not send again what the caller has', async () => {
    const get = (tag: string) =>
      send({ method: 'GET', path: space, headers: { 'If-None-Match': tag } })
    const { etag = '' } = (await send({ method: 'GET', path: space })).headers
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await get(tag)
      expect([tag, answer.status, answer.headers.etag, answer.text]).toEqual([tag, 304, etag, ''])
    }
    const head = { method: 'HEAD', path: space, headers: { 'If-None-Match': etag } }
    expect((await send(head)).status).toBe(304)
    for (const tag of ['"v1"', '"v1.another"', etag.replace('v1', 'v2')]) {
      expect([tag, (await get(tag)).status]).toEqual([tag, 200])
    }
  })

  /** Reads twice, with a change in between that counts no version of what is read. */
  async function expectNews(path: string, change: () => Promise<unknown>): Promise<void> {
    const { etag = '' } = (await send({ method: 'GET', path })).headers
    const again = { method: 'GET', path, headers: { 'If-None-Match': etag } }
    expect((await send(again)).status).toBe(304)
    await change()
    const answer = await send(again)
    expect([path, answer.status]).toEqual([path, 200])
    const versionOf = (tag: string | undefined) => tag?.split('.')[0]
    expect(versionOf(answer.headers.etag)).toBe(versionOf(etag))
    expect(answer.headers.etag).not.toBe(etag)
  }

  test('[HTTP-18] sends again what changed though its version didn’t', async () => {
    const { bases, tables, fields, accounts, tree, collaborators } = ada.api
    const { id: baseId } = await bases.createBase({ spaceId: ada.spaceId, name: 'Books' })
    const { id: tableId, records } = await tables.createTable({
      baseId,
      records: [{ fields: { Name: 'x' } as never }],
    })
    const [, { id: fieldId } = { id: '' }] = await fields.listFields({ tableId })
    const record = `/api/table/${tableId}/record/${records[0]?.id}`
    const change = { tableId, recordId: records[0]?.id ?? '', record: { fields: { Count: 1 } } }
    await ada.api.records.updateRecord(change as never)
    await expectNews(record, () => fields.updateField({ tableId, fieldId, name: 'Number' }))
    await expectNews(record, () => accounts.changeName({ name: 'Countess' }))
    await expectNews(record, () => fields.deleteField({ tableId, fieldId }))
    const folder = await tree.createNode({ baseId, resourceType: 'folder', name: 'F' })
    await expectNews(`/api/base/${baseId}/node/${folder.id}`, () =>
      tree.createNode({ baseId, resourceType: 'folder', name: 'in it', parentId: folder.id }),
    )
    const bob = await world.newPerson('Bob')
    const { spaceId } = ada
    const principalOf = ({ userId }: Person) =>
      ({ principalId: userId, principalType: 'user' }) as const
    const added = [principalOf(bob)]
    await collaborators.addSpaceCollaborators({ spaceId, collaborators: added, role: 'owner' })
    const changed = { spaceId, ...principalOf(ada), role: 'editor' } as const
    await expectNews(space, () => bob.api.collaborators.changeSpaceCollaborator(changed))
  })

  test('[HTTP-19] answers a repeated request as the first one, and does it once', async () => {
    const headers = { 'Idempotency-Key': 'a-key-of-mine' }
    const create = (name: string) =>
      send({ method: 'POST', path: '/api/space', headers, body: { name } })
    const first = await create('Plans')
    const again = await create('Plans')
    expect([again.status, again.text]).toEqual([first.status, first.text])
    expect(again.headers.etag).toBe(first.headers.etag)
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
    expect((await create('Other')).status).toBe(422)
    expect(await ada.api.spaces.listSpaces({})).toHaveLength(2)
  })

  test('[HTTP-19] refuses a key that is none', async () => {
    for (const key of ['', 'with space', 'x'.repeat(256)]) {
      const headers = { 'Idempotency-Key': key }
      const answer = await send({ method: 'POST', path: '/api/space', headers })
      expect([key, answer.status]).toEqual([key, 400])
    }
  })

  test('[HTTP-22] says when to try again', async () => {
    const body = { email: ada.email, password: 'wrong guess 1' }
    const statuses: number[] = []
    for (let attempt = 0; attempt < 7; attempt++) {
      statuses.push((await world.send({ method: 'POST', path: '/api/auth/signin', body })).status)
    }
    expect(statuses.at(0)).toBe(400)
    expect(statuses.at(-1)).toBe(429)
  })

  test('[HTTP-23] sends the same headers with successes and errors, and no others', async () => {
    const headersOf = async (request: TestRequest, own: readonly string[] = []) => {
      const { headers } = await send(request)
      const sent = Object.keys(headers).filter((name) => !own.includes(name))
      return sent.filter((name) => !['date', 'connection', 'content-length'].includes(name)).sort()
    }
    const always = [
      'cache-control',
      'content-security-policy',
      'content-type',
      'cross-origin-opener-policy',
      'cross-origin-resource-policy',
      'referrer-policy',
      'x-content-type-options',
      'x-frame-options',
      'x-request-id',
    ]
    const origin = { Origin: 'http://evil.example' }
    expect(await headersOf({ method: 'GET', path: space, headers: origin }, ['etag'])).toEqual(
      always,
    )
    for (const [method, path, own] of [
      ['GET', '/api/space', []],
      ['GET', '/api/space/none', []],
      ['GET', '/api/none', []],
      ['GET', '/api/%', []],
      ['PUT', '/api/space', ['allow']],
      ['OPTIONS', '/api/space', ['allow']],
      ['GET', '/health', []],
    ] as const) {
      expect([path, await headersOf({ method, path, headers: origin }, own)]).toEqual([
        path,
        always,
      ])
    }
  })

  test('[HTTP-24] compresses what is large, where that is accepted', async () => {
    const get = (path: string, encoding: string) =>
      world.send({ method: 'GET', path, headers: { 'Accept-Encoding': encoding } })
    expect((await get('/openapi.json', 'gzip')).headers['content-encoding']).toBe('gzip')
    expect((await get('/openapi.json', 'br')).headers['content-encoding']).toBe('br')
    expect((await get('/openapi.json', 'identity')).headers['content-encoding']).toBeUndefined()
    expect((await get('/openapi.json', '')).headers['content-encoding']).toBeUndefined()
    expect((await get('/health', 'gzip')).headers['content-encoding']).toBeUndefined()
  })

  test('[CONTRACT-7] gives a client what the engine gives, versions and errors included', async () => {
    const baseUrl = `${world.url}/api`
    const { accessToken } = await createClient({ baseUrl }).accounts.signIn({
      email: ada.email,
      password: testPassword,
    })
    const client = createClient({ baseUrl, token: accessToken })
    const { spaceId } = ada
    const created = await client.spaces.createSpace({ name: 'Plans' })
    expect(created).toMatchObject({ name: 'Plans', version: 1 })
    expect(await client.spaces.listSpaces({})).toEqual(await ada.api.spaces.listSpaces({}))
    expect(await client.spaces.getSpace({ spaceId })).toEqual(
      await ada.api.spaces.getSpace({ spaceId }),
    )
    await expect(
      client.spaces.renameSpace({ spaceId, name: 'x' }, { ifMatch: [7] }),
    ).rejects.toMatchObject({ name: 'DomainError', code: 'precondition_failed' })
    const issues = [{ path: ['name'], message: expect.any(String) }]
    await expect(client.spaces.createSpace({ name: ' ' })).rejects.toMatchObject({
      code: 'validation_error',
      data: { issues },
    })
    const once = () => client.spaces.createSpace({ name: 'Once' }, { idempotencyKey: 'k' })
    expect(await once()).toEqual(await once())
    expect(await client.spaces.deleteSpace({ spaceId: created.id })).toBeUndefined()
    await expect(client.spaces.getSpace({ spaceId: 'spc/../x?y#z' })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('spc/../x?y#z'),
    })
  })
})
