import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { startVitest } from 'vitest/node'

/**
 * The test command: lint, types, then every test. Ends with a line `N passed, N failed`, in which a
 * failed check counts as one. Arguments narrow the tests to files whose path has one of them.
 */
const checks = [
  ['biome', 'check', '.'],
  ['tsc', '-p', '.'],
] as const

// Hundreds of threads and servers are started from the sources: without this each would compile them anew.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/compiled')

let passed = 0
let failed = 0

for (const [command, ...args] of checks) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status === 0) passed++
  else failed++
}

const vitest = await startVitest('test', process.argv.slice(2), { run: true, watch: false })
for (const module of vitest.state.getTestModules()) {
  if (module.errors().length > 0) failed++
  for (const test of module.children.allTests()) {
    const { state } = test.result()
    if (state === 'passed') passed++
    if (state === 'failed') failed++
  }
}
failed += vitest.state.getUnhandledErrors().length
await vitest.close()
const filters = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))
if (filters.length > 0 && vitest.state.getTestModules().length === 0) {
  console.error(`No test file has ${filters.join(' or ')} in its path.`)
}

console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 && passed > checks.length ? 0 : 1)
