import { limits } from '@gateleg/domain/limits'
import { sendRequest, type TestRequest } from '@gateleg/testing/http/send-request'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openWorld, testPassword, type World } from '@gateleg/testing/worlds/world'
import express, { type Handler } from 'express'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createHttpApp } from './create-http-app.ts'
import { type HttpServer, listen } from './http-server.ts'

describeOnEveryStorage('in the app of another program', (storage) => {
  let world: World
  let servers: HttpServer[]

  beforeEach(async () => {
    world = await openWorld(storage)
    servers = []
  })
  afterEach(async () => {
    for (const server of servers) await server.close(0)
    await world.close()
  })

  /** Serves the engine below `/gateleg`, behind the given handlers. */
  async function mountBehind(...before: Handler[]) {
    const app = express()
    if (before.length > 0) app.use(...before)
    app.use('/gateleg', createHttpApp(world.engine))
    const server = await listen({ app, host: '127.0.0.1', port: 0 })
    servers.push(server)
    return (request: TestRequest) => sendRequest(server.url, request)
  }

  const signUp = (body: unknown, headers?: Record<string, string>): TestRequest => ({
    method: 'POST',
    path: '/gateleg/api/auth/signup',
    body,
    ...(headers && { headers }),
  })
  const credentials = { email: 'ada@example.com', password: testPassword }

  test('[HTTP-50] has the script of the front page below the mount', async () => {
    const send = await mountBehind()
    const headers = { Accept: 'text/html' }
    for (const path of ['/gateleg', '/gateleg/']) {
      const { text } = await send({ method: 'GET', path, headers })
      expect(text).toContain('src="/gateleg/front-page.js" data-api="/gateleg/api"')
    }
    expect((await send({ method: 'GET', path: '/gateleg/front-page.js' })).status).toBe(200)
  })

  test('[HTTP-52] says where operations are as the caller sees it', async () => {
    const send = await mountBehind()
    const message =
      'There is nothing at this path: operations are below /gateleg/api, and told of at /gateleg/docs'
    expect((await send({ method: 'GET', path: '/gateleg/nothing' })).json()).toMatchObject({
      status: 404,
      message,
    })
  })

  test('[HTTP-33] takes the body that was parsed before the mount', async () => {
    const send = await mountBehind(express.json())
    expect((await send(signUp(credentials))).status).toBe(201)
  })

  test('[HTTP-33] takes the body that was read before the mount, as bytes or as text', async () => {
    for (const [index, read] of [express.raw, express.text].entries()) {
      const send = await mountBehind(read({ type: 'application/json' }))
      const email = `reader${index}@example.com`
      expect((await send(signUp({ ...credentials, email }))).status).toBe(201)
      expect((await send(signUp('{"email":'))).status).toBe(400)
    }
  })

  test('[HTTP-33] holds a parsed body to the rules of any other', async () => {
    const send = await mountBehind(express.json({ strict: false, limit: '100mb' }))
    const nested = `{"a":${'['.repeat(limits.jsonDepth)}${']'.repeat(limits.jsonDepth)}}`
    expect((await send(signUp(nested))).json()).toMatchObject({ code: 'validation_error' })
    expect((await send(signUp('[]'))).json()).toMatchObject({ code: 'validation_error' })
    expect((await send(signUp('5'))).json()).toMatchObject({ code: 'validation_error' })
    const polluting = JSON.stringify(credentials).replace('{', '{"__proto__":{"inviteCode":5},')
    expect((await send(signUp(polluting))).status).toBe(201)
  })

  test('[HTTP-33] leaves it to the server to ask for the body that is read before the mount', async () => {
    const send = await mountBehind(express.json())
    expect((await send(signUp(credentials, { Expect: '100-continue' }))).status).toBe(201)
  })

  test('[HTTP-33] refuses a form, though it was parsed', async () => {
    const send = await mountBehind(express.urlencoded())
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const answer = await send(signUp('email=ada%40example.com&password=correct+horse+1', headers))
    expect(answer.json()).toMatchObject({ status: 415, code: 'unsupported_media_type' })
  })

  test('[HTTP-33] says at once what to do when the body was read and is not there', async () => {
    const swallow: Handler = (request, _response, next) => {
      request.resume().on('end', next)
    }
    const send = await mountBehind(swallow)
    const answer = await send(signUp(credentials))
    expect(answer.json()).toMatchObject({ status: 500, code: 'internal_server_error' })
    expect(answer.text).toContain('mount Gateleg before')
    expect((await send({ method: 'POST', path: '/gateleg/api/space' })).status).toBe(401)
  })

  test('[HTTP-33] reads the body itself behind what only prepares a place for it', async () => {
    const prepare: Handler = (request, _response, next) => {
      request.body = {}
      next()
    }
    const send = await mountBehind(prepare)
    expect((await send(signUp(credentials))).status).toBe(201)
  })

  test('[HTTP-12] gives the session to the mount alone', async () => {
    const send = await mountBehind()
    const opened = await send(signUp(credentials))
    const cookie = opened.headers['set-cookie']?.[0] ?? ''
    expect(cookie).toMatch(/^gateleg_session=\w+; Path=\/gateleg; /)
    const headers = { Cookie: cookie.split(';', 1)[0] ?? '' }
    const closed = await send({ method: 'POST', path: '/gateleg/api/auth/signout', headers })
    expect(closed.headers['set-cookie']?.[0]).toMatch(/^gateleg_session=; Path=\/gateleg; /)
  })

  test('[HTTP-12] lets no caller write attributes of the cookie by a mount with a parameter', async () => {
    const app = express().use('/:tenant', createHttpApp(world.engine))
    const server = await listen({ app, host: '127.0.0.1', port: 0 })
    servers.push(server)
    const request = { ...signUp(credentials), path: '/a;Domain=example.com/api/auth/signup' }
    const { headers } = await sendRequest(server.url, request)
    expect(headers['set-cookie']?.[0]).toMatch(/^gateleg_session=\w+; Path=\/; /)
  })

  test('[HTTP-34] says at the mount what this is, with links that lead there', async () => {
    const send = await mountBehind()
    for (const path of ['/gateleg', '/gateleg/']) {
      const { docs } = (await send({ method: 'GET', path })).json() as { docs: string }
      expect(docs).toBe('/gateleg/docs')
      const headers = { Accept: 'text/html' }
      const page = await send({ method: 'GET', path, headers })
      expect(page.text).toContain('href="/gateleg/docs"')
    }
    expect((await send({ method: 'GET', path: '/gateleg/docs' })).status).toBe(200)
  })

  test('[HTTP-55] says what an engine, options, a public URL and trusted proxies must be', async () => {
    const { engine } = world
    for (const publicUrl of ['example.com', 'localhost:3000', '/work', '']) {
      expect(() => createHttpApp(engine, { publicUrl })).toThrow('it must begin with http://')
    }
    for (const trustedProxies of ['10.0.0.1', ['10.0.0'], ['10.0.0.1/64'], [1]]) {
      expect(() => createHttpApp(engine, { trustedProxies: trustedProxies as never })).toThrow(
        'trustedProxies takes a list of addresses and networks',
      )
    }
    for (const none of [undefined, {}, { engine }]) {
      expect(() => createHttpApp(none as never)).toThrow('createHttpApp needs an engine')
    }
    expect(() => createHttpApp(engine, { publicURL: 'https://example.com' } as never)).toThrow(
      new TypeError('createHttpApp has an unknown option publicURL: did you mean publicUrl?'),
    )
    const listening = listen({ app: express(), host: '127.0.0.1', port: 0, prot: 1 } as never)
    await expect(listening).rejects.toThrow(
      new TypeError('listen has an unknown option prot: did you mean port?'),
    )
    expect(() => createHttpApp(engine, { loger: undefined } as never)).toThrow(
      'did you mean logger?',
    )
    createHttpApp(engine, { publicUrl: 'https://example.com/work', trustedProxies: ['10.0.0.0/8'] })
  })
})
