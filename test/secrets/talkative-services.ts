import { createSign, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How a service answers: as it should, or with an error that says all it knows. */
export type Mood = 'well' | 'refusing' | 'confused' | 'failing'

/** What a login provider gives a server that asks it. */
export interface ProviderSecrets {
  readonly tokenOfProvider: string
  readonly refreshTokenOfProvider: string
}

/** A login provider and a captcha on loopback, which repeat what they were sent in their errors. */
export interface TalkativeServices {
  readonly url: string
  readonly state: { mood: Mood; nonce: string }
  /** What was sent to them, so far. */
  readonly received: readonly string[]
  close(): void
}

/** Starts both on one port of the loopback. */
export async function startServices(secrets: ProviderSecrets): Promise<TalkativeServices> {
  const state: TalkativeServices['state'] = { mood: 'well', nonce: '' }
  const received: string[] = []
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }
  let url = ''
  const idToken = (audience: string) => {
    const seconds = Math.floor(Date.now() / 1_000)
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = { iss: url, aud: audience, sub: 'grace', iat: seconds, exp: seconds + 60 }
    const text = `${part({ alg: 'RS256', kid: 'one' })}.${part({ ...claims, nonce: state.nonce })}`
    return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`
  }
  const answerTo = (path: string, request: string): readonly [status: number, body: object] => {
    if (path === '/.well-known/openid-configuration') {
      return [200, { issuer: url, jwks_uri: `${url}/keys` }]
    }
    if (path === '/keys') return [200, { keys: [key] }]
    const { mood } = state
    if (mood === 'failing') return [500, { message: request }]
    const tokens = {
      access_token: secrets.tokenOfProvider,
      refresh_token: secrets.refreshTokenOfProvider,
    }
    if (path === '/token') {
      if (mood === 'refusing') return [400, { error: 'invalid_grant', error_description: request }]
      const given = { ...tokens, token_type: 'Bearer', expires_in: 60 }
      return [200, { ...given, id_token: idToken(mood === 'well' ? 'library' : 'another') }]
    }
    if (path === '/me')
      return [200, { sub: 'grace', email: 'grace@example.com', email_verified: true }]
    if (mood === 'well') return [200, { success: true }]
    const fault = mood === 'refusing' ? 'invalid-input-response' : 'invalid-input-secret'
    return [200, { success: false, 'error-codes': [fault], request }]
  }
  const server = createServer(async (request, response) => {
    const text = await readAll(request)
    received.push(text)
    const path = request.url ?? ''
    const [status, body] = answerTo(path, text)
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url, state, received, close }
}

/** All of a request: its address, what it proves itself with, and its body. */
async function readAll(request: IncomingMessage): Promise<string> {
  let text = `${request.method} ${request.url}\n${JSON.stringify(request.headers)}\n`
  for await (const piece of request) text += piece
  return text
}
