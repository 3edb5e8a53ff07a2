import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import { findFreePort } from './free-port.ts'
import { programs } from './page-programs.ts'

// All programs of the pages run in test/packages, where the packages are installed; here, one of each in a checkout.
const first = programs(['README.md', 'docs/embedding.md']).filter(({ number }) => number === 1)

test.each(first)(
  'the first program of $page runs in a checkout, and prints what the page says',
  async ({ code, prints }) => {
    const own = code.replaceAll('3001', String(await findFreePort()))
    const output = execFileSync(process.execPath, ['--input-type=module-typescript', '-e', own], {
      encoding: 'utf8',
      timeout: 30_000,
    })
    expect(output.trim()).toBe(prints)
  },
)

test('a program that is saved where the pages say is neither linted nor checked with the workspace', () => {
  const biome = JSON.parse(readFileSync('biome.json', 'utf8'))
  const typescript = JSON.parse(readFileSync('tsconfig.json', 'utf8'))
  const looksAt = (file: string) => ({
    lint: biome.files.includes.some((pattern: string) => matchesGlob(file, pattern)),
    types: typescript.include.some((pattern: string) => matchesGlob(file, pattern)),
  })
  expect(looksAt('my.ts')).toEqual({ lint: false, types: false })
  expect(looksAt('vitest.config.ts')).toEqual({ lint: true, types: true })
})

test('every file, and every heading, that the pages link to is there', () => {
  const pages = [...globSync(['*.md', 'docs/*.md']), ...globSync('packages/*/src/**/SPEC.md')]
  const missing = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s#]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, path = '']) => !path.startsWith('http'))
      .filter(([, path = '', heading]) => {
        const target = path === '' ? page : join(page, '..', path)
        return !existsSync(target) || (heading !== undefined && !anchorsOf(target).has(heading))
      })
      .map(([link]) => `${page}: ${link}`),
  )
  expect(missing).toEqual([])
})

/** What links call the headings of a page. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}
