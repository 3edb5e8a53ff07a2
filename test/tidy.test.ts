import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'

const sources = globSync('{packages,examples}/*/src/**/*.ts').concat(
  globSync('{bench/src,scripts,test}/**/*.ts'),
)
const linesMax = 500

const bannedNames =
  /^(utils?|helpers?|common|misc|types?|interfaces?|constants?|services?|managers?|dtos?)$/
const bannedFolders =
  /\/(entities|ports|handlers|dtos|services|utils|helpers|commands|mappers|use-cases)\//

test('no file has a name that says nothing', () => {
  const wrong = sources.filter((file) =>
    bannedNames.test(basename(file).replace(/(\.test)?\.ts$/, '')),
  )
  expect(wrong).toEqual([])
})

test('no folder is named after a pattern', () => {
  expect(sources.filter((file) => bannedFolders.test(file))).toEqual([])
})

test('files are named in kebab-case', () => {
  const wrong = sources.filter((file) => !/^[a-z0-9]+([-.][a-z0-9]+)*\.ts$/.test(basename(file)))
  expect(wrong).toEqual([])
})

test(`no file is longer than ${linesMax} lines`, () => {
  const wrong = sources.filter(
    (file) => readFileSync(file, 'utf8').split('\n').length > linesMax + 1,
  )
  expect(wrong).toEqual([])
})

test('no name carries a prefix or suffix that says nothing', () => {
  const pattern =
    /\b(?:class|interface|type) (I[A-Z][a-z]\w*|\w+(?:Impl|Manager|Helper|Processor))\b/
  const wrong = sources.filter((file) => pattern.test(readFileSync(file, 'utf8')))
  expect(wrong).toEqual([])
})

/** The rules of every SPEC.md, and the ids that titles of tests cite. */
function rulesAndCitations() {
  const rules = globSync('packages/*/src/**/SPEC.md').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^- ([A-Z]+-\d+) /gm)].map(([, id]) => id ?? ''),
  )
  const cited = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/['"`](?:\[[A-Z]+-\d+\] ?)+/g)].flatMap(([title]) =>
      [...title.matchAll(/[A-Z]+-\d+/g)].map(([id]) => id),
    ),
  )
  return { rules, cited: new Set(cited) }
}

test('every rule is stated once', () => {
  const { rules } = rulesAndCitations()
  expect(rules.filter((id, index) => rules.indexOf(id) !== index)).toEqual([])
})

test('every rule is cited by a test', () => {
  const { rules, cited } = rulesAndCitations()
  expect(rules.filter((id) => !cited.has(id))).toEqual([])
})

test('every cited rule exists', () => {
  const { rules, cited } = rulesAndCitations()
  const known = new Set(rules)
  expect([...cited].filter((id) => !known.has(id))).toEqual([])
})

test('a title that says always or never stands over a property', () => {
  const wrong = sources
    .filter((file) => file.endsWith('.test.ts') && !file.startsWith('test/tidy'))
    .flatMap((file) => {
      const tests = readFileSync(file, 'utf8')
        .split(/^\s*(?=test(?:\.each\([^)]*\))?\()/gm)
        .slice(1)
      const claims = tests.filter((text) => /^test[^\n]*\b(always|never)\b/.test(text))
      return claims
        .filter((text) => !/\bfc\.|assert[A-Z]/.test(text))
        .map((text) => [file, text.slice(0, 80)])
    })
  expect(wrong).toEqual([])
})

test('no committed text names a registry', () => {
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
    .split('\n')
    .filter(existsSync)
  const hosts = /registry\.(npmjs|yarnpkg)|deb\.debian\.org/
  const wrong = files.filter((file) => {
    if (file.startsWith('test/tidy') || !/\.(ts|md|json|ya?ml)$|^\.ci/.test(file)) return false
    return hosts.test(readFileSync(file, 'utf8'))
  })
  expect(wrong).toEqual([])
})
