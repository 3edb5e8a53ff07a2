import { spawn } from 'node:child_process'
import { type EventEmitter, once } from 'node:events'
import { Agent, get, type IncomingMessage, type RequestListener } from 'node:http'
import { createConnection } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { withLimits } from '@gateleg/testing/with-limits'
import { expect, test } from 'vitest'
import { listen } from './http-server.ts'

const agent = new Agent({ keepAlive: true })

function fetchStatus(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const onAnswer = (answer: IncomingMessage) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    }
    get(url, { agent }, onAnswer).on('error', reject)
  })
}

/** An app whose answers wait until they are let go. */
function holdingApp() {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const { promise: letGo, resolve: release } = Promise.withResolvers<void>()
  const app: RequestListener = (_request, response) => {
    arrive()
    letGo.then(() => response.end('done'))
  }
  return { app, arrived, release }
}

async function nextTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await setImmediate()
}

test('[HTTP-31] answers what is under way and takes nothing new while it closes', async () => {
  const { app, arrived, release } = holdingApp()
  const { url, close } = await listen({ app, host: '127.0.0.1', port: 0 })
  const underWay = fetchStatus(url)
  await arrived
  const closing = close(60_000)
  await nextTurns(3)
  await expect(fetchStatus(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  release()
  expect(await underWay).toBe(200)
  await closing
})

test('[HTTP-31] cuts off what is not done by the deadline', async () => {
  const { app, arrived } = holdingApp()
  const { url, close } = await listen({ app, host: '127.0.0.1', port: 0 })
  const cutOff = expect(fetchStatus(url)).rejects.toMatchObject({ code: 'ECONNRESET' })
  await arrived
  await close(10)
  await cutOff
})

test('[HTTP-31] closes at once where there are no connections, and soon where they are idle', async () => {
  const app: RequestListener = (_request, response) => response.end()
  for (const isIdle of [false, true]) {
    const { url, close } = await listen({ app, host: '127.0.0.1', port: 0 })
    if (isIdle) expect(await fetchStatus(url)).toBe(200)
    const beganMs = performance.now()
    await close(60_000)
    expect(performance.now() - beganMs).toBeLessThan(isIdle ? 5_000 : 500)
    await expect(fetchStatus(url)).rejects.toThrow()
  }
})

test('[HTTP-331] answers what comes on open connections while it closes, and says that these end', async () => {
  const { app, arrived, release } = holdingApp()
  const { url, close } = await listen({ app, host: '127.0.0.1', port: 0 })
  const open = async () => {
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1')
    await once(socket, 'connect')
    const ask = () => socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    const answers = (async () => {
      let text = ''
      for await (const piece of socket) text += piece
      return text
    })()
    return { ask, answers }
  }
  const [busy, idle] = [await open(), await open()]
  busy.ask()
  await arrived
  const closing = close(60_000)
  idle.ask()
  release()
  for (const { answers } of [busy, idle]) {
    expect(await answers).toMatch(/^HTTP\/1\.1 200 .*^Connection: close.*done/ms)
  }
  await closing
})

test('[HTTP-331] answers what had connected before it began to close, accepted or not', async () => {
  const app: RequestListener = (_request, response) => response.end('done')
  const { url, close } = await listen({ app, host: '127.0.0.1', port: 0 })
  const { hostname, port } = new URL(url)
  // Another process connects while this one is busy: it can't accept anybody meanwhile.
  const connections = 20
  const script = `
    const { writeSync } = require('node:fs')
    for (let count = 0; count < ${connections}; count++) {
      const socket = require('node:net').connect(${port}, '${hostname}')
      socket.write('GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n')
      socket.on('data', (data) => writeSync(1, String(data).slice(0, 13) + 'answered.'))
      socket.on('error', ({ code }) => writeSync(1, code))
    }`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const output = (async () => {
    let text = ''
    for await (const piece of child.stdout) text += piece
    return text
  })()
  const untilMs = performance.now() + 1_000
  while (performance.now() < untilMs);
  await close(60_000)
  expect(await output).toBe('HTTP/1.1 200 answered.'.repeat(connections))
})

test('[HTTP-32] rejects when the port is taken', async () => {
  const app: RequestListener = (_request, response) => response.end()
  const { url, close } = await listen({ app, host: '127.0.0.1', port: 0 })
  const port = Number(new URL(url).port)
  await expect(listen({ app, host: '127.0.0.1', port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  })
  await close(0)
})

test('[HTTP-43] goes on when a connection can’t be taken, and says so', async () => {
  const heard: unknown[] = []
  const failure = new Error('no more files may be open')
  const app: RequestListener = (request, response) => {
    const { server } = request.socket as unknown as { readonly server: EventEmitter }
    server.emit('error', failure)
    response.end('done')
  }
  const { url, close } = await listen({
    app,
    host: '127.0.0.1',
    port: 0,
    onError: (error) => heard.push(error),
  })
  expect(await fetchStatus(url)).toBe(200)
  expect(heard).toEqual([failure])
  await close(0)
})

test('[HTTP-46] closes a connection over which nothing is asked any more', async () => {
  const app: RequestListener = (_request, response) => response.end('done')
  const usual = await listen({ app, host: '127.0.0.1', port: 0 })
  const { headers } = await fetch(usual.url)
  expect(headers.get('Keep-Alive')).toBe('timeout=65')
  await usual.close(0)
  const { url, close } = await withLimits({ keepAliveSeconds: 0.05 }, () =>
    listen({ app, host: '127.0.0.1', port: 0 }),
  )
  const socket = createConnection(Number(new URL(url).port), '127.0.0.1')
  const ask = async () => {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    return String(await once(socket, 'data'))
  }
  expect(await ask()).toContain('done')
  // Kept for the next request, and closed in order, not reset.
  expect(await ask()).toContain('done')
  await once(socket, 'end')
  socket.destroy()
  await close(0)
})

test('[HTTP-53] closes connections over which no request comes, or but the beginning of one', async () => {
  const app: RequestListener = (_request, response) => response.end('done')
  const { url, close } = await withLimits({ headersSeconds: 0.1 }, () =>
    listen({ app, host: '127.0.0.1', port: 0 }),
  )
  for (const beginning of ['', 'GET / HTTP/1.1\r\nHost: a\r\n']) {
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1')
    socket.write(beginning)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s)
    await once(socket, 'close')
  }
  await close(0)
})

test('[HTTP-54] takes so many connections of one address, and any number of a proxy', async () => {
  const app: RequestListener = (_request, response) => response.end('done')
  const taken = async (isProxy: boolean) => {
    const { url, close } = await listen({
      app,
      host: '127.0.0.1',
      port: 0,
      isProxy: (address) => isProxy && address === '127.0.0.1',
    })
    const connected = () => {
      const socket = createConnection(Number(new URL(url).port), '127.0.0.1')
      const asked = new Promise<boolean>((resolve) => {
        socket.once('data', () => resolve(true))
        socket.once('close', () => resolve(false))
      })
      socket.on('error', () => {})
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
      return { socket, asked }
    }
    const first = [connected(), connected()]
    const answers = [...(await Promise.all(first.map(({ asked }) => asked)))]
    answers.push(await connected().asked)
    // A place that has become free is there for others.
    first[0]?.socket.destroy()
    await expect.poll(() => connected().asked).toBe(true)
    await close(0)
    return answers
  }
  await withLimits({ connectionsPerAddress: 2 }, async () => {
    expect(await taken(false)).toEqual([true, true, false])
    expect(await taken(true)).toEqual([true, true, true])
  })
})
