import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Benchmark, Measurement } from '../benchmark.ts'
import { installShipped } from '../shipped-packages.ts'
import { median } from '../statistics.ts'

/** Milliseconds that a program may take to load the library and open an engine, beyond what Node itself takes. */
const openingMsMax = 150
/** Milliseconds from the start of the command on a full store to its first answer. */
const healthMsMax = 450

const tables = 20
const recordsPerTable = 1_000

/** A program that does nothing, one that opens an engine, and one that fills a store. */
const programs = {
  bare: '',
  open: `
import { openEngine, sqlite } from 'gateleg'
await openEngine({ storage: sqlite({ file: ':memory:' }) })
process.exit(0)`,
  fill: `
import { mkdirSync } from 'node:fs'
import { openEngine, sqlite } from 'gateleg'
mkdirSync('data', { mode: 0o700 })
const engine = await openEngine({ storage: sqlite({ file: 'data/gateleg.db' }), instanceKey: process.env.GATELEG_KEY })
await engine.ensureUser({ id: 'usrAda', name: 'Ada' })
const ada = engine.as({ userId: 'usrAda' })
const { id: spaceId } = await ada.spaces.createSpace({ name: 'Full' })
const { id: baseId } = await ada.bases.createBase({ spaceId, name: 'Full' })
for (let table = 0; table < ${tables}; table++) {
  const records = Array.from({ length: ${recordsPerTable} }, (_, row) => ({ fields: { Name: 'Record ' + row, Count: row } }))
  const fields = [{ name: 'Name', type: 'singleLineText' }, { name: 'Count', type: 'number' }]
  const { id: tableId } = await ada.tables.createTable({ baseId, name: 'Table ' + table, fields, records: [] })
  await ada.records.createRecords({ tableId, records })
}
await engine.close()`,
}

/** How long the packages take to start where they are installed. On SQLite: PostgreSQL has a start of its own. */
export const start: Benchmark = {
  name: 'start',
  run: async ({ rounds, storageName, say }) => {
    if (storageName !== 'sqlite') return []
    const folder = mkdtempSync(join(tmpdir(), 'gateleg-start-'))
    try {
      say('packing and installing')
      const { project } = await installShipped(folder)
      for (const [name, code] of Object.entries(programs)) {
        writeFileSync(join(project, `${name}.js`), code)
      }
      return [measureOpening(project, rounds), await measureHealth(project, rounds)]
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
}

function measureOpening(project: string, rounds: number): Measurement {
  const times = { bare: [] as number[], open: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    for (const name of ['bare', 'open'] as const) {
      const startedMs = performance.now()
      execFileSync(process.execPath, [`${name}.js`], { cwd: project })
      if (round > 0) times[name].push(performance.now() - startedMs)
    }
  }
  const bareMs = median(times.bare)
  const openMs = median(times.open)
  return {
    name: 'import gateleg and open an engine in memory',
    ours: `${openMs.toFixed(0)} ms`,
    other: `${bareMs.toFixed(0)} ms`,
    target: `<= ${openingMsMax} ms more`,
    isMet: openMs - bareMs <= openingMsMax,
  }
}

async function measureHealth(project: string, rounds: number): Promise<Measurement> {
  const env = { ...process.env, PORT: '0', DATA_DIR: 'data', GATELEG_KEY: 'k'.repeat(32) }
  execFileSync(process.execPath, ['fill.js'], { cwd: project, env })
  const times: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const startedMs = performance.now()
    const program = 'node_modules/gateleg/dist/main.js'
    const child = spawn(process.execPath, [program], {
      cwd: project,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const ended = once(child, 'close')
    let words = ''
    for await (const text of child.stderr.setEncoding('utf8')) {
      words += text
      const url = /listens on (http:\S+)/.exec(words)?.[1]
      if (url === undefined) continue
      const { status } = await fetch(`${url}/health`)
      if (status !== 200) throw new Error(`/health was answered ${status}`)
      break
    }
    if (round > 0) times.push(performance.now() - startedMs)
    child.kill('SIGTERM')
    const [code] = await ended
    if (code !== 0) throw new Error(`The server ended with ${code}: ${words}`)
  }
  const tookMs = median(times)
  return {
    name: `start to /health, ${tables * recordsPerTable} records`,
    ours: `${tookMs.toFixed(0)} ms`,
    target: `<= ${healthMsMax} ms`,
    isMet: tookMs <= healthMsMax,
  }
}
