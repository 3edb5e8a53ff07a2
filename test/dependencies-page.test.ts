import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** The packages of others that a package of ours needs when it runs, those that are published within it included. */
function dependenciesOf(name: string): string[] {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
  const names = Object.keys({ ...manifest.dependencies }).concat(manifest.inlinedDependencies ?? [])
  return names.filter((dependency) => !dependency.startsWith('@gateleg/'))
}

test('every package of others that is needed at run time has its reason in docs/security.md', () => {
  const packages = readdirSync(join(root, 'packages')).filter((name) => name !== 'testing')
  const needed = new Set(packages.flatMap(dependenciesOf))
  const page = readFileSync(join(root, 'docs/security.md'), 'utf8')
  const [, section = ''] = page.split('## What is installed')
  const named = [...section.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, name]) => name)
  expect(named.toSorted()).toEqual([...needed].toSorted())
})
