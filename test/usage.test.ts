import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

test.each([
  ['torture', 'torture/src/main.ts', '--storage'],
  ['bench', 'bench/src/main.ts', '--rounds'],
  ['explore', 'scripts/explore.ts', '--minutes'],
])('pnpm %s --help says how it is called, and does nothing', (name, file, option) => {
  const words = execFileSync(process.execPath, [file, '--help'], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  expect(words).toMatch(new RegExp(`^pnpm ${name} `))
  expect(words).toContain(`\n${option}: `)
})
