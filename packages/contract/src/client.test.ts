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

test('[CONTRACT-20] says which address it needs, and what the options of a call are', async () => {
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
  await expect(spaces.listSpaces({}, { ifMatch: 1 } as never)).rejects.toMatchObject({
    code: 'validation_error',
  })
})
