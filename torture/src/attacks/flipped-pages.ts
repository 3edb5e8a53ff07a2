import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Attack } from '../attack.ts'
import { fillTable } from '../fill-table.ts'

const pageBytes = 4_096

export const flippedPages: Attack = {
  name: 'flipped-pages',
  about: 'pages of the SQLite file are overwritten: errors for callers, and the server stays up',
  storages: ['sqlite'],
  interrupts: true,
  breaksData: true,
  run: async ({ newAttacker, kill, restart, dataDir, isAlive, isShort, send, fail, say }) => {
    const { api, baseId, token } = await newAttacker('reader')
    const { id: tableId } = await api.tables.createTable({ baseId, records: [] })
    await fillTable(api, tableId, 20_000, (index) => ({ Name: `Record ${index}` }))
    await kill()
    const file = join(dataDir, 'gateleg.db')
    moveLogIntoFile(file)
    const restore = await damage(file, isShort ? 5 : 40)
    try {
      await restart()
    } catch (error) {
      say(`refused at start: ${String(error).slice(0, 200)}`)
      await restore()
      await restart()
      return
    }
    const headers = { Authorization: `Bearer ${token}` }
    const get = (path: string) => send({ method: 'GET', path, headers })
    for (let skip = 0; skip < 20_000; skip += 500) {
      await get(`/api/table/${tableId}/record?take=500&skip=${skip}`)
      await get('/health')
    }
    await get(`/api/base/${baseId}/verify`)
    if (!isAlive()) fail('a page that can’t be read ended the server')
    await kill()
    await restore()
    await restart()
  },
}

/** What is in the write-ahead log would otherwise be put over the damage later. */
function moveLogIntoFile(file: string): void {
  const database = new Database(file)
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
}

/** Overwrites pages in the middle of the file. Answers what puts the old bytes back. */
async function damage(file: string, count: number): Promise<() => Promise<void>> {
  const { size } = await stat(file)
  const pages = Math.floor(size / pageBytes)
  const handle = await open(file, 'r+')
  const before: { readonly at: number; readonly bytes: Buffer }[] = []
  for (let index = 0; index < count; index++) {
    const at = (Math.floor(pages * 0.7) + index * 5) * pageBytes
    const bytes = Buffer.alloc(pageBytes)
    if (at + pageBytes > size) break
    await handle.read(bytes, 0, pageBytes, at)
    before.push({ at, bytes })
    await handle.write(Buffer.alloc(pageBytes, 0xa5), 0, pageBytes, at)
  }
  await handle.close()
  return async () => {
    const again = await open(file, 'r+')
    for (const { at, bytes } of before) await again.write(bytes, 0, pageBytes, at)
    await again.close()
  }
}
