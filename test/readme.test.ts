import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { matchesGlob } from 'node:path'
import { expect, test } from 'vitest'

/** A port for a page's program: the one that it names may be taken. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test.each(['README.md', 'docs/embedding.md'])(
  'the example of embedding in %s runs, and prints what the page says',
  async (page) => {
    const text = readFileSync(page, 'utf8')
    const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(text) ?? []
    const [, printed] = /It prints `([^`]+)`/.exec(text) ?? []
    const own = code.replaceAll('3001', String(await freePort()))
    const output = execFileSync(process.execPath, ['--input-type=module-typescript', '-e', own], {
      encoding: 'utf8',
      timeout: 30_000,
    })
    expect(output.trim()).toBe(printed)
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

test('every file that the pages link to is there', () => {
  const pages = ['README.md', 'CONTRIBUTING.md']
  const missing = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !link.startsWith('http') && !existsSync(link)),
  )
  expect(missing).toEqual([])
})
