import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (name: string) => readFileSync(join(import.meta.dirname, '..', name), 'utf8')

// Otherwise every package greets who runs pnpm by an older Node with a warning about a Node that runs nothing.
test('engines are compared with the Node that comes with the dependencies', () => {
  const { node } = JSON.parse(read('package.json')).devDependencies
  expect(/^nodeVersion: (.*)$/m.exec(read('pnpm-workspace.yaml'))?.[1]).toBe(node)
  expect(process.versions.node).toBe(node)
})
