import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Benchmark, Measurement } from './benchmark.ts'
import { Contenders } from './contenders.ts'
import { type Options, readOptions, usage } from './options.ts'
import { toReport } from './report.ts'
import { installShipped } from './shipped-packages.ts'
import type { StorageUnderTest } from './storages.ts'

// Benchmarks, ours beside what somebody would write by hand, both measured in the same run:
// `node bench/src/main.ts [--only load] [--storage sqlite] [--rounds 7] [--profiles folder]`.
// Each server has a process of its own; this one makes the load.

const options = readOptionsOrExit()
const measurements: Measurement[] = []
/** Read before anything is measured: a wrong name is told at once. */
const earlier = options.compare
  ? (JSON.parse(readFileSync(options.compare, 'utf8')) as Measurement[])
  : undefined

/** On the disk of this folder, because a temporary folder may be in memory, where a sync costs nothing. */
const data = join(import.meta.dirname, '../data')
mkdirSync(data, { recursive: true })
const shippedFolder = mkdtempSync(join(tmpdir(), 'gateleg-shipped-'))
const command = options.runsSources
  ? fileURLToPath(import.meta.resolve('gateleg/main'))
  : (await installShipped(shippedFolder)).command

for (const storage of options.storages) {
  try {
    for (const benchmark of options.selected) await measure(benchmark, storage)
  } finally {
    await storage.stop()
  }
}

rmSync(shippedFolder, { recursive: true })
if (options.save) writeFileSync(options.save, `${JSON.stringify(measurements, null, 2)}\n`)
console.log(toReport(measurements, earlier))

async function measure(benchmark: Benchmark, storage: StorageUnderTest): Promise<void> {
  const folder = mkdtempSync(join(data, `${storage.name}-`))
  const contenders = new Contenders({
    command,
    storage,
    folder,
    flags: process.execArgv,
    flagsOfOurs: options.profiles
      ? ['--cpu-prof', `--cpu-prof-dir=${join(options.profiles, benchmark.name)}`]
      : [],
  })
  const title = `${storage.name} ${benchmark.name}`
  try {
    const measured = await benchmark.run({
      contenders,
      rounds: options.rounds,
      storageName: storage.name,
      say: (text) => console.error(`${title}: ${text}`),
    })
    measurements.push(
      ...measured.map((each) => ({ ...each, name: `${storage.name}: ${each.name}` })),
    )
  } finally {
    await contenders.stopAll()
    rmSync(folder, { recursive: true })
  }
}

function readOptionsOrExit(): Options {
  const args = process.argv.slice(2)
  if (args.includes('--help')) {
    console.log(usage)
    process.exit(0)
  }
  try {
    return readOptions(args)
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`)
    process.exit(2)
  }
}
