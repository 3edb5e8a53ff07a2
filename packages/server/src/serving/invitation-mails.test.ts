import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { invitationTokenIn, startMailServer } from '../../../../test/mail-server.ts'
import { startServer } from '../../../../test/server-process.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { type RunningServer, serve } from './serve.ts'

const password = 'A-good-password-1'
let dataDir: string
let running: RunningServer | undefined
let closePost: (() => void) | undefined

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'gateleg-'))
})
afterEach(async () => {
  await running?.close()
  closePost?.()
  rmSync(dataDir, { recursive: true })
})

async function openPost() {
  const server = await startMailServer()
  closePost = server.close
  return server
}

async function start(env: Record<string, string>) {
  const own = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' }
  running = await serve(readConfiguration({ ...own, ...env }))
  const { url } = running
  return async (method: string, path: string, token?: string, body?: object) => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: JSON.parse((await response.text()) || 'null') }
  }
}

type Call = Awaited<ReturnType<typeof start>>

async function signUp(call: Call, email: string): Promise<string> {
  return (await call('POST', '/auth/signup', undefined, { email, password })).body.accessToken
}

test('[SERVER-28] sends invitations by the configured mail server, with a link to itself', async () => {
  const { mails, port } = await openPost()
  const call = await start({
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(port),
    SMTP_FROM: 'gateleg@example.com',
    PUBLIC_URL: 'http://tables.example.com/',
  })
  const ada = await signUp(call, 'ada@example.com')
  const [{ id }] = (await call('GET', '/space', ada)).body
  const invitation = { emails: ['Bob@example.com'], role: 'editor' }
  const invited = await call('POST', `/space/${id}/invitation/email`, ada, invitation)
  expect(invited).toMatchObject({
    status: 201,
    body: { 'Bob@example.com': { invitationId: expect.any(String) } },
  })
  expect(mails).toHaveLength(1)
  const mail = mails[0]?.replaceAll('=\n', '').replaceAll('=3D', '=') ?? ''
  expect(mail).toMatch(/^To: <?bob@example.com>?$/m)
  const token = invitationTokenIn(mail)
  expect(mail).toContain(`http://tables.example.com/#invitation=${token}`)
  const bob = await signUp(call, 'bob@example.com')
  const accepted = await call('POST', '/invitation/email/accept', bob, { token })
  expect(accepted).toEqual({ status: 201, body: { spaceId: id } })
  expect((await call('GET', `/space/${id}`, bob)).body).toMatchObject({ role: 'editor' })
})

test('[SERVER-28] says so where no mail server is configured, or none answers', async () => {
  const invitation = { emails: ['bob@example.com'], role: 'editor' }
  const invite = async (env: Record<string, string>, email: string) => {
    const call = await start(env)
    const ada = await signUp(call, email)
    const [{ id }] = (await call('GET', '/space', ada)).body
    const answer = await call('POST', `/space/${id}/invitation/email`, ada, invitation)
    await running?.close()
    running = undefined
    return answer
  }
  expect(await invite({}, 'ada@example.com')).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('not sent by mail') },
  })
  const { port } = await openPost()
  closePost?.()
  const env = { SMTP_HOST: '127.0.0.1', SMTP_PORT: String(port), SMTP_FROM: 'g@example.com' }
  expect(await invite(env, 'eve@example.com')).toMatchObject({
    status: 424,
    body: { code: 'failed_dependency' },
  })
})

test('[SERVER-74] writes mails to the outbox that is configured, warns of it, and lets in by what they say', async () => {
  const outbox = join(dataDir, 'outbox')
  const server = await startServer({
    ...{
      LOG_LEVEL: 'warn',
      DATA_DIR: dataDir,
      MAIL_OUTBOX: outbox,
      PUBLIC_URL: 'http://tables.example.com',
    },
  })
  onTestFinished(server.kill)
  const { accessToken } = await server.api().accounts.signUp({ email: 'ada@example.com', password })
  const ada = server.api(accessToken)
  const [space] = await ada.spaces.listSpaces({})
  await ada.collaborators.inviteToSpace({
    ...{ spaceId: space?.id ?? '', emails: ['bob@example.com'], role: 'editor' },
  })
  const [name = '', ...others] = readdirSync(outbox)
  expect(others).toEqual([])
  const mail = readFileSync(join(outbox, name), 'utf8').replaceAll('\r\n', '\n')
  const token = invitationTokenIn(mail)
  const bob = await server.api().accounts.signUp({ email: 'bob@example.com', password })
  const { accounts } = server.api(bob.accessToken)
  expect(await accounts.acceptInvitation({ token })).toEqual({ spaceId: space?.id })
  // Lines of the log are written together, a moment later.
  const warning = `No mail is sent: all are written to files in ${outbox}`
  await expect.poll(() => server.log(), { timeout: 10_000 }).toContain(warning)
})
