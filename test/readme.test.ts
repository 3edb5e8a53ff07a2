import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const readme = readFileSync('README.md', 'utf8')

test('the example of embedding in the README runs, and prints what the README says', () => {
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
  const [, printed] = /It prints `([^`]+)`/.exec(readme) ?? []
  const output = execFileSync(process.execPath, ['--input-type=module-typescript', '-e', code], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  expect(output.trim()).toBe(printed)
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
