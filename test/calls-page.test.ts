import { readFileSync } from 'node:fs'
import { operations } from '@gateleg/contract/operations'
import { expect, test } from 'vitest'

test('docs/calls.md has every operation whose status is none that its method leads to expect', () => {
  const page = readFileSync('docs/calls.md', 'utf8')
  const told = [...page.matchAll(/^\| (`[A-Z]+ \/.*) \|$/gm)].flatMap(([, line = '']) => {
    const cells = line.split('|').map((cell) => cell.replaceAll('`', '').trim())
    return cells.flatMap((cell, index) => (cell === '' ? [] : [`${cell}: ${[200, 201][index]}`]))
  })
  const unusual = operations
    .filter(({ method, status }) => status !== (method === 'POST' ? 201 : 200))
    .map(({ method, path, status }) => `${method} ${path}: ${status}`)
  expect(told.toSorted()).toEqual(unusual.toSorted())
})
