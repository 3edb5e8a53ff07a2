import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stepsUnder } from './page-steps.ts'
import { copyWorkspace, type WorkspaceCopy } from './workspace-copy.ts'

let copy: WorkspaceCopy
const touched: Record<string, readonly string[]> = {}

beforeAll(() => {
  copy = copyWorkspace()
  for (const heading of ['An operation', 'A repository', 'A storage']) {
    touched[heading] = copy.follow(stepsUnder(heading))
  }
}, 180_000)
afterAll(() => copy.remove())

const isTest = (path: string) => path.endsWith('.test.ts') || path.includes('/contracts/')

test('each touches as many files as its page says, beside its tests', () => {
  const counts = Object.entries(touched).map(([heading, paths]) => [
    heading,
    paths.filter((path) => !isTest(path)).length,
  ])
  expect(counts).toEqual([
    ['An operation', 4],
    ['A repository', 4],
    ['A storage', 1],
  ])
  const page = readFileSync('docs/extending.md', 'utf8')
  expect(page).toContain('An operation touches four files')
  expect(page).toContain('A repository touches four files')
})

test('all of it together passes the compiler', () => {
  expect(copy.run('tsc', '-p', '.')).toBe('')
}, 180_000)

test('what was added does what its tests say', () => {
  const files = ['get-space-age', 'toy-storage']
  const printed = copy.run(
    'vitest',
    'run',
    ...files,
    '-t',
    'age of a space|spaceCount|STORE-(9|69)',
  )
  expect(printed).toMatch(/Test Files +2 passed \(2\)/)
}, 180_000)
