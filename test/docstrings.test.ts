import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const domain = 'packages/domain/src'

/** The names that files import of files of the domain in other folders, as `file name`. */
function importedFromOtherFolders(): ReadonlySet<string> {
  const files = globSync('{packages/*/src,examples/*/src,bench/src,torture/src,test}/**/*.ts')
  const found = files.flatMap((file) => {
    const source = readFileSync(file, 'utf8')
    const imports = source.matchAll(/^import (?:type )?\{([^}]*)\} from '([^']+)'/gm)
    return [...imports].flatMap(([, names = '', from = '']) => {
      const target = pathOf(file, from)
      if (!target || dirname(target) === dirname(file)) return []
      const words = names.split(',').map((name) => /(\w+)(?: as \w+)?\s*$/.exec(name)?.[1] ?? '')
      return words.map((name) => `${target} ${name}`)
    })
  })
  return new Set(found)
}

/** The file of the domain that an import names; undefined for any other. */
function pathOf(file: string, from: string): string | undefined {
  if (from.startsWith('@gateleg/domain/')) {
    return `${domain}/${from.slice('@gateleg/domain/'.length)}.ts`
  }
  return from.startsWith('.') && file.startsWith(domain) ? join(dirname(file), from) : undefined
}

test('what one folder of the domain offers to others is described', () => {
  const imported = importedFromOtherFolders()
  const files = globSync(`${domain}/**/*.ts`).filter((file) => !file.endsWith('.test.ts'))
  const wrong = files.flatMap((file) => {
    const source = readFileSync(file, 'utf8')
    const declarations = source.matchAll(
      /(\*\/\n|\/\/ biome-ignore[^\n]*\n)?^export (?:async function|function|const|class|interface|type) (\w+)/gm,
    )
    return [...declarations].flatMap(([, described, name]) =>
      described || !imported.has(`${file} ${name}`) ? [] : [`${file} ${name}`],
    )
  })
  expect(wrong).toEqual([])
})
