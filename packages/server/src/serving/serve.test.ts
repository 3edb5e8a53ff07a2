import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createConnection, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findDamage } from '@gateleg/adapters-sqlite/file/find-damage'
import { withLimits } from '@gateleg/testing/with-limits'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfiguration } from '../configuration/configuration.ts'
import { databaseFile } from '../data-directory/data-directory.ts'
import { keepInstanceKey } from '../data-directory/instance-key-file.ts'
import { type RunningServer, serve } from './serve.ts'

let dataDir: string
let running: RunningServer | undefined

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'gateleg-'))
})
afterEach(async () => {
  await running?.close()
  running = undefined
  const file = databaseFile(dataDir)
  if (existsSync(file)) expect(findDamage(file)).toEqual([])
  rmSync(dataDir, { recursive: true })
})

async function start(env: Record<string, string> = {}): Promise<RunningServer> {
  const own = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' }
  running = await serve(readConfiguration({ ...own, ...env }))
  return running
}

async function stop(server: RunningServer): Promise<void> {
  await server.close()
  running = undefined
}

async function signUp({ url }: RunningServer, more: object = {}): Promise<number> {
  const email = `${crypto.randomUUID()}@example.com`
  const response = await fetch(`${url}/api/auth/signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: 'A-good-password-1', ...more }),
  })
  return response.status
}

test('[SERVER-85] lets go of the data where it can not serve them', async () => {
  const configuration = readConfiguration({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' })
  const wrong = serve({ ...configuration, trustedProxies: ['everybody'] })
  await expect(wrong).rejects.toThrow('trustedProxies takes a list')
  expect(await signUp(await start())).toBe(201)
})

test('[SERVER-6] makes an instance key for its owner alone, and keeps to it', async () => {
  const server = await start()
  expect(await signUp(server)).toBe(201)
  await server.close()
  const file = join(dataDir, 'instance.key')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const key = readFileSync(file, 'utf8')
  expect(key.trim()).toMatch(/^[\w-]{43}$/)
  await start()
  expect(readFileSync(file, 'utf8')).toBe(key)
  expect(await keepInstanceKey(dataDir)).toBe(key.trim())
})

test('[SERVER-6] makes none where one is configured', async () => {
  await start({ GATELEG_KEY: 'k'.repeat(32) })
  expect(existsSync(join(dataDir, 'instance.key'))).toBe(false)
})

test('[SERVER-7] does not start on data without their key', async () => {
  await stop(await start())
  const file = join(dataDir, 'instance.key')
  const key = readFileSync(file)
  rmSync(file)
  await expect(start()).rejects.toThrow('holds data but no instance.key: put the file back')
  expect(existsSync(file)).toBe(false)
  writeFileSync(file, key)
  await start()
})

test('[SERVER-7] does not start on a copy of the file alone, taken from a server at its first start', async () => {
  const server = await start()
  const copy = join(dataDir, 'copy')
  mkdirSync(copy)
  copyFileSync(databaseFile(dataDir), databaseFile(copy))
  await stop(server)
  await expect(start({ DATA_DIR: copy })).rejects.toThrow('holds data but no instance.key')
})

test('[SERVER-7] does not start with a directory in the place of the key', async () => {
  mkdirSync(join(dataDir, 'instance.key'))
  await expect(start()).rejects.toThrow('instance.key is not a file: move it away')
})

test('[SERVER-7] does not start with a key whose data are gone', async () => {
  await stop(await start())
  rmSync(databaseFile(dataDir))
  await expect(start()).rejects.toThrow('holds an instance.key but no gateleg.db: put the database')
  expect(existsSync(databaseFile(dataDir))).toBe(false)
  rmSync(join(dataDir, 'instance.key'))
  await start()
})

test.each(['', 'too short\n', 'x'.repeat(31)])(
  '[SERVER-7] does not start with the key file "%s"',
  async (text) => {
    await stop(await start())
    writeFileSync(join(dataDir, 'instance.key'), text)
    await expect(start()).rejects.toThrow('holds no key of 32 characters or more')
  },
)

test('[SERVER-7] does not start with the key of other data, wherever it comes from', async () => {
  await stop(await start())
  const refusal = 'The instance key is not the one that the data was created with'
  await expect(start({ GATELEG_KEY: 'o'.repeat(32) })).rejects.toThrow(refusal)
  const key = readFileSync(join(dataDir, 'instance.key'), 'utf8').trim()
  writeFileSync(join(dataDir, 'instance.key'), 'o'.repeat(43))
  await expect(start()).rejects.toThrow(refusal)
  await start({ GATELEG_KEY: key })
})

test('[SERVER-6] goes on with a first start that was cut off', async () => {
  // Cut off when the file was made, then when its tables were.
  writeFileSync(databaseFile(dataDir), '')
  await stop(await start())
  rmSync(join(dataDir, 'instance.key'))
  const database = new Database(databaseFile(dataDir))
  database.exec('delete from instance')
  database.close()
  const server = await start()
  expect(await signUp(server)).toBe(201)
  // Cut off when the key was being written: what is left of it disturbs nobody.
  await stop(server)
  writeFileSync(join(dataDir, 'instance.key.part'), 'half')
  await start()
})

test('[SERVER-8] asks for an invitation, or lets nobody in, where that is configured', async () => {
  const inviting = await start({ SIGNUP_INVITE_ONLY: 'true' })
  expect([await signUp(inviting), await signUp(inviting)]).toEqual([201, 400])
  await inviting.close()
  expect(await signUp(await start({ SIGNUP_CLOSED: 'true' }))).toBe(403)
})

test('[SERVER-8] asks the human check that is configured', async () => {
  const service = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const success = body.includes('response=human')
      const errors = { 'error-codes': ['invalid-input-response'] }
      response.end(JSON.stringify({ success, ...(!success && errors) }))
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const { port } = service.address() as AddressInfo
  const server = await start({
    TURNSTILE_SECRET_KEY: 'sealed',
    TURNSTILE_VERIFY_URL: `http://127.0.0.1:${port}/siteverify`,
  })
  expect(await signUp(server, { turnstileToken: 'robot' })).toBe(400)
  expect(await signUp(server, { turnstileToken: 'human' })).toBe(201)
  service.close()
})

test('[SERVER-8] proves addresses where that is configured, and lets nobody in when it fails', async () => {
  const server = await start({
    SIGNUP_VERIFY_EMAIL: 'true',
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: '1',
    SMTP_FROM: 'gateleg@example.com',
  })
  expect(await signUp(server)).toBe(424)
})

test('[SERVER-26] limits callers and bodies, and believes proxies, as configured', async () => {
  const server = await start({
    SIGNUP_LIMIT_PER_MINUTE: '1',
    MAX_BODY_BYTES_AT_ONCE: '1048576',
    TRUSTED_PROXIES: '127.0.0.1',
  })
  const signUpFrom = async (address: string, more: object = {}) => {
    const email = `${crypto.randomUUID()}@example.com`
    const response = await fetch(`${server.url}/api/auth/signup`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
      body: JSON.stringify({ email, password: 'A-good-password-1', ...more }),
    })
    const { accessToken } = (await response.json()) as { accessToken?: string }
    return { status: response.status, accessToken }
  }
  const { status, accessToken } = await signUpFrom('203.0.113.1')
  expect([status, (await signUpFrom('203.0.113.1')).status]).toEqual([201, 429])
  expect((await signUpFrom('203.0.113.2')).status).toBe(201)
  const large = await fetch(`${server.url}/api/space`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ name: 'x'.repeat(1_000_000) }),
  })
  expect(large.status).toBe(413)
})

test.each([
  ['of the connection', {}, [true, true, false]],
  [
    'of the connection, whoever else is trusted',
    { TRUSTED_PROXIES: '10.0.0.5' },
    [true, true, false],
  ],
  ['of no trusted proxy', { TRUSTED_PROXIES: '127.0.0.1' }, [true, true, true]],
])(
  '[HTTP-54] counts connections by the address %s, not by what headers say',
  async (_name, env, taken) => {
    const server = await start(env)
    await withLimits({ connectionsPerAddress: 2 }, async () => {
      const answers: boolean[] = []
      const sockets: Socket[] = []
      for (const index of taken.keys()) {
        const socket = createConnection(Number(new URL(server.url).port), '127.0.0.1')
        sockets.push(socket.on('error', () => {}))
        socket.write(
          `GET /health HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.${index}\r\n\r\n`,
        )
        answers.push(
          await new Promise<boolean>((resolve) => {
            socket.once('data', () => resolve(true))
            socket.once('close', () => resolve(false))
          }),
        )
      }
      expect(answers).toEqual(taken)
      for (const socket of sockets) socket.destroy()
    })
  },
)
