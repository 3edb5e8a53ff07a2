import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const packages = join(import.meta.dirname, '../packages')

/** The file of the workspace that an import of another one leads to; undefined for one of a package from elsewhere. */
function fileOf(specifier: string, importer: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(importer), specifier)
  const [, name, path] = /^@gateleg\/([^/]+)\/(.+)$/.exec(specifier) ?? []
  return name === undefined ? undefined : join(packages, name, 'src', `${path}.ts`)
}

/** What a file imports to use it, and not for its types alone. */
function importsOf(file: string): readonly string[] {
  const statements = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export)\s+(?!type\b)(?:\{([^}]*)\}|[^'{]*?)\s*from\s+'([^']+)'/gm,
  )
  return [...statements].flatMap(([, names, specifier = '']) => {
    const used = (names ?? 'all').split(',').map((name) => name.trim())
    return used.every((name) => name === '' || name.startsWith('type ')) ? [] : specifier
  })
}

/** The packages from elsewhere that a program loads, however far off they are imported. */
function packagesOf(program: string): readonly string[] {
  const files = new Set([program])
  const found = new Set<string>()
  for (const file of files) {
    for (const specifier of importsOf(file)) {
      const next = fileOf(specifier, file)
      if (next !== undefined) files.add(next)
      else if (!specifier.startsWith('node:')) found.add(specifier)
    }
  }
  return [...found]
}

// A thread is started where the first long work comes, and each has all that it loads for itself.
test('the threads of SQLite load no package but that of SQLite', () => {
  const worker = join(packages, 'adapters-sqlite/src/threads/statement-worker.ts')
  expect(packagesOf(worker)).toEqual(['better-sqlite3'])
  // What does load more is found: this walk is not blind.
  expect(packagesOf(join(packages, 'domain/src/values/dates/date-formatting.ts'))).toEqual(['zod'])
})
