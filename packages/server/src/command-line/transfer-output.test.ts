import { once } from 'node:events'
import {
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { spawnProgram } from '../../../../test/server-process.ts'
import { transferFile } from './transfer-file.ts'

let folder: string
let server: Server
let url: string
/** What the server has been asked, and has not answered to the end. */
let asked: ServerResponse[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  asked = []
  server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/csv' })
    response.write('Title\r\n')
    asked.push(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

const spawn = (words: readonly string[], stdout?: number) =>
  spawnProgram(words, { GATELEG_URL: url, GATELEG_TOKEN: 'x' }, stdout)

const waitFor = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10))
}

test('[SERVER-40, SERVER-62] a signal leaves nothing of a file', async () => {
  const [base, csv] = [join(folder, 'base.gateleg'), join(folder, 'out.csv')]
  const toBase = ['export-base', 'bse1', base]
  const toCsv = ['export', 'tbl1', '--out', csv]
  const ends = [
    ['SIGINT', spawn(toBase)],
    ['SIGTERM', spawn(toCsv)],
    ['SIGHUP', spawn(toCsv)],
  ] as const
  const written = () => readdirSync(folder).filter((one) => statSync(join(folder, one)).size > 0)
  await waitFor(() => written().length === ends.length)
  for (const name of written()) expect(name).toMatch(/\.part$/)
  for (const [signal, { process: child }] of ends) {
    const ended = once(child, 'exit')
    child.kill(signal)
    expect(await ended).toEqual([null, signal])
  }
  expect(readdirSync(folder)).toEqual([])
})

test('[SERVER-40, SERVER-62] of two that write to one file the later says so, and leaves it whole', async () => {
  const file = join(folder, 'base.gateleg')
  const without = { withHistory: false, withTrash: false }
  const transfer = { command: 'export-base', baseId: 'bse1', file, ...without } as const
  const [first, second] = [1, 2].map(() => transferFile({ url, token: 'x' }, transfer))
  await waitFor(() => asked.length === 2)
  const ends = Promise.allSettled([first, second])
  for (const response of asked) response.end('Emma\r\n')
  const [kept, refused] = (await ends).toSorted((a, b) => a.status.localeCompare(b.status))
  expect(kept).toEqual({ status: 'fulfilled', value: `${file} is written.\n` })
  expect(refused).toMatchObject({
    status: 'rejected',
    reason: { message: `${file} exists already: choose another name.` },
  })
  expect(readFileSync(file, 'utf8')).toBe('Title\r\nEmma\r\n')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['base.gateleg'])
})

test('[SERVER-40] names a directory that is not there, and asks no server', async () => {
  const out = join(folder, 'none', 'out.csv')
  const transfer = { command: 'export', tableId: 'tbl1', viewId: undefined, out } as const
  await expect(transferFile({ url, token: 'x' }, transfer)).rejects.toThrow(
    `There is no directory ${join(folder, 'none')}`,
  )
  expect(asked).toEqual([])
})

test('[SERVER-40] an import goes on asking a server that starts again', async () => {
  const file = join(folder, 'a.csv')
  writeFileSync(file, 'Name\na\n')
  const state = { id: 'imp1', baseId: 'bse1', tableId: 'tbl1', issues: [] }
  const counts = { rowsRead: 1, rowsCreated: 1, rowsLeftOut: 0, cellsEmptied: 0 }
  let calls = 0
  server.removeAllListeners('request').on('request', (request, response) => {
    if (++calls === 2) return request.socket.destroy()
    request.resume()
    if (calls === 3) return response.writeHead(502).end('Bad Gateway')
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ ...state, ...counts, state: calls === 1 ? 'running' : 'done' }))
  })
  const form = { encoding: undefined, delimiter: undefined, partial: false }
  const transfer = { command: 'import', file, baseId: 'bse1', tableId: 'tbl1', ...form } as const
  expect(await transferFile({ url, token: 'x' }, transfer)).toMatch(/^1 of 1 rows are records/)
  expect(calls).toBe(4)
})

test('[SERVER-40] ends without a word where nobody reads its output any more', async () => {
  const { process: child, stderr } = spawn(['export', 'tbl1'])
  const ended = once(child, 'close')
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  child.stdout?.destroy()
  asked[0]?.end('x'.repeat(1024 * 1024))
  expect([await ended, stderr()]).toEqual([[0, null], ''])
})

test.skipIf(process.platform !== 'linux')(
  '[SERVER-40] says in a sentence that its output can not be written',
  async () => {
    const { process: child, stderr } = spawn(['export', 'tbl1'], openSync('/dev/full', 'w'))
    expect(await once(child, 'close')).toEqual([1, null])
    expect(stderr()).toBe("gateleg can't go on.\nThe standard output can't be written (ENOSPC).\n")
  },
)
