import { spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { FetchRefusal } from '@gateleg/domain/attachments/files/file-fetcher'
import { limits } from '@gateleg/domain/limits'
import { afterEach, expect, test } from 'vitest'
import { AddressPolicy } from './address-policy.ts'
import { hostileNames, hostileUrls } from './hostile-urls.ts'
import { WebFileFetcher, type WebFileOptions } from './web-file-fetcher.ts'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Listens on an address of this machine; counts what connects to it. */
async function listenOn(host: string, server: Server, port = 0) {
  const counts = { connections: 0, open: 0 }
  server.on('connection', (socket) => {
    counts.connections++
    counts.open++
    socket.on('close', () => counts.open--)
    socket.on('error', () => undefined)
  })
  servers.push(server)
  server.listen(port, host)
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, counts }
}

/** A server at 127.0.0.2, which the fetchers of these tests may connect to, and a fetcher for it. */
async function serving(listener: RequestListener, options: WebFileOptions = {}) {
  const { port, counts } = await listenOn('127.0.0.2', createHttpServer(listener))
  const fetcher = new WebFileFetcher({ allow: ['127.0.0.2'], ...options })
  return { url: `http://127.0.0.2:${port}`, port, counts, fetcher }
}

const answering = (body: string | Buffer, headers: Record<string, string> = {}, status = 200) =>
  serving((_request, response) => response.writeHead(status, headers).end(body))

const ask = (fetcher: WebFileFetcher, url: string, most = 1_000_000) =>
  fetcher.fetch({ url, most, caller: 'usrAda' })

async function readAll(fetcher: WebFileFetcher, url: string) {
  const file = await ask(fetcher, url)
  try {
    const pieces: Uint8Array[] = []
    for await (const piece of file.stream()) pieces.push(piece)
    return { name: file.name, bytes: Buffer.concat(pieces) }
  } finally {
    file.end()
  }
}

const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no refusal',
    (error: unknown) => (error instanceof FetchRefusal ? error.message : error),
  )

/** The sockets that were opened while the work went on, by whoever. */
async function socketsDuring(work: () => Promise<unknown>): Promise<number> {
  let sockets = 0
  const count = () => {
    sockets++
  }
  subscribe('net.client.socket', count)
  try {
    await work()
  } finally {
    unsubscribe('net.client.socket', count)
  }
  return sockets
}

test('[FETCH-1] [FETCH-4] of a thousand hostile URLs none makes a connection', async () => {
  const trap = await listenOn('::', createServer())
  const asked = new Set<string>()
  const fetcher = new WebFileFetcher({
    resolve: async (name) => {
      asked.add(name)
      return hostileNames[name] ?? []
    },
  })
  const urls = hostileUrls(trap.port)
  expect(new Set(urls).size).toBeGreaterThan(1_000)
  const passed: string[] = []
  const sockets = await socketsDuring(async () => {
    for (const url of urls) {
      const refusal = await refusalOf(ask(fetcher, url))
      if (typeof refusal !== 'string' || !/^must (?:lead to a public|be a URL)/.test(refusal)) {
        passed.push(`${url}: ${refusal}`)
      }
    }
  })
  expect(passed).toEqual([])
  expect([sockets, trap.counts.connections]).toEqual([0, 0])
  // No address was taken for a name, however it was written.
  expect([...asked].filter((name) => /^[\d.x]+$/i.test(name))).toEqual([])
})

test('[FETCH-1] the trap of that table is one: an address that is allowed gets there', async () => {
  const trap = await listenOn(
    '::',
    createServer((socket) => socket.destroy()),
  )
  const fetcher = new WebFileFetcher({ allow: ['127.0.0.0/8'] })
  const sockets = await socketsDuring(() => refusalOf(ask(fetcher, `http://0x7f.1:${trap.port}/`)))
  expect([sockets, trap.counts.connections]).toEqual([1, 1])
})

test('[FETCH-1] public addresses are open, and networks that are named', () => {
  const policy = new AddressPolicy(['10.1.0.0/16', 'fd00:1::/32', '127.0.0.2'])
  for (const open of ['1.1.1.1', '8.8.8.8', '93.184.216.34', '172.15.0.1', '172.32.0.1']) {
    expect([open, policy.allows(open)]).toEqual([open, true])
  }
  for (const open of ['2606:4700::1111', '2a00:1450:4001::1', '10.1.2.3', 'fd00:1::5']) {
    expect([open, policy.allows(open)]).toEqual([open, true])
  }
  for (const closed of ['10.2.0.1', 'fd00:2::1', '127.0.0.1', '::ffff:127.0.0.1', 'fd00:1::5%1']) {
    expect([closed, policy.allows(closed)]).toEqual([closed, false])
  }
  for (const wrong of ['10.0.0.0/33', 'name', '10.0.0.0/', '10.0.0.0/8/8', '::1/129', '1/8']) {
    expect(() => new AddressPolicy([wrong])).toThrow(TypeError)
  }
})

test('[FETCH-2] a name is looked up once, and what it says later changes nothing', async () => {
  const trap = await listenOn(
    '127.0.0.1',
    createServer((socket) => socket.destroy()),
  )
  let times = 0
  const { counts } = await listenOn(
    '127.0.0.2',
    createHttpServer((request, response) => response.end(request.headers.host)),
    trap.port,
  )
  const fetcher = new WebFileFetcher({
    allow: ['127.0.0.2'],
    resolve: async () => (times++ === 0 ? ['127.0.0.2'] : ['127.0.0.1']),
  })
  const url = `http://changes.example:${trap.port}/a.txt`
  const { bytes } = await readAll(fetcher, url)
  expect(bytes.toString()).toBe(`changes.example:${trap.port}`)
  expect([times, counts.connections, trap.counts.connections]).toEqual([1, 1, 0])
  expect(await refusalOf(ask(fetcher, url))).toBe('must lead to a public address')
  expect(trap.counts.connections).toBe(0)
})

test('[FETCH-3] a redirect is checked as the first URL is', async () => {
  const trap = await listenOn(
    '127.0.0.1',
    createServer((socket) => socket.destroy()),
  )
  const targets = [
    `http://127.0.0.1:${trap.port}/`,
    `//127.0.0.1:${trap.port}/`,
    `http://[::ffff:127.0.0.1]:${trap.port}/`,
    `http://2130706433:${trap.port}/`,
    `http://loopback.example:${trap.port}/`,
    'http://169.254.169.254/latest/meta-data/',
    'file:///etc/passwd',
    `http://name:word@127.0.0.2/`,
    'http://[',
  ]
  const { url, fetcher } = await serving(
    ({ url = '/' }, response) => {
      const place = targets[Number(url.slice(1))] ?? '/0'
      response.writeHead(302, { Location: place }).end('not read')
    },
    { allow: ['127.0.0.2'], resolve: async () => ['127.0.0.1'] },
  )
  for (const [index, target] of targets.entries()) {
    const refusal = await refusalOf(ask(fetcher, `${url}/${index}`))
    expect([target, refusal]).toEqual([
      target,
      expect.stringMatching(/^must (be a URL|lead to a p)/),
    ])
  }
  expect(trap.counts.connections).toBe(0)
})

test('[FETCH-3] [FETCH-8] follows five redirects and no more', async () => {
  const { url, fetcher, counts } = await serving(({ url = '/' }, response) => {
    const left = Number(url.slice(1))
    if (left === 0) response.end('there')
    else response.writeHead(left % 2 ? 301 : 307, { Location: `/${left - 1}` }).end()
  })
  expect(await readAll(fetcher, `${url}/5`)).toEqual({ name: '0', bytes: Buffer.from('there') })
  expect(await refusalOf(ask(fetcher, `${url}/6`))).toBe(
    'must lead to a file through 5 redirects at most',
  )
  expect(counts.connections).toBe(12)
  await expect.poll(() => counts.open).toBe(0)
})

test('[FETCH-5] gives up what does not begin, does not end, or breaks off', async () => {
  const times = { startMs: 150, totalMs: 600 }
  const { url, fetcher, counts, port } = await serving(({ url }, response) => {
    if (url === '/silent') return
    if (url === '/hints') {
      const timer = setInterval(() => response.writeProcessing(), 40)
      response.on('close', () => clearInterval(timer))
      return
    }
    response.writeHead(200, url === '/broken' ? { 'Content-Length': '100' } : {})
    response.write('x'.repeat(10))
    if (url === '/broken') setTimeout(() => response.destroy(), 20)
    if (url !== '/endless') return
    const timer = setInterval(() => response.write('x'.repeat(100_000)), 1)
    response.on('close', () => clearInterval(timer))
  }, times)
  for (const path of ['/silent', '/hints', '/slow', '/endless']) {
    expect([path, await refusalOf(readAll(fetcher, url + path))]).toEqual([
      path,
      'must lead to a file that arrives in time: it arrived too slowly',
    ])
  }
  expect(await refusalOf(readAll(fetcher, `${url}/broken`))).toBe(
    'must lead to a file: none could be read from this address',
  )
  await expect.poll(() => counts.open).toBe(0)
  const never = new WebFileFetcher({
    ...{ startMs: 100, resolve: (_name, signal) => once(signal, 'abort').then(() => []) },
  })
  expect(await refusalOf(ask(never, `http://slow.example:${port}/`))).toMatch(/too slowly$/)
})

test('[FETCH-6] refuses more bytes than a file may have, when they are told', async () => {
  const { url, fetcher } = await answering('x'.repeat(1_001), { 'Content-Length': '1001' })
  await expect(ask(fetcher, url, 1_000)).rejects.toMatchObject({ code: 'payload_too_large' })
  const file = await ask(fetcher, url, 1_001)
  file.end()
})

test('[FETCH-7] asks for a file as it is, and refuses one that is compressed', async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000))
  const { url, fetcher } = await serving((request, response) => {
    const encoding = request.url?.slice(1) ?? ''
    expect(request.headers['accept-encoding']).toBe('identity')
    response.writeHead(200, { 'Content-Encoding': encoding }).end(bomb)
  })
  for (const encoding of ['gzip', 'x-gzip', 'deflate', 'br', 'zstd', 'gzip,%20gzip', 'GZIP']) {
    expect(await refusalOf(ask(fetcher, `${url}/${encoding}`))).toMatch(
      /without a Content-Encoding$/,
    )
  }
  expect((await readAll(fetcher, `${url}/identity`)).bytes).toHaveLength(bomb.length)
})

test('[FETCH-8] takes the name from the answer, else from the path', async () => {
  const names: readonly (readonly [path: string, disposition: string, name: string])[] = [
    ['/a/photo.png?size=1#x', '', 'photo.png'],
    ['/a/%C3%A4%20b.txt', '', 'ä b.txt'],
    ['/a/100%', '', '100%'],
    ['/a/', '', 'downloaded_file'],
    ['/x', 'attachment; filename="re \\"port\\".pdf"', 're "port".pdf'],
    ['/x', 'attachment; filename=plain.pdf; size=1', 'plain.pdf'],
    ['/x', `attachment; filename="a.pdf"; filename*=UTF-8'de'%C3%A4.pdf`, 'ä.pdf'],
    ['/x.txt', 'attachment', 'x.txt'],
  ]
  for (const [path, disposition, name] of names) {
    const { url, fetcher } = await answering('x', {
      ...(disposition && { 'Content-Disposition': disposition }),
    })
    expect((await readAll(fetcher, url + path)).name).toBe(name)
  }
})

test('[FETCH-9] says nothing of what was not reached', async () => {
  const closed = await listenOn('127.0.0.2', createServer())
  servers.splice(0).map((server) => server.close())
  const rude = await listenOn(
    '127.0.0.2',
    createServer((socket) => socket.end('SSH-2.0-x\r\n')),
  )
  const fetcher = new WebFileFetcher({ allow: ['127.0.0.2'], resolve: async () => [] })
  const ways = [`http://127.0.0.2:${closed.port}`, `http://127.0.0.2:${rude.port}`]
  for (const url of [...ways, `https://127.0.0.2:${rude.port}`]) {
    expect(await refusalOf(ask(fetcher, url))).toBe(
      'must lead to a file: none could be read from this address',
    )
  }
  expect(await refusalOf(ask(fetcher, 'http://no-such-name.example/'))).toBe(
    await refusalOf(ask(fetcher, 'http://127.0.0.1/')),
  )
})

test('[FETCH-10] asks no proxy of the environment', async () => {
  const proxy = await listenOn(
    '127.0.0.1',
    createServer((socket) => socket.destroy()),
  )
  const { url } = await answering('directly')
  const program = `
    import { WebFileFetcher } from ${JSON.stringify(join(import.meta.dirname, 'web-file-fetcher.ts'))}
    const fetcher = new WebFileFetcher({ allow: ['127.0.0.2'] })
    const file = await fetcher.fetch({ url: ${JSON.stringify(url)}, most: 100, caller: 'x' })
    for await (const piece of file.stream()) process.stdout.write(piece)
    file.end()`
  const place = `http://127.0.0.1:${proxy.port}`
  const env = { HTTP_PROXY: place, http_proxy: place, ALL_PROXY: place, NODE_USE_ENV_PROXY: '1' }
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let words = ''
  child.stdout.on('data', (piece) => {
    words += piece
  })
  await once(child, 'close')
  expect([words, proxy.counts.connections]).toEqual(['directly', 0])
})

test('[FETCH-11] fetches so many files at one time, for one caller and for all', async () => {
  const { url, fetcher } = await answering('x')
  const fetched = []
  for (let caller = 0; caller < limits.fetchesAtOnce / limits.fetchesPerCaller; caller++) {
    const request = { url, most: 1, caller: `usr${caller}` }
    for (let time = 0; time < limits.fetchesPerCaller; time++) {
      fetched.push(await fetcher.fetch(request))
    }
    await expect(fetcher.fetch(request)).rejects.toMatchObject({ code: 'service_busy' })
  }
  await expect(ask(fetcher, url)).rejects.toMatchObject({ code: 'service_busy' })
  for (const file of fetched.slice(0, 2)) {
    file.end()
    file.end()
  }
  const after = [await ask(fetcher, url), await ask(fetcher, url)]
  await expect(ask(fetcher, url)).rejects.toMatchObject({ code: 'service_busy' })
  for (const file of [...fetched, ...after]) file.end()
  for (let times = 0; times < 40; times++) await refusalOf(ask(fetcher, 'http://10.0.0.1/'))
  expect((await readAll(fetcher, url)).bytes).toHaveLength(1)
})

test('[FETCH-12] reads nothing of what is no file, and no more than is asked for', async () => {
  for (const status of [201, 204, 206, 304, 400, 404, 500]) {
    const { url, fetcher, counts } = await answering('', {}, status)
    expect(await refusalOf(ask(fetcher, url))).toBe(`must lead to a file: it answers ${status}`)
    await expect.poll(() => counts.open).toBe(0)
  }
  const { url, fetcher, counts } = await answering('x'.repeat(10_000_000))
  const file = await ask(fetcher, url, 10_000_000)
  for await (const piece of file.stream()) {
    expect(piece.length).toBeGreaterThan(0)
    break
  }
  file.end()
  await expect.poll(() => counts.open).toBe(0)
})
