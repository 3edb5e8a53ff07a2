import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import { openEngine } from '@gateleg/engine/open-engine'
import { startEmbeddedServer } from '../test/embedded-server.ts'

// Measures `gateleg move` from a file to a database and back: seconds, and how far its memory grows.
// node scripts/measure-move.ts [records, 100000 when not told]: records of 20 fields.

const records = Number(process.argv[2] ?? 100_000)
const key = 'the key of what is measured, known to all'
const folder = mkdtempSync(join(tmpdir(), 'gateleg-move-'))
const dataDir = join(folder, 'data')
const server = await startEmbeddedServer({})
try {
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'instance.key'), key)
  await fill(join(dataDir, 'gateleg.db'))
  const to = server.connectionString
  await measure(['move', '--to', to], { DATA_DIR: dataDir })
  await wait(1_000)
  await measure(['move', '--to', join(folder, 'back')], { DATA_DIR: dataDir, DATABASE_URL: to })
} finally {
  await server.stop()
  rmSync(folder, { recursive: true })
}

async function fill(file: string): Promise<void> {
  const engine = await openEngine({ storage: sqlite({ file }), jobs: false, instanceKey: key })
  const { id: userId } = await engine.ensureUser({ id: 'usrAda', name: 'Ada' })
  const ada = engine.as({ userId })
  const { id: spaceId } = await ada.spaces.createSpace({ name: 'Space' })
  const { id: baseId } = await ada.bases.createBase({ spaceId })
  const choices = [{ name: 'a' }, { name: 'b' }]
  const kinds = [
    { type: 'singleLineText', value: (n: number) => `A text of record ${n}` },
    { type: 'number', value: (n: number) => n / 8 },
    { type: 'date', value: () => '2026-01-02T03:04:05.000Z' },
    { type: 'multipleSelect', options: { choices }, value: () => ['a', 'b'] },
  ]
  const columns = Array.from({ length: 20 }, (_, index) => {
    const { value, ...field } = kinds[index % kinds.length] as (typeof kinds)[number]
    return { field: { ...field, name: `Field ${index}` }, value }
  })
  const fields = columns.map(({ field }) => field) as never
  const table = await ada.tables.createTable({ baseId, fields, records: [] })
  for (let done = 0; done < records; done += 1_000) {
    const rows = Array.from({ length: Math.min(1_000, records - done) }, (_, row) => ({
      fields: Object.fromEntries(
        columns.map(({ field, value }) => [field.name, value(done + row)] as const),
      ),
    }))
    await ada.records.createRecords({ tableId: table.id, records: rows })
  }
  await engine.close()
}

/** Runs the program and prints what it said, how long it took and how much memory it had. */
async function measure(words: readonly string[], variables: Record<string, string>) {
  const main = join(import.meta.dirname, '../packages/server/src/main.ts')
  const began = performance.now()
  const child = spawn(process.execPath, [main, ...words], {
    env: { PATH: process.env.PATH, ...variables },
    stdio: 'inherit',
  })
  const sizes: number[] = []
  const look = setInterval(() => sizes.push(memoryOf(child.pid)), 100)
  const [code] = await once(child, 'close')
  clearInterval(look)
  const seconds = (performance.now() - began) / 1_000
  // The first sizes are those of the program that has only been loaded.
  const [first = 0] = sizes.filter((size) => size > 60)
  console.log(
    `${code === 0 ? 'Moved' : 'Failed'} in ${seconds.toFixed(1)} s (${Math.round(records / seconds)} records per second), with ${Math.round(Math.max(...sizes))} MB at most, ${Math.round(Math.max(...sizes) - first)} MB more than at first\n`,
  )
}

/** Megabytes of a process; 0 where that can't be told. */
function memoryOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
