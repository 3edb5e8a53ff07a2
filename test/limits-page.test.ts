import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '@gateleg/domain/limits'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** The cells of the lines of all tables of a text, without the heads of the tables. */
function linesOf(text: string): string[][] {
  const lines = [...text.matchAll(/^\|(.*)\|$/gm)].map(([, line = '']) =>
    line.split('|').map((cell) => cell.trim()),
  )
  return lines.filter((cells, index) => {
    const isRule = (line?: string[]) => line?.every((cell) => /^-+$/.test(cell))
    return !isRule(cells) && !isRule(lines[index + 1])
  })
}

function codesIn(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
}

/** The number that a cell tells, such as `1,000`, `64 KiB`, `0: no limit`. */
function toNumber(cell = ''): number {
  const [, digits = '', unit = ''] = /^([\d,]+)(?: ([KM]iB))?/.exec(cell) ?? []
  const factor = { KiB: 1024, MiB: 1024 * 1024 }[unit] ?? 1
  return Number(digits.replaceAll(',', '')) * factor
}

describe('docs/limits.md', () => {
  const page = read('docs/limits.md')
  const lines = linesOf(page)

  test('has every limit once, with its number', () => {
    const told = lines.flatMap(([, names, howMuch]) =>
      codesIn(names)
        .filter((name) => !/^[A-Z_]+$/.test(name))
        .map((name) => [name, toNumber(howMuch)]),
    )
    const byName = ([a]: (string | number)[], [b]: (string | number)[]) =>
      `${a}` < `${b}` ? -1 : 1
    expect(told.toSorted(byName)).toEqual(Object.entries(limits).toSorted(byName))
  })

  test('has the defaults of the configuration', () => {
    const defaults = new Map(
      linesOf(read('docs/configuration.md')).flatMap(([names, value]) =>
        codesIn(names).map((name) => [name, toNumber(codesIn(value)[0])]),
      ),
    )
    const told = lines.flatMap(([, names, howMuch]) =>
      codesIn(names)
        .filter((name) => /^[A-Z_]+$/.test(name))
        .map((name) => [name, toNumber(howMuch)] as const),
    )
    expect(told).toHaveLength(13)
    expect(told).toEqual(told.map(([name]) => [name, defaults.get(name)]))
  })

  test('cites rules that there are in every line', () => {
    const rules = globSync('packages/*/src/**/SPEC.md', { cwd: root }).flatMap((file) =>
      [...read(file).matchAll(/^- ([A-Z]+-\d+) /gm)].map(([, rule]) => rule),
    )
    for (const [what, , , , cited = ''] of lines) {
      const unknown = cited.split(', ').filter((rule) => !rules.includes(rule))
      expect(unknown, what).toEqual([])
    }
  })
})

test('every file that docs/security.md names is there', () => {
  const [table = ''] = read('docs/security.md').split('## Attacks')
  const lines = linesOf(table)
  expect(lines.length).toBeGreaterThan(20)
  for (const [what, defence, cell] of lines) {
    const tests = codesIn(cell)
    expect(tests.length, what).toBeGreaterThan(0)
    const named = [...tests, ...codesIn(defence).filter((code) => code.endsWith('.ts'))]
    const paths = named.flatMap((path) => [path, `packages/${path}`].filter(isThere).slice(0, 1))
    expect(paths, what).toHaveLength(named.length)
  }
})

function isThere(path: string): boolean {
  return path.includes('*')
    ? globSync(path, { cwd: root }).length > 0
    : existsSync(join(root, path))
}
