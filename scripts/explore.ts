import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { type ExploreOptions, readExploreOptions, usage } from './explore-options.ts'
import { type Find, findsIn, type TestReport } from './random-finds.ts'
import { type RandomSuite, randomSuites, roundOf } from './random-suites.ts'

// Runs random tests from new seeds for some minutes, one suite after the other, again and again. Prints
// what it takes to repeat each failure, shrunk; ends with what was run, and with 1 when anything failed.

/** Time for one test: on a machine that does other things besides, only a hang is a find. */
const timeoutMs = 1_200_000

const { STORES: stores } = process.env
const root = join(import.meta.dirname, '..')
const options = readOptionsOrExit()
const deadline = performance.now() + options.minutes * 60_000
const rounds = new Map(options.suites.map((suite) => [suite, 0]))
let passed = 0
let found = 0

do {
  for (const suite of options.suites) {
    // Every suite has its turn, however little time there is.
    if (performance.now() > deadline && rounds.get(suite)) continue
    const seed = randomInt(-(2 ** 31), 2 ** 31)
    const start = performance.now()
    const { report, output } = runRound(suite, seed)
    const finds = findsIn(report, seed, stores)
    if (!report.testResults.length) throw new Error(`no test was run:\n${output}`)
    rounds.set(suite, (rounds.get(suite) ?? 0) + 1)
    passed += report.numPassedTests
    found += finds.length
    for (const find of finds) console.log(toText(find))
    const seconds = ((performance.now() - start) / 1_000).toFixed()
    console.log(`${suite}: seed ${seed}, ${finds.length} found, ${seconds} s`)
  }
} while (performance.now() < deadline)

for (const [suite, count] of rounds) {
  console.log(`${suite}: ${count} rounds, each ${roundOf(suiteOf(suite), process.env).text}`)
}
console.log(`${passed} tests passed, ${found} failed`)
process.exitCode = found === 0 ? 0 : 1

function readOptionsOrExit(): ExploreOptions {
  const args = process.argv.slice(2)
  if (args.includes('--help')) {
    console.log(usage)
    process.exit(0)
  }
  try {
    return readExploreOptions(args)
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`)
    process.exit(2)
  }
}

function runRound(suite: string, seed: number): { report: TestReport; output: string } {
  const { files } = suiteOf(suite)
  const { env } = roundOf(suiteOf(suite), process.env)
  const folder = mkdtempSync(join(tmpdir(), 'gateleg-explore-'))
  const file = join(folder, 'report.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const settings = ['--reporter=json', `--outputFile=${file}`, `--testTimeout=${timeoutMs}`]
  const args = ['run', ...files, ...settings]
  try {
    const { stdout, stderr } = spawnSync(process.execPath, [vitest, ...args], {
      cwd: root,
      env: { ...process.env, ...env, RANDOM_SEED: String(seed), RANDOM_PATH: undefined },
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    })
    const output = `${stdout}${stderr}`
    return { report: readReport(file, output), output }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function suiteOf(name: string): RandomSuite {
  const suite = randomSuites[name]
  if (!suite) throw new Error(`there is no suite "${name}"`)
  return suite
}

/** The report, its files named as seen from the root. */
function readReport(file: string, output: string): TestReport {
  let report: TestReport
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as TestReport
  } catch {
    throw new Error(`the tests could not be run:\n${output}`)
  }
  const testResults = report.testResults.map((one) => ({ ...one, name: relative(root, one.name) }))
  return { ...report, testResults }
}

/** The message without the calls within packages of others, which are most. */
function withoutForeignCalls(message: string): string {
  const lines = message.split('\n')
  return lines.filter((line) => !/^ +at .*node_modules/.test(line)).join('\n')
}

function toText({ file, titles, message, seed, path, command }: Find): string {
  return [
    `\nFAILED: ${[file, ...titles].join(' > ')}`,
    `seed ${seed}, path ${path === undefined ? 'not told' : `"${path}"`}`,
    withoutForeignCalls(message),
    `Repeat it with\n  ${command}\n`,
  ].join('\n')
}
