import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sqlite } from '@gateleg/adapters-sqlite/sqlite'
import { startEmbeddedServer } from '../test/embedded-server.ts'
import { fillBase } from './filled-base.ts'
import { measureProgram } from './measured-program.ts'

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
  const file = join(dataDir, 'gateleg.db')
  await fillBase(sqlite({ file }), { records, instanceKey: key })
  const to = server.connectionString
  await measure(['move', '--to', to], { DATA_DIR: dataDir })
  await wait(1_000)
  await measure(['move', '--to', join(folder, 'back')], { DATA_DIR: dataDir, DATABASE_URL: to })
} finally {
  await server.stop()
  rmSync(folder, { recursive: true })
}

/** Runs the program and prints what it said, how long it took and how much memory it had. */
async function measure(words: readonly string[], variables: Record<string, string>) {
  const main = join(import.meta.dirname, '../packages/server/src/main.ts')
  const { code, seconds, mostMB, moreMB } = await measureProgram([main, ...words], variables)
  console.log(
    `${code === 0 ? 'Moved' : 'Failed'} in ${seconds.toFixed(1)} s (${Math.round(records / seconds)} records per second), with ${mostMB} MB at most, ${moreMB} MB more than at first\n`,
  )
}
