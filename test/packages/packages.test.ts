import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../free-port.ts'
import { type FreshDatabase, makeDatabase } from '../fresh-database.ts'
import { type PageProgram, programs } from '../page-programs.ts'
import { isOn } from '../storages.ts'
import { type InstalledProject, installProject } from './installed-project.ts'
import { type PackedPackage, packPackages } from './pack-packages.ts'
import { runCommand } from './run-command.ts'

/** Every page that has programs, but the one that `test/walk-throughs` follows on a copy of the workspace. */
const pages = globSync(['README.md', 'docs/*.md', 'packages/*/README.md'])
  .filter((page) => page !== 'docs/extending.md')
  .toSorted()

const pagePrograms = programs(pages)

function fileOf({ page, number }: PageProgram): string {
  return `${page.replace(/\W/g, '-')}-${number}`
}

async function runPage(program: PageProgram): Promise<string> {
  return (await project.run(fileOf(program))).trim()
}

let folder: string
let packed: readonly PackedPackage[]
let project: InstalledProject
/** Of the program that keeps its data in one; undefined where no PostgreSQL is to be tested. */
let database: FreshDatabase | undefined

beforeAll(async () => {
  // Outside of the workspace, so that nothing of it is found from there.
  folder = mkdtempSync(join(tmpdir(), 'gateleg-packages-'))
  packed = await packPackages(folder)
  project = installProject(join(folder, 'project'), packed)
  const port = String(await findFreePort())
  if (isOn('postgres')) database = await makeDatabase()
  project.compile([
    ...pagePrograms.map((program) => {
      const code = program.code
        .replaceAll('3001', port)
        .replace(/postgres:\/\/[^']+/, () => database?.connectionString ?? '')
      return { name: fileOf(program), code }
    }),
    {
      name: 'program-on-threads',
      code: readFileSync(join(import.meta.dirname, 'program-on-threads.ts'), 'utf8'),
    },
  ])
}, 180_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await database?.drop()
})

test('a package holds its page, its licence and what is built of it, without its tests', () => {
  for (const { name, files } of packed) {
    const names = [...files.keys()].filter((file) => !file.startsWith('dist/'))
    expect([name, names.toSorted()]).toEqual([name, ['LICENSE', 'README.md', 'package.json']])
    const built = [...files.keys()].filter((file) => file.startsWith('dist/'))
    expect(built).toContain('dist/index.js')
    expect(built).toContain('dist/index.d.ts')
    expect(built.filter((file) => /\.test\.|(?<!\.d)\.ts$/.test(file))).toEqual([])
    expect(files.get('package.json')).not.toMatch(/workspace:|catalog:/)
  }
})

test('what a package is made of can be read in its source maps', () => {
  const { files } = packed.find(({ name }) => name === '@gateleg/domain') as PackedPackage
  const maps = [...files].filter(([name]) => name.endsWith('.js.map'))
  const sources = maps.flatMap(([, text]) => JSON.parse(text).sources)
  expect(sources).toContain('../src/tree/tree.ts')
  for (const [, text] of maps) expect(JSON.parse(text).sourcesContent).not.toContain(null)
})

test('what is built into a package comes with its licence, and is loaded from nowhere else', () => {
  const builtIn = packed.flatMap(({ files }) => {
    const { inlinedDependencies = [] } = JSON.parse(files.get('package.json') ?? '')
    const notices = files.get('dist/third-party.txt') ?? ''
    for (const other of inlinedDependencies) expect(notices).toContain(`\n${other} `)
    return inlinedDependencies
  })
  expect(builtIn).toEqual(['zod', 'inversify', 'reflect-metadata', 'kysely'])
  const imports = new RegExp(`^(import|export) .*["'](${builtIn.join('|')})["']`, 'm')
  for (const { name, files } of packed) {
    const loading = [...files].filter(([file, text]) => file.endsWith('.js') && imports.test(text))
    expect([name, loading.map(([file]) => file)]).toEqual([name, []])
  }
})

test('what a client in a browser needs imports nothing of Node', () => {
  const needed = packed.filter(({ name }) => /\/(domain|contract)$/.test(name))
  const texts = needed.flatMap(({ files }) => [...files]).filter(([name]) => name.endsWith('.js'))
  expect(texts.length).toBeGreaterThan(4)
  expect(texts.filter(([, text]) => /\b(from|import) ?\(?["']node:/.test(text))).toEqual([])
})

test('what sends mail, or writes it to a folder, is loaded by the subpath for it alone', () => {
  const { files } = packed.find(({ name }) => name === '@gateleg/engine') as PackedPackage
  const loading = [...files].filter(
    ([file, text]) => file.endsWith('.js') && /smtp|nodemailer/.test(text),
  )
  expect(loading.map(([file]) => file).toSorted()).toEqual([
    'dist/platform/mail/outbox-mailer.js',
    'dist/platform/mail/smtp-mailer.js',
  ])
})

test('an engine opens without the code of operations, jobs, repositories and ports, without that of other people’s packages, and without what only other packages use', () => {
  const texts = new Map<string, string>(
    packed.flatMap(({ name, files }) =>
      [...files].map(([file, text]) => [`${name}/${file}`, text] as const),
    ),
  )
  const opened = [...texts.keys()].filter((file) =>
    /\/(opening-later|beside-writer)-[^/]*\.js$/.test(file),
  )
  expect(opened).toHaveLength(3)
  const loaded = new Set([
    'gateleg/dist/index.js',
    '@gateleg/adapters-sqlite/dist/statement-worker.js',
    ...opened,
  ])
  for (const file of loaded) {
    const imports = texts.get(file)?.matchAll(/^(?:im|ex)port\b[^'"\n]*["']([^"'\n]+)["']/gm) ?? []
    for (const [, specifier = ''] of imports) {
      const [, owner, subpath = 'index'] = /^(@gateleg\/[^/]+)(?:\/(.*))?$/.exec(specifier) ?? []
      if (owner) loaded.add(`${owner}/dist/${subpath}.js`)
      if (specifier.startsWith('.')) loaded.add(join(file, '..', specifier))
    }
  }
  expect([...loaded]).toEqual(
    expect.arrayContaining([
      '@gateleg/engine/dist/internal.js',
      '@gateleg/domain/dist/internal.js',
    ]),
  )
  expect([...loaded].filter((file) => !texts.has(file))).toEqual([])
  const late = /\/(use-cases|job-kinds|internal-late|(?:sql-transaction|dialect|wire)-[^/]*)\.js$/
  expect([...texts.keys()].filter((file) => late.test(file))).toHaveLength(9)
  expect([...loaded].filter((file) => late.test(file))).toEqual([])
  const hasOthers = (file: string) => /^\/\/ .*\/node_modules\//m.test(texts.get(file) ?? '')
  expect([...texts.keys()].filter(hasOthers)).not.toEqual([])
  expect([...loaded].filter(hasOthers)).toEqual([])
})

test('publint finds nothing in any package', async () => {
  for (const { name, tarball } of packed) {
    const data = readFileSync(tarball)
    const bytes = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)
    const { messages } = await publint({ pack: { tarball: bytes }, strict: true })
    expect([name, messages]).toEqual([name, []])
  }
})

test('programs that import a package find its types, by every subpath', async () => {
  // Of CommonJS and of TypeScript's oldest way of finding modules the packages promise nothing.
  const promised = new Set(['node16-esm', 'bundler'])
  for (const { name, tarball } of packed) {
    const checked = await checkPackage(createPackageFromTarballData(readFileSync(tarball)))
    const problems = checked.types
      ? checked.problems.filter(
          (problem) => !('resolutionKind' in problem) || promised.has(problem.resolutionKind),
        )
      : ['it has no types']
    expect([name, problems]).toEqual([name, []])
  }
})

test('the programs of all pages pass the compiler, and print what the pages say, installed', async () => {
  // One declares tests, which a test runner runs, and prints nothing.
  const all = pagePrograms.filter(({ prints }) => prints !== undefined)
  expect(all).toHaveLength(pagePrograms.length - 1)
  const printing = all.filter(({ page }) => database || !page.includes('postgres'))
  expect(new Set(pagePrograms.map(({ page }) => page)).size).toBeGreaterThan(20)
  const printed: unknown[] = []
  // A few at a time: the time that one may take isn't spent on waiting for dozens of others.
  const [...waiting] = printing.entries()
  const runNext = async (): Promise<void> => {
    const [index, program] = waiting.shift() ?? []
    if (index === undefined || !program) return
    printed[index] = [program.page, program.number, await runPage(program)]
    return runNext()
  }
  await Promise.all([runNext(), runNext(), runNext(), runNext()])
  expect(printed).toEqual(printing.map(({ page, number, prints }) => [page, number, prints]))
}, 180_000)

test('[SQLITE-33] an installed storage works on threads, and its program waits for them', async () => {
  expect(await project.run('program-on-threads')).toBe('1500 records, 0 problems')
}, 180_000)

test('npx gateleg serves, and ends at a signal', async () => {
  const command = runCommand(project.folder)
  const url = await command.url
  const health = await fetch(`${url}/health`)
  expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }])
  const page = await fetch(`${url}/docs/swagger-ui-bundle.js`)
  expect([page.status, (await page.text()).length > 100_000]).toEqual([200, true])
  command.interrupt()
  await command.ended
  await expect(fetch(`${url}/health`)).rejects.toThrow()
})
