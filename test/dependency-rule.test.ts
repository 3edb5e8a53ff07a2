import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** What each package may import of the others, in code that is not a test. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  contract: ['domain'],
  sql: ['domain'],
  'adapters-sqlite': ['domain', 'sql'],
  'adapters-postgres': ['domain', 'sql'],
  engine: ['domain'],
  testing: ['domain'],
  'http-express': ['domain', 'contract', 'engine'],
  server: [
    'domain',
    'contract',
    'engine',
    'http-express',
    'sql',
    'adapters-sqlite',
    'adapters-postgres',
  ],
}

/** What a package may import from outside; undefined for what its package.json declares. */
const outside: Readonly<Record<string, RegExp>> = {
  domain: /^zod$/,
  contract: /^zod$/,
  sql: /^kysely$/,
}

interface Import {
  readonly file: string
  readonly from: string
}

function importsOf(packageName: string): readonly Import[] {
  return globSync(`packages/${packageName}/src/**/*.ts`)
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const source = readFileSync(file, 'utf8')
      const found = source.matchAll(/^(?:import|export)\b[^'"]*?from '([^']+)'|^import '([^']+)'/gm)
      return [...found].map(([, named, bare]) => ({ file, from: named ?? bare ?? '' }))
    })
}

const packages = globSync('packages/*').map((path) => path.slice('packages/'.length))

test('every package is in the rule', () => {
  expect(packages.toSorted()).toEqual(Object.keys(allowed).toSorted())
})

test.each(packages)('%s imports only what lies before it', (packageName) => {
  const wrong = importsOf(packageName).filter(({ from }) => {
    const other = /^@gateleg\/([^/]+)/.exec(from)?.[1]
    return other !== undefined && !allowed[packageName]?.includes(other)
  })
  expect(wrong).toEqual([])
})

test.each(packages)('%s imports from outside only what it may', (packageName) => {
  const manifest = JSON.parse(readFileSync(`packages/${packageName}/package.json`, 'utf8'))
  const { dependencies, peerDependencies, inlinedDependencies = [] } = manifest
  const inlined = Object.fromEntries(inlinedDependencies.map((name: string) => [name, name]))
  const declared = { ...dependencies, ...peerDependencies, ...inlined }
  const wrong = importsOf(packageName).filter(({ from }) => {
    if (from.startsWith('.') || from.startsWith('@gateleg/')) return false
    const rule = outside[packageName]
    if (rule) return !rule.test(from)
    if (from.startsWith('node:')) return false
    const name = /^(@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? from
    return !(name in declared)
  })
  expect(wrong).toEqual([])
})

test.each(packages)('%s declares the packages that it imports', (packageName) => {
  const manifest = JSON.parse(readFileSync(`packages/${packageName}/package.json`, 'utf8'))
  const imported = importsOf(packageName).flatMap(
    ({ from }) => /^@gateleg\/[^/]+/.exec(from)?.[0] ?? [],
  )
  const missing = [...new Set(imported)].filter((name) => !(name in manifest.dependencies))
  expect(missing).toEqual([])
})

test('inversify is imported by the engine alone', () => {
  const importers = packages.filter((packageName) =>
    importsOf(packageName).some(({ from }) => from === 'inversify' || from === 'reflect-metadata'),
  )
  expect(importers).toEqual(['engine'])
})

test('the domain and the shared SQL read no time and make no chance of their own', () => {
  const files = globSync('packages/{domain,sql}/src/**/*.ts').filter((f) => !f.endsWith('.test.ts'))
  const withoutComments = (file: string) =>
    readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  const wrong = files.filter((file) =>
    /Date\.now\(|new Date\(\)|Math\.random\(|performance\.now\(|\bcrypto\.|\bprocess\.|\bBuffer\b/.test(
      withoutComments(file),
    ),
  )
  expect(wrong).toEqual([])
})
