import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { variableNames } from './variables.ts'

test('[SERVER-20] the page about the configuration names every variable, and no other', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/configuration.md'), 'utf8')
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name),
  )
  expect(named.toSorted()).toEqual(variableNames.toSorted())
})
