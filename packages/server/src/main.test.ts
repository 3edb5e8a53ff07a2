import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findDamage } from '@gateleg/adapters-sqlite/file/find-damage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseFile } from './data-directory/data-directory.ts'
import { refuseOldNode } from './node-version.ts'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))

let dataDir: string
const children: ChildProcess[] = []

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'gateleg-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  const file = databaseFile(dataDir)
  if (existsSync(file)) expect(findDamage(file)).toEqual([])
  rmSync(dataDir, { recursive: true })
})

function run(env: Record<string, string> = {}, args: readonly string[] = []) {
  const own = { DATA_DIR: dataDir, PORT: '0' }
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH, ...own, ...env },
  })
  children.push(child)
  const output = { log: '', words: '' }
  child.stdout.on('data', (chunk) => {
    output.log += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.words += chunk
  })
  return { child, output, ended: once(child, 'close') }
}

/** The URL that the server says it listens on. */
async function urlOf({ child, output, ended }: ReturnType<typeof run>): Promise<string> {
  for (;;) {
    const url = /listens on (\S+)/.exec(output.words)?.[1]
    if (url !== undefined) return url
    if (child.exitCode !== null) throw new Error(`It ended: ${output.words}`)
    await Promise.race([once(child.stderr as NodeJS.ReadableStream, 'data'), ended])
  }
}

function post(url: string, path: string): Promise<Response> {
  return fetch(`${url}/api/auth/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'you@example.com', password: 'A-good-password-1' }),
  })
}

test('[SERVER-9] ends in order at a signal, and has everything at the next start', async () => {
  for (const [path, signal] of [
    ['signup', 'SIGTERM'],
    ['signin', 'SIGINT'],
  ] as const) {
    const server = run()
    const url = await urlOf(server)
    expect((await post(url, path)).ok).toBe(true)
    server.child.kill(signal)
    expect(await server.ended).toEqual([0, null])
    const said = path === 'signup' ? `curl ${url}/api/auth/signup` : 'Accounts:        1\n'
    expect(server.output.words).toContain(said)
    const lines = server.output.log.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).route)).toEqual([`/auth/${path}`])
  }
})

/** What says how many helpers V8 has: one processor stays free of them, and it has four where there are five. */
const helperFlags =
  availableParallelism() < 5 ? [`--v8-pool-size=${Math.max(1, availableParallelism() - 1)}`] : []

/** What a process was started as: as Linux tells it. */
function commandOf({ child }: ReturnType<typeof run>): readonly string[] {
  return readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').split('\0').slice(1, -1)
}

test.runIf(process.platform === 'linux')(
  '[SERVER-71] takes little memory, in the process that was started, unless it is told how much',
  async () => {
    const server = run()
    await urlOf(server)
    expect(commandOf(server)).toEqual(['--max-semi-space-size=8', ...helperFlags, main])
    const other = run({
      // Node takes them with underscores as well.
      NODE_OPTIONS: '--max_semi_space_size=32',
      DATA_DIR: join(dataDir, 'other'),
    })
    await urlOf(other)
    expect(commandOf(other)).toEqual([...helperFlags, main])
    const third = run({
      NODE_OPTIONS: '--max-semi-space-size=32 --v8_pool_size=4',
      DATA_DIR: join(dataDir, 'third'),
    })
    await urlOf(third)
    expect(commandOf(third)).toEqual([main])
  },
)

test.runIf(process.platform !== 'win32')(
  '[SERVER-71] a move takes little memory, too, and other commands go on as they are',
  async () => {
    const tellFlags = "data:text/javascript,console.error('flags:',process.execArgv.join())"
    const flagsOf = async (...args: readonly string[]) => {
      const { output, ended } = run(
        { NODE_OPTIONS: `--import=${tellFlags.replaceAll(' ', '%20')}` },
        args,
      )
      await ended
      return output.words.split('\n').filter((line) => line.startsWith('flags: '))
    }
    expect(await flagsOf('move', '--to', dataDir)).toEqual([
      'flags: ',
      `flags: ${['--max-semi-space-size=8', ...helperFlags].join()}`,
    ])
    expect(await flagsOf('version')).toEqual(['flags: '])
  },
)

test('[SERVER-50] starts, and ends in order, where the store of files is out of reach', async () => {
  const server = run({
    ...{ S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'key' },
    S3_ENDPOINT: 'http://127.0.0.1:1',
  })
  const url = await urlOf(server)
  expect((await post(url, 'signup')).ok).toBe(true)
  server.child.kill('SIGTERM')
  expect(await server.ended).toEqual([0, null])
  expect(server.output.log).toContain('The bucket \\"files\\" of S3_BUCKET ')
})

test('[SERVER-2] says in sentences why it can not start, without a stack', async () => {
  const { output, ended } = run({ PORT: 'x', LOG_LEVEL: 'y' })
  expect(await ended).toEqual([1, null])
  expect(output.words.trim().split('\n')).toEqual([
    "gateleg can't start.",
    'PORT must be a whole number from 0 to 65535.',
    expect.stringMatching(/^LOG_LEVEL must be one of /),
  ])
})

test('[SERVER-2] says in a sentence that the port is taken', async () => {
  const { port } = new URL(await urlOf(run()))
  const { output, ended } = run({ PORT: port, DATA_DIR: join(dataDir, 'other') })
  expect(await ended).toEqual([1, null])
  expect(output.words).toBe(
    `gateleg can't start.\nAnother program listens on port ${port} of 127.0.0.1: end it, or choose another PORT.\n`,
  )
})

test('[SERVER-10] tells a Node that is too old', () => {
  for (const version of ['20.20.2', '22.0.0', '22.13.1']) {
    const sentence = `It needs Node 22.14 or newer, and this is Node ${version}`
    expect(refuseOldNode(version)).toContain(sentence)
  }
  for (const version of ['22.14.0', '22.22.1', '23.0.0', '24.21.0']) {
    expect(refuseOldNode(version)).toBeUndefined()
  }
})

test('[SERVER-10] says so before anything is loaded that an old Node could stumble over', async () => {
  // Node 20 can't run the sources: the newer one takes itself for it.
  const old =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })"
  for (const words of [[], ['backup', 'x.db']]) {
    const child = spawn(process.execPath, [
      '--import',
      `data:text/javascript,${old}`,
      main,
      ...words,
    ])
    children.push(child)
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    expect(await once(child, 'close')).toEqual([1, null])
    expect(said).toBe(
      "gateleg can't start.\nIt needs Node 22.14 or newer, and this is Node 20.20.2: see https://nodejs.org.\n",
    )
  }
})
