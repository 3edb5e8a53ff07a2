import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pngFile } from '@gateleg/testing/factories/png-image'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ServerProcess, startServer } from '../../../../test/server-process.ts'

let folder: string
let server: ServerProcess | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
})
afterEach(async () => {
  await server?.kill()
  server = undefined
  rmSync(folder, { recursive: true })
})

/** The processes that a process has started. */
function childrenOf(processId: number | undefined): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === processId)
    .map(Number)
}

function parentOf(name: string): number | undefined {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1])
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}

function isThere(processId: number): boolean {
  return parentOf(String(processId)) !== undefined
}

test.skipIf(process.platform !== 'linux')(
  '[SERVER-51] a server that is killed while it makes thumbnails leaves no process and no half of them; the next one makes them',
  async () => {
    server = await startServer({ DATA_DIR: folder })
    const { accessToken } = await server.api().accounts.signUp({
      email: 'ada@example.com',
      password: 'still here 1',
    })
    const api = server.api(accessToken)
    const { id: spaceId } = await api.spaces.createSpace({})
    const { id: baseId } = await api.bases.createBase({ spaceId })
    const { id: tableId, records } = await api.tables.createTable({ baseId })
    const { id: fieldId } = await api.fields.createField({ tableId, type: 'attachment' })
    const place = { tableId, recordId: records[0]?.id ?? '', fieldId }
    const file = pngFile('large.png', 8_000, 8_000)
    const { fields } = await api.attachments.uploadAttachment({ ...place, file })
    const [image] = fields[fieldId] as readonly { readonly smThumbnailUrl: string }[]
    const url = image?.smThumbnailUrl ?? ''
    const { processId } = server
    const reading = fetch(`${server.url}${url}`).catch(() => undefined)
    await expect.poll(() => childrenOf(processId).length, { timeout: 10_000 }).toBe(1)
    const [child = 0] = childrenOf(processId)
    await server.kill()
    await reading
    await expect.poll(() => isThere(child), { timeout: 10_000 }).toBe(false)

    server = await startServer({ DATA_DIR: folder })
    const answer = await fetch(`${server.url}${url}`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp'])
    const incoming = readdirSync(join(folder, 'attachments', 'incoming'))
    expect(incoming).toEqual([])
    await server.kill()
  },
  60_000,
)
