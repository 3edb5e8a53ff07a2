import { limits } from '@gateleg/domain/limits'
import { type HttpWorld, openHttpWorld } from '@gateleg/testing/http/http-world'
import type { TestAnswer } from '@gateleg/testing/http/send-request'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { type Person, testPassword } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'

const dayMs = 86_400_000

function cookieOf(answer: TestAnswer): string {
  return answer.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? ''
}

describeOnEveryStorage('callers', (storage) => {
  let world: HttpWorld
  let ada: Person

  beforeEach(async () => {
    world = await openHttpWorld(storage)
    ada = await world.newPerson('Ada')
  })
  afterEach(() => world.close())

  const signIn = () =>
    world.send({
      method: 'POST',
      path: '/api/auth/signin',
      body: { email: ada.email, password: testPassword },
    })
  const statusWith = async (headers: Record<string, string>, path = '/api/space') =>
    (await world.send({ method: 'GET', path, headers })).status

  test('[HTTP-10] knows a caller by a bearer token, however the scheme is written', async () => {
    for (const scheme of ['Bearer ', 'bearer ', 'BEARER  ']) {
      expect(await statusWith({ Authorization: scheme + ada.accessToken })).toBe(200)
    }
  })

  test('[HTTP-10] refuses a credential that is unknown, in any form', async () => {
    for (const Authorization of [
      'Bearer nobody',
      'Bearer ',
      `Bearer ${ada.accessToken}x`,
      `Bearer "${ada.accessToken}"`,
      `Bearer ${'x'.repeat(50_000)}`,
      ada.accessToken,
      'Basic YWRhOmFkYQ==',
    ]) {
      expect([Authorization, await statusWith({ Authorization })]).toEqual([Authorization, 401])
    }
    for (const Cookie of ['gateleg_session=', 'gateleg_session=nobody', 'gateleg_session', '=;=']) {
      expect([Cookie, await statusWith({ Cookie })]).toEqual([Cookie, 401])
    }
  })

  test('[HTTP-10] refuses a bad token even beside a good session', async () => {
    const Cookie = cookieOf(await signIn())
    expect(await statusWith({ Cookie })).toBe(200)
    expect(await statusWith({ Cookie, Authorization: 'Bearer nobody' })).toBe(401)
  })

  test('[HTTP-10] finds the session among other cookies, and takes none that is named alike', async () => {
    const token = ada.accessToken
    expect(await statusWith({ Cookie: `a=b; gateleg_session=${token};c=d` })).toBe(200)
    expect(await statusWith({ Cookie: `x_gateleg_session=${token}` })).toBe(401)
    expect(await statusWith({ Cookie: `gateleg_session2=${token}` })).toBe(401)
    expect(await statusWith({ Cookie: `a="gateleg_session=${token}"` })).toBe(401)
  })

  test('[HTTP-10] refuses a session that has ended or expired, at once', async () => {
    const Cookie = cookieOf(await signIn())
    expect(
      (await world.send({ method: 'POST', path: '/api/auth/signout', headers: { Cookie } })).status,
    ).toBe(200)
    expect(await statusWith({ Cookie })).toBe(401)
    const Authorization = `Bearer ${ada.accessToken}`
    world.clock.advance(limits.sessionDays * dayMs - 1)
    expect(await statusWith({ Authorization })).toBe(200)
    world.clock.advance(1)
    expect(await statusWith({ Authorization })).toBe(401)
  })

  test('[HTTP-11] accepts any credential on a public operation, and ignores it', async () => {
    for (const [index, headers] of [
      {},
      { Authorization: 'Bearer nobody' },
      { Authorization: `Bearer ${ada.accessToken}` },
      { Cookie: 'gateleg_session=nobody' },
    ].entries()) {
      const body = { email: `new${index}@example.com`, password: testPassword }
      const answer = await world.send({ method: 'POST', path: '/api/auth/signup', headers, body })
      expect(answer.status).toBe(201)
      expect(answer.json()).toMatchObject({ name: `new${index}`, email: body.email })
    }
  })

  test('[HTTP-12] gives the session as a cookie that scripts and other sites do not get', async () => {
    const answer = await signIn()
    expect(answer.headers['set-cookie']).toHaveLength(1)
    expect(answer.headers['set-cookie']?.[0]).toMatch(
      /^gateleg_session=\w{64}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/,
    )
    expect(cookieOf(answer)).toBe(`gateleg_session=${(answer.json() as Person).accessToken}`)
  })

  test('[HTTP-12] clears the cookie when the session is closed', async () => {
    const headers = { Cookie: cookieOf(await signIn()) }
    const answer = await world.send({ method: 'POST', path: '/api/auth/signout', headers })
    expect(answer.headers['set-cookie']).toEqual([
      'gateleg_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    ])
  })

  test('[HTTP-12] keeps the cookie from plain http where the public URL is https', async () => {
    const secured = await openHttpWorld(storage, { publicUrl: 'https://work.example' })
    const body = { email: 'eve@example.com', password: testPassword }
    const answer = await secured.send({ method: 'POST', path: '/api/auth/signup', body })
    expect(answer.headers['set-cookie']?.[0]).toMatch(/; Secure$/)
    expect(answer.headers['strict-transport-security']).toMatch(/^max-age=\d+/)
    await secured.close()
  })

  test('[HTTP-12] gives the session to the path of the public URL alone', async () => {
    const below = await openHttpWorld(storage, { publicUrl: 'http://work.example/tools' })
    const body = { email: 'eve@example.com', password: testPassword }
    const answer = await below.send({ method: 'POST', path: '/api/auth/signup', body })
    expect(answer.headers['set-cookie']?.[0]).toContain('; Path=/tools; ')
    await below.close()
  })

  test('[HTTP-13] refuses a change by cookie from another site, and does nothing', async () => {
    const Cookie = cookieOf(await signIn())
    const { host } = new URL(world.url)
    const create = (headers: Record<string, string>) =>
      world.send({ method: 'POST', path: '/api/space', headers: { Cookie, ...headers } })
    const before = world.events.length
    for (const headers of [
      { Origin: 'http://evil.example' },
      { Referer: 'http://evil.example/page' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
    ]) {
      expect((await create(headers)).status).toBe(403)
    }
    expect(world.events.length).toBe(before)
    expect((await create({ Origin: `http://${host}` })).status).toBe(201)
    expect((await create({})).status).toBe(201)
  })

  test('[HTTP-13] lets reads by cookie and changes by token through', async () => {
    const Origin = 'http://evil.example'
    expect(await statusWith({ Cookie: cookieOf(await signIn()), Origin })).toBe(200)
    const Cookie = cookieOf(await signIn())
    const headers = { Origin, 'Sec-Fetch-Site': 'cross-site', Cookie }
    const answer = await world.sendAs(ada, { method: 'POST', path: '/api/space', headers })
    expect(answer.status).toBe(201)
  })

  test('[HTTP-14] notes the address of the socket, whatever headers say', async () => {
    const headers = {
      'X-Forwarded-For': '6.6.6.6',
      Forwarded: 'for=6.6.6.6',
      'User-Agent': 'probe',
    }
    const body = { email: ada.email, password: testPassword }
    await world.send({ method: 'POST', path: '/api/auth/signin', headers, body })
    const sessions = await world.sendAs(ada, { method: 'GET', path: '/api/auth/session' })
    expect(sessions.text).not.toContain('6.6.6.6')
    expect(sessions.json()).toContainEqual(
      expect.objectContaining({ address: '127.0.0.1', userAgent: 'probe' }),
    )
  })
})
