import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createClient } from './client.ts'

test('[CONTRACT-20] says that no server answered, and where', async () => {
  // A port that nothing can listen on.
  const { spaces } = createClient({ baseUrl: 'http://127.0.0.1:1/api' })
  await expect(spaces.listSpaces()).rejects.toThrow(
    /^No server answered at http:\/\/127\.0\.0\.1:1\/api: (?!fetch failed).+/,
  )
  const isDown: typeof fetch = () => Promise.reject(new TypeError('Failed to fetch'))
  const inBrowser = createClient({ baseUrl: '/api', fetch: isDown })
  await expect(inBrowser.spaces.listSpaces()).rejects.toThrow(
    'No server answered at /api: Failed to fetch',
  )
})

test('[CONTRACT-20] leaves an error of the fetch that was given as it is', async () => {
  const brokenOff = new DOMException('It was broken off', 'AbortError')
  const { spaces } = createClient({ baseUrl: '/api', fetch: () => Promise.reject(brokenOff) })
  await expect(spaces.listSpaces()).rejects.toBe(brokenOff)
})

test('[CONTRACT-20] fails with what the content that is sent failed with', async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('{}'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { imports } = createClient({ baseUrl: `http://127.0.0.1:${port}/api` })
  const failure = new Error('The disk is gone')
  async function* content() {
    yield new TextEncoder().encode('Name\n')
    throw failure
  }
  await expect(imports.importTable({ baseId: 'bse1', content: content() })).rejects.toBe(failure)
  const stream = ReadableStream.from(content())
  await expect(imports.importTable({ baseId: 'bse1', content: stream as never })).rejects.toBe(
    failure,
  )
  await new Promise((resolve) => server.close(resolve))
})

test('[CONTRACT-20] lets go of the connection when the signal of the call says so', async () => {
  const server = createServer(() => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { spaces } = createClient({ baseUrl: `http://127.0.0.1:${port}/api` })
  const controller = new AbortController()
  const gone = new Error('nobody waits')
  server.once('request', () => controller.abort(gone))
  await expect(spaces.listSpaces({}, { signal: controller.signal })).rejects.toBe(gone)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test('[CONTRACT-40] says that an answer ended too soon, of every operation', async () => {
  const brokenOff = new DOMException('It was broken off', 'AbortError')
  for (const status of [200, 503]) {
    for (const lost of [new TypeError('terminated'), brokenOff]) {
      const body = new ReadableStream({ pull: (controller) => controller.error(lost) })
      const { spaces } = createClient({
        baseUrl: '/api',
        fetch: async () => new Response(body, { status }),
      })
      const failure = await spaces.listSpaces().catch((error: unknown) => error)
      if (lost === brokenOff) expect(failure).toBe(brokenOff)
      else expect(String(failure)).toBe('Error: The answer ended before it was whole')
    }
  }
})

test('[CONTRACT-40] tells the status of an answer that only claims to be JSON', async () => {
  const headers = { 'Content-Type': 'application/json' }
  const { spaces } = createClient({
    baseUrl: '/api',
    fetch: async () => new Response('<html>Bad gateway', { status: 502, headers }),
  })
  await expect(spaces.listSpaces()).rejects.toThrow('The server answered 502')
})

test('[CONTRACT-24] says which address it needs, and what the options of a call are', async () => {
  for (const options of [
    undefined,
    {},
    { baseUrl: undefined },
    { baseUrl: '' },
    { baseUrl: 'api' },
  ]) {
    expect(() => createClient(options as never)).toThrow(
      /^createClient needs the address of a server/,
    )
  }
  const { spaces } = createClient({ baseUrl: 'http://127.0.0.1:1/api' })
  for (const wrong of [{ ifMatch: 1 }, { ifmatch: [1] }, { idempotencykey: 'x' }]) {
    await expect(spaces.listSpaces({}, wrong as never)).rejects.toMatchObject({
      code: 'validation_error',
    })
  }
})

test('[CONTRACT-24] says which option is meant by one that there is not', () => {
  const baseUrl = 'http://127.0.0.1:1/api'
  expect(() => createClient({ baseUrl, tokn: 'x' } as never)).toThrow(
    new TypeError('createClient has an unknown option tokn: did you mean token?'),
  )
  expect(() => createClient({ baseURL: baseUrl } as never)).toThrow('did you mean baseUrl?')
})

test('[CONTRACT-25] calls below its address, whether that ends with a slash or not', async () => {
  const asked: unknown[] = []
  const noted: typeof fetch = async (url) => {
    asked.push(url)
    return new Response('[]')
  }
  for (const baseUrl of ['http://a.example/api', 'http://a.example/api//', '/api/']) {
    await createClient({ baseUrl, fetch: noted }).spaces.listSpaces()
  }
  expect(asked).toEqual(['http://a.example/api/space', 'http://a.example/api/space', '/api/space'])
})

test('[HTTP-60] sends a list where that is the whole body', async () => {
  const sent: unknown[] = []
  const client = createClient({
    baseUrl: '/api',
    fetch: async (url, { body } = {}) => {
      sent.push(url, JSON.parse(String(body)))
      return new Response('')
    },
  })
  const columnMeta = [{ fieldId: 'fld1', columnMeta: { width: 80 } }]
  await client.views.setColumnMeta({ tableId: 'tbl1', viewId: 'viw1', columnMeta })
  expect(sent).toEqual(['/api/table/tbl1/view/viw1/column-meta', columnMeta])
})
