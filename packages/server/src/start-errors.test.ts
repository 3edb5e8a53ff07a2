import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runProgram, startServer } from '../../../test/server-process.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Starts a server that must not start; answers its one sentence. */
async function refusalOf(variables: Record<string, string>): Promise<string> {
  const { code, stderr } = await runProgram([], { PORT: '0', ...variables })
  const [title, sentence = '', ...rest] = stderr.split('\n')
  expect([code, title, rest]).toEqual([1, "gateleg can't start.", ['']])
  expect(sentence).toMatch(/^[^\n]+\.$/)
  return sentence
}

test('[SERVER-21] says that the data directory is a file', async () => {
  const file = join(folder, 'file')
  writeFileSync(file, 'text')
  const ending = 'which is a file or lies in one: it must be a directory.'
  expect(await refusalOf({ DATA_DIR: file })).toBe(`DATA_DIR is ${file}, ${ending}`)
  const within = join(file, 'data')
  expect(await refusalOf({ DATA_DIR: within })).toBe(`DATA_DIR is ${within}, ${ending}`)
  expect(readFileSync(file, 'utf8')).toBe('text')
})

test('[SERVER-74] says that mails can not be written to the folder that is named', async () => {
  const file = join(folder, 'file')
  writeFileSync(file, 'text')
  const refusal = await refusalOf({ DATA_DIR: folder, MAIL_OUTBOX: join(file, 'mails') })
  expect(refusal).toMatch(
    /^MAIL_OUTBOX must name a folder that files can be written to, and ".*" is none \(ENOTDIR/,
  )
})

test.skipIf(process.platform !== 'linux')(
  '[SERVER-21] says that nothing can be made where the data directory is to be',
  async () => {
    expect(await refusalOf({ DATA_DIR: '/proc/x/data' })).toMatch(
      /^The server must be able .*\(ENOENT\)/,
    )
  },
)

test('[SERVER-21] says that the file is no database', async () => {
  writeFileSync(join(folder, 'gateleg.db'), 'text '.repeat(100))
  writeFileSync(join(folder, 'instance.key'), 'k'.repeat(32))
  expect(await refusalOf({ DATA_DIR: folder })).toBe(
    `The file ${join(folder, 'gateleg.db')} can't be used: file is not a database.`,
  )
})

test('[SERVER-21] says that the address is none of this machine', async () => {
  for (const HOST of ['256.1.1.1', '192.0.2.1']) {
    expect(await refusalOf({ DATA_DIR: folder, HOST })).toMatch(
      /^It can't listen on port 0 of [\d.]+ \(E\w+\): choose another HOST or PORT\.$/,
    )
  }
})

test('[SERVER-21] says that another server uses the data, until that one is killed', async () => {
  const first = await startServer({ DATA_DIR: folder })
  expect(await refusalOf({ DATA_DIR: folder })).toBe(
    `Another program is using ${join(folder, 'gateleg.db')}: only one at a time may, so end that one first, or choose another DATA_DIR.`,
  )
  await first.kill()
  await (await startServer({ DATA_DIR: folder })).kill()
})

// Whoever runs as root may write anywhere.
const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

test.skipIf(process.platform === 'win32')(
  '[SERVER-21] says that the data can not be written',
  async () => {
    chmodSync(folder, 0o755)
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir, { mode: 0o555 })
    for (const DATA_DIR of [dataDir, join(dataDir, 'within')]) {
      const program = join(import.meta.dirname, 'data-directory/data-directory.ts')
      const script = `import { prepareDataDirectory } from ${JSON.stringify(program)}
      try { prepareDataDirectory(${JSON.stringify(DATA_DIR)}) }
      catch (error) { process.stdout.write(error.name + ': ' + error.message) }`
      const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
        ...asNobody,
      })
      let words = ''
      child.stdout.on('data', (chunk) => {
        words += chunk
      })
      await once(child, 'close')
      expect(words).toBe(
        `ConfigurationError: The server must be able to read and write ${DATA_DIR}, and can't (EACCES): give its user the right to, or choose another DATA_DIR.`,
      )
    }
  },
)

test('[SERVER-3] warns of a variable that is misspelt, and starts', async () => {
  const server = await startServer({ DATA_DIR: folder, DATABSE_URL: 'postgres://x@127.0.0.1/y' })
  expect(server.words()).toContain(
    'Warning: DATABSE_URL is not known and does nothing: is DATABASE_URL meant?\n',
  )
  await server.kill()
})
