import { anonymous } from '@gateleg/domain/access/actor'
import { DomainError } from '@gateleg/domain/errors'
import { sendRequest } from '@gateleg/testing/http/send-request'
import { afterEach, expect, test } from 'vitest'
import { createHttpApp, type HttpAppOptions, type ServedEngine } from '../create-http-app.ts'
import { type HttpServer, listen } from '../http-server.ts'
import { type CountForAll, RateLimit, type Standing } from './rate-limit.ts'

let server: HttpServer

afterEach(() => server?.close(0))

/** Serves an engine that knows the users ada and eve by their names. */
async function serve(options: Partial<HttpAppOptions>, countCalls?: CountForAll) {
  const engine: ServedEngine = {
    authenticate: async (credential) => {
      if (credential.startsWith('token-')) {
        const userId = credential.slice('token-'.length)
        return { kind: 'token', userId, tokenId: credential, scopes: new Set() }
      }
      return credential === 'nobody' ? anonymous : { kind: 'user', userId: credential }
    },
    call: async () => ({ accessToken: 'x' }),
    isHealthy: async () => true,
    giveWay: async () => undefined,
    ...(countCalls && { countCalls }),
  }
  const app = createHttpApp(engine, { logger: { info: () => {}, error: () => {} }, ...options })
  server = await listen({ app, host: '127.0.0.1', port: 0 })
}

async function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const answer = await sendRequest(server.url, { method, path, headers })
  if (answer.status === 429) {
    expect(answer.json()).toMatchObject({ code: 'too_many_requests' })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  }
  return answer.status
}

const as = (user: string, more: Record<string, string> = {}) => ({
  Authorization: `Bearer ${user}`,
  ...more,
})

/** Statuses of as many calls, one after another. */
async function times(count: number, call: () => Promise<number>): Promise<number[]> {
  const statuses: number[] = []
  for (let index = 0; index < count; index++) statuses.push(await call())
  return statuses
}

test('[HTTP-38] limits the calls of a user per second, however they come, and of nobody else', async () => {
  await serve({ callLimits: { perSecond: 3 } })
  const answers = await Promise.all([
    ...['ada', 'ada', 'token-ada', 'token-ada'].map((user) => ask('/api/space', as(user))),
    ask('/api/space', as('ada', { 'X-Forwarded-For': '1.2.3.4' })),
  ])
  expect(answers.toSorted()).toEqual([200, 200, 200, 429, 429])
  expect(await ask('/api/space', as('eve'))).toBe(200)
  expect(await ask('/health')).toBe(200)
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  expect(await ask('/api/space', as('ada'))).toBe(200)
})

test('[HTTP-38] limits those who do not say who they are by their address', async () => {
  await serve({ callLimits: { perSecond: 2 } })
  const guesses = await Promise.all(
    Array.from({ length: 4 }, () =>
      ask('/api/space', as('nobody', { 'X-Forwarded-For': '1.1.1.1' })),
    ),
  )
  expect(guesses.toSorted()).toEqual([401, 401, 429, 429])
})

test('[HTTP-38] has no limit per second where none is set', async () => {
  await serve({})
  expect(await times(50, () => ask('/api/space', as('ada')))).toEqual(Array(50).fill(200))
})

test('[HTTP-39] limits sign-ups and sign-ins from an address per minute, each by itself', async () => {
  await serve({ callLimits: { signUpsPerMinute: 2, signInsPerMinute: 1 } })
  const signUp = () => ask('/api/auth/signup', {}, 'POST')
  expect(await times(3, signUp)).toEqual([201, 201, 429])
  const code = () => ask('/api/auth/send-signup-verification-code', {}, 'POST')
  expect(await code()).toBe(429)
  const signIn = () => ask('/api/auth/signin', as('ada', { 'X-Forwarded-For': '1.1.1.1' }), 'POST')
  expect(await times(2, signIn)).toEqual([200, 429])
  expect(await ask('/api/space', as('ada'))).toBe(200)
})

test('[HTTP-180] limits calls about shares, and forms, from an address per minute, whoever calls', async () => {
  await serve({ callLimits: { shareCallsPerMinute: 4, sharedFormsPerMinute: 1 } })
  const share = '/api/share/shr0/view'
  const visit = (headers = {}) => ask(share, { 'X-Anonymous-User': `${Math.random()}`, ...headers })
  const send = () => ask(`${share}/form-submit`, { 'X-Forwarded-For': '1.1.1.1' }, 'POST')
  expect(await times(2, send)).toEqual([201, 429])
  expect([await visit(), await visit(as('ada')), await visit(as('eve'))]).toEqual([200, 200, 429])
  expect(await ask('/api/space', as('ada'))).toBe(200)
})

test('[HTTP-39] counts the callers of a trusted proxy by their own addresses', async () => {
  await serve({ callLimits: { signUpsPerMinute: 1 }, trustedProxies: ['127.0.0.0/8'] })
  const signUpFrom = (listed: string) =>
    ask('/api/auth/signup', { 'X-Forwarded-For': listed }, 'POST')
  expect(await signUpFrom('203.0.113.7')).toBe(201)
  expect(await signUpFrom('6.6.6.6, 203.0.113.7')).toBe(429)
  expect(await signUpFrom('203.0.113.8')).toBe(201)
  // Anybody has a whole network of them.
  expect(await signUpFrom('2a00:1:2:3::1')).toBe(201)
  expect(await signUpFrom('2a00:1:2:3::2')).toBe(429)
})

test('[HTTP-39] counts callers together beyond a number of them', async () => {
  const limit = new RateLimit({ name: 'few', calls: 2, seconds: 60, callersMost: 3 })
  for (const caller of ['a', 'b', 'c', 'd', 'e']) await limit.take(caller)
  await expect(limit.take('f')).rejects.toMatchObject({ code: 'too_many_requests' })
  await limit.take('a')
  await expect(limit.take('a')).rejects.toMatchObject({ code: 'too_many_requests' })
})

test('[HTTP-215] says of each limit how many calls it allows, and how many are left', async () => {
  await serve({ callLimits: { perSecond: 5, signInsPerMinute: 2 } })
  const signIn = () => sendRequest(server.url, { method: 'POST', path: '/api/auth/signin' })
  const [first, , last] = [await signIn(), await signIn(), await signIn()]
  expect(first.headers['ratelimit-policy']).toBe('"calls";q=5;w=1, "sign-ins";q=2;w=60')
  expect(first.headers.ratelimit).toMatch(/^"calls";r=4;t=1, "sign-ins";r=1;t=(60|59)$/)
  expect(last.status).toBe(429)
  expect(last.headers.ratelimit).toMatch(/"sign-ins";r=0;t=\d+$/)
  const seconds = Number(/t=(\d+)$/.exec(String(last.headers.ratelimit))?.[1])
  expect(Math.abs(seconds - Number(last.headers['retry-after']))).toBeLessThanOrEqual(1)
  const read = await sendRequest(server.url, {
    ...{ method: 'GET', path: '/api/space', headers: as('ada') },
  })
  expect(read.headers['ratelimit-policy']).toBe('"calls";q=5;w=1')
})

/** Counts calls as a storage does that several servers share. */
function sharedCount(windowMs = 60_000) {
  const counts = new Map<string, number>()
  const asked: string[] = []
  const countForAll: CountForAll = async ({ subject, most, calls = 1 }) => {
    asked.push(subject)
    const tries = (counts.get(subject) ?? 0) + calls
    counts.set(subject, tries)
    return { isGranted: tries <= most, left: Math.max(0, most - tries), msLeft: windowMs }
  }
  return { asked, countForAll }
}

const signIns = { name: 'sign-ins', calls: 3, seconds: 60 }

/** Whether each of so many calls was let through, and how many were left after it. */
async function takes(limit: RateLimit, count: number): Promise<string[]> {
  const stood: string[] = []
  for (let index = 0; index < count; index++) {
    let left = ''
    const tell = (standing: Standing) => {
      left = standing.left.replace('"sign-ins";', '')
    }
    const outcome = await limit.take('address:1.2.3.4', tell).then(
      () => 'in',
      ({ code, data }) => `${code} ${data.retryAfterSeconds}`,
    )
    stood.push(`${outcome} ${left}`)
  }
  return stood
}

test('[HTTP-230] counts calls of all servers together, and says how many of them are left', async () => {
  const { countForAll } = sharedCount(40_000)
  const [one, two] = [
    new RateLimit({ ...signIns, countForAll }),
    new RateLimit({ ...signIns, countForAll }),
  ]
  expect(await takes(one, 2)).toEqual(['in r=2;t=40', 'in r=1;t=40'])
  const refused = 'too_many_requests 40 r=0;t=40'
  expect(await takes(two, 3)).toEqual(['in r=0;t=40', refused, refused])
})

test('[HTTP-230] asks about no more calls of a caller than may be, and about none after a refusal', async () => {
  const flood = sharedCount()
  await takes(new RateLimit({ ...signIns, countForAll: flood.countForAll }), 50)
  expect(flood.asked).toEqual(Array(3).fill('sign-ins:address:1.2.3.4'))
  const { asked, countForAll } = sharedCount()
  await takes(new RateLimit({ ...signIns, countForAll }), 3)
  await takes(new RateLimit({ ...signIns, countForAll }), 50)
  expect(asked).toHaveLength(4)
})

test('[HTTP-230] asks again when the count of all has ended, not later', async () => {
  const { asked, countForAll } = sharedCount(50)
  await takes(new RateLimit({ ...signIns, countForAll }), 3)
  const other = new RateLimit({ ...signIns, countForAll })
  await takes(other, 2)
  expect(asked).toHaveLength(4)
  await new Promise((resolve) => setTimeout(resolve, 60))
  await takes(other, 1)
  expect(asked).toHaveLength(5)
})

test('[HTTP-230] refuses what can not be counted, and tells what the server allows where it is stricter', async () => {
  const away = new DomainError('database_connection_unavailable', 'away')
  const limit = new RateLimit({ ...signIns, countForAll: () => Promise.reject(away) })
  await expect(limit.take('ada')).rejects.toBe(away)
  const anew: CountForAll = async () => ({ isGranted: true, left: 2, msLeft: 60_000 })
  const stood = await takes(new RateLimit({ ...signIns, countForAll: anew }), 4)
  expect(stood).toEqual([
    ...['in r=2;t=60', 'in r=1;t=60', 'in r=0;t=60'],
    'too_many_requests 60 r=0;t=60',
  ])
})

test('[HTTP-230] counts sign-ups, sign-ins and forms one by one', async () => {
  const { asked, countForAll } = sharedCount()
  await serve({ callLimits: { perSecond: 100 } }, countForAll)
  for (const path of ['signup', 'signin', 'signin']) await ask(`/api/auth/${path}`, {}, 'POST')
  await ask('/api/share/shr0/view/form-submit', {}, 'POST')
  expect(asked).toEqual(
    ['sign-ups', 'sign-ins', 'sign-ins', 'forms'].map((name) => `${name}:address:127.0.0.1`),
  )
})

test('[HTTP-241] counts calls per second, and about shares, by tenths of what is allowed', async () => {
  const { asked, countForAll } = sharedCount()
  await serve({ callLimits: { perSecond: 30, shareCallsPerMinute: 20 } }, countForAll)
  await times(2, () => ask('/api/space', as('ada')))
  expect(asked).toEqual([])
  await ask('/api/space', as('ada'))
  expect(asked).toEqual(['calls:user:ada'])
  await times(2, () => ask('/api/share/shr0/view'))
  expect(asked.slice(1)).toEqual(['shares:address:127.0.0.1'])
})

const often = { name: 'calls', calls: 40, seconds: 60, countedTogether: 4 }

test('[HTTP-241] refuses what all servers together had too much of, give or take a tenth of each', async () => {
  const { countForAll } = sharedCount()
  const servers = Array.from({ length: 5 }, () => new RateLimit({ ...often, countForAll }))
  const flood = await Promise.allSettled(
    servers.flatMap((server) => Array.from({ length: 40 }, () => server.take('user:ada'))),
  )
  const granted = flood.filter(({ status }) => status === 'fulfilled').length
  expect(granted).toBeGreaterThanOrEqual(40)
  expect(granted).toBeLessThanOrEqual(40 + 5 * 4)
  await expect(servers[0]?.take('user:ada')).rejects.toMatchObject({ code: 'too_many_requests' })
  await servers[0]?.take('user:eve')
})

test('[HTTP-241] has calls wait for a count that is under way, and refuses them with it', async () => {
  const { promise: counted, resolve: count } = Promise.withResolvers<void>()
  const countForAll: CountForAll = async () => {
    await counted
    return { isGranted: false, left: 0, msLeft: 30_000 }
  }
  const limit = new RateLimit({ ...often, countForAll })
  const flood = Array.from({ length: 10 }, () => limit.take('user:ada'))
  await Promise.all(flood.splice(0, 3))
  const rest = Promise.allSettled(flood)
  await limit.take('user:eve')
  count()
  expect((await rest).map(({ status }) => status)).toEqual(Array(7).fill('rejected'))
})

test('[HTTP-241] refuses the calls that wait for a count that fails, and none after it', async () => {
  let isAway = true
  const countForAll: CountForAll = async () => {
    if (isAway) throw new DomainError('database_connection_unavailable', 'away')
    return { isGranted: true, left: 9, msLeft: 30_000 }
  }
  const limit = new RateLimit({ ...often, countForAll })
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => limit.take('user:ada')))
  expect(outcomes.map(({ status }) => status)).toEqual([
    ...Array(3).fill('fulfilled'),
    ...Array(2).fill('rejected'),
  ])
  isAway = false
  await limit.take('user:ada')
})

test('[HTTP-242] limits the calls of each token, within those of its user', async () => {
  await serve({ callLimits: { perSecond: 5, perSecondOfToken: 2 } })
  expect(await times(4, () => ask('/api/space', as('token-ada')))).toEqual([200, 200, 429, 429])
  expect(await times(4, () => ask('/api/space', as('ada')))).toEqual([200, 200, 200, 429])
  expect(await ask('/api/space', as('token-eve'))).toBe(200)
})

test('[HTTP-215] says nothing of limits where there is none', async () => {
  await serve({})
  const { headers } = await sendRequest(server.url, {
    ...{ method: 'GET', path: '/api/space', headers: as('ada') },
  })
  expect([headers.ratelimit, headers['ratelimit-policy']]).toEqual([undefined, undefined])
})
