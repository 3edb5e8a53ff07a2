import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { TurnstileHumanCheck } from './turnstile-human-check.ts'

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** A check that asks a service on this machine. */
async function checkAgainst(listener: RequestListener): Promise<TurnstileHumanCheck> {
  const listening = createServer(listener)
  server = listening
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const { port } = listening.address() as AddressInfo
  return new TurnstileHumanCheck({
    secretKey: 'the secret',
    siteverifyUrl: `http://127.0.0.1:${port}/siteverify`,
    timeoutMs: 250,
  })
}

const answering = (body: unknown, status = 200) =>
  checkAgainst((_request, response) => {
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
  })

const failure = { code: 'failed_dependency' }

test('[HUMAN-3] does not let a failing service decide', async () => {
  const answers: [body: unknown, status?: number][] = [
    ['<html>'],
    ['null'],
    ['[]'],
    [{}],
    [{ success: 'true' }],
    [{ success: false }],
    [{ success: false, 'error-codes': ['invalid-input-secret'] }],
    [{ success: false, 'error-codes': ['internal-error'] }],
    [{ success: true }, 500],
  ]
  for (const [body, status] of answers) {
    const check = await answering(body, status)
    await expect(check.isHuman('token', undefined)).rejects.toMatchObject(failure)
    server?.close()
  }
})

test('[HUMAN-3] keeps of the words of the service no more than names of faults', async () => {
  const words = ['invalid-input-secret', 'the secret 0x4AAA', 'x'.repeat(1_000), 7]
  const check = await answering({ success: false, 'error-codes': words })
  await expect(check.isHuman('token', undefined)).rejects.toMatchObject({
    cause: 'siteverify named invalid-input-secret',
  })
})

test('[HUMAN-3] does not follow a redirect with the secret', async () => {
  const paths: unknown[] = []
  const check = await checkAgainst((request, response) => {
    paths.push(request.url)
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  await expect(check.isHuman('token', undefined)).rejects.toMatchObject(failure)
  expect(paths).toEqual(['/siteverify'])
})

test('[HUMAN-3] does not wait for ever, nor fail otherwise when nobody is there', async () => {
  const check = await checkAgainst(() => {})
  await expect(check.isHuman('token', undefined)).rejects.toMatchObject(failure)
  server?.closeAllConnections()
  server?.close()
  await expect(check.isHuman('token', undefined)).rejects.toMatchObject(failure)
})

test('[HUMAN-2] tells tokens that are no good', async () => {
  for (const fault of [
    'missing-input-response',
    'invalid-input-response',
    'timeout-or-duplicate',
  ]) {
    const check = await answering({ success: false, 'error-codes': [fault] })
    expect(await check.isHuman('token', undefined)).toBe(false)
    server?.close()
  }
})

test('[HUMAN-1] believes the service, and tells it what it needs', async () => {
  const asked: string[] = []
  const check = await checkAgainst(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    asked.push(`${request.method} ${body}`)
    response.end(JSON.stringify({ success: true }))
  })
  expect(await check.isHuman('a token&', '192.0.2.1')).toBe(true)
  expect(await check.isHuman('a token&', undefined)).toBe(true)
  expect(asked).toEqual([
    'POST secret=the+secret&response=a+token%26&remoteip=192.0.2.1',
    'POST secret=the+secret&response=a+token%26',
  ])
})
