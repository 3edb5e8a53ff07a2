import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readExploreOptions } from '../scripts/explore-options.ts'
import { findsIn } from '../scripts/random-finds.ts'
import { type RandomSuite, randomSuites, roundOf } from '../scripts/random-suites.ts'

const all = Object.keys(randomSuites)

function explore(...args: readonly string[]) {
  // A run of tests tells its own tests apart by variables of which another one knows nothing.
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST$|RANDOM_)/.test(name))
  const env = { ...Object.fromEntries(own), STORES: 'sqlite' }
  return spawnSync(process.execPath, ['scripts/explore.ts', ...args], { env, encoding: 'utf8' })
}

describe('the command that explores', () => {
  test('takes suites and minutes', () => {
    expect(readExploreOptions([])).toEqual({ suites: all, minutes: 10 })
    expect(readExploreOptions(['tree', '--minutes', '0.5', 'model', 'tree'])).toEqual({
      suites: ['tree', 'model'],
      minutes: 0.5,
    })
  })

  test.each([
    [['forest'], 'there is no suite "forest"'],
    [['toString'], 'there is no suite "toString"'],
    [['--minutes', 'ten'], 'it takes a number from 0'],
    [['--minutes', '-1'], '--minutes'],
    [['--minutes', '10081'], 'it takes a number from 0'],
    [['--minutes'], '--minutes'],
    [['--hours', '1'], '--hours'],
  ])('refuses %j', (args, message) => {
    expect(() => readExploreOptions(args)).toThrow(message)
  })

  test('knows all random tests, and none that there isn’t', () => {
    const files = Object.values(randomSuites).flatMap((suite) => suite.files)
    expect(files.filter((file) => !existsSync(file))).toEqual([])
    const random = globSync(['packages/*/src/**/*.test.ts', 'test/**/*.test.ts']).filter((file) =>
      /\bfc\.(assert|check)\(/.test(readFileSync(file, 'utf8')),
    )
    expect(random.length).toBeGreaterThan(30)
    const left = random.filter((file) => !files.some((part) => file.startsWith(part)))
    expect(left.toSorted()).toEqual(['test/explore.test.ts', 'test/random-runs.test.ts'])
    expect(randomSuites.others?.files).toContain(
      'packages/domain/src/accounts/operations/sign-up.test.ts',
    )
  })

  test('draws as much as the environment says, and tells that', () => {
    const { archives, tree } = randomSuites as Readonly<Record<'archives' | 'tree', RandomSuite>>
    const told = (env: Readonly<Record<string, string>>) => roundOf(archives, env)
    expect(told({})).toEqual({
      env: { ARCHIVE_SCRIPTS: '100' },
      text: expect.stringMatching(/^100 scripts /),
    })
    expect(told({ ARCHIVE_SCRIPTS: '2000' })).toEqual({
      env: { ARCHIVE_SCRIPTS: '2000' },
      text: expect.stringMatching(/^2,000 scripts /),
    })
    expect(roundOf(tree, {})).toEqual({ env: {}, text: tree.round })
  })

  test('says how it is called when it is called in another way', () => {
    const { status, stderr } = explore('forest')
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('suites: ') })
    expect(stderr).not.toContain('    at ')
  })

  test('runs a suite once at least, and says from which seed', () => {
    const { status, stdout } = explore('tree', '--minutes', '0')
    expect(stdout).toMatch(/^tree: seed -?\d+, 0 found, \d+ s$/m)
    expect(stdout).toMatch(/^tree: 1 rounds, each every property/m)
    expect(stdout).toMatch(/^\d+ tests passed, 0 failed$/m)
    expect(status).toBe(0)
  })

  /** What a property says that fails from this seed on. */
  const failure = (seed: number) => {
    const isSmall = fc.property(fc.nat(), (one) => one < 100)
    try {
      fc.assert(isSmall, { seed })
    } catch (error) {
      return (error as Error).message
    }
    throw new Error('it fails')
  }
  const reportOf = (title: string, message: string) => ({
    numPassedTests: 1,
    testResults: [
      {
        name: 'a.test.ts',
        status: 'failed',
        message: '',
        assertionResults: [
          { title: 'fine', ancestorTitles: [], status: 'passed', failureMessages: [] },
          { title, ancestorTitles: ['all'], status: 'failed', failureMessages: [message] },
        ],
      },
    ],
  })

  test('tells what it takes to repeat a failure', () => {
    const [find, ...others] = findsIn(reportOf("it's [A-1] (odd)", failure(-5)), 7, 'sqlite')
    expect(others).toEqual([])
    expect(find).toMatchObject({ file: 'a.test.ts', titles: ['all', "it's [A-1] (odd)"], seed: -5 })
    expect(find?.message).toContain('Counterexample: [100]')
    expect(find?.command).toBe(
      `STORES=sqlite RANDOM_SEED=-5 RANDOM_PATH=${find?.path} npx --yes pnpm@12 exec vitest run a.test.ts -t 'it'\\''s \\[A-1\\] \\(odd\\)$'`,
    )
    const { counterexample } = fc.check(
      fc.property(fc.nat(), (one) => one < 100),
      { seed: find?.seed ?? 0, path: find?.path ?? '', endOnFailure: true },
    )
    expect(counterexample).toEqual([100])
  })

  test('tells the seed of its round where a failure tells none, and of a file that could not be run', () => {
    expect(findsIn(reportOf('plain', 'Error: no'), 7, undefined)).toMatchObject([
      {
        seed: 7,
        path: undefined,
        command: "RANDOM_SEED=7 npx --yes pnpm@12 exec vitest run a.test.ts -t 'plain$'",
      },
    ])
    const broken = { name: 'b.test.ts', status: 'failed', message: 'no', assertionResults: [] }
    expect(findsIn({ numPassedTests: 0, testResults: [broken] }, 7, undefined)).toMatchObject([
      {
        message: 'no',
        command: 'RANDOM_SEED=7 npx --yes pnpm@12 exec vitest run b.test.ts',
      },
    ])
  })
})
