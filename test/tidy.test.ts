import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'

const sources = globSync('{packages,examples}/*/src/**/*.ts').concat(
  globSync('{bench/src,torture/src,scripts,test}/**/*.ts'),
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

/**
 * What is wrong with the form of a SPEC.md: each line is a heading, a term or a rule of one line, or a
 * paragraph of whole sentences right under a heading, and nothing stands twice. So a slipped edit is seen at
 * once.
 */
function findDamage(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line !== '')
  const kinds = lines.map((line) => {
    if (/^#{1,2} \p{Lu}.*[^.]$/u.test(line)) return 'heading'
    if (/^- [A-Z]+-\d+ [\p{Lu}\d`].*\.$/u.test(line)) return 'rule'
    if (/^- \*\*.+\*\*: .*\.$/u.test(line)) return 'term'
    return /^\p{Lu}.*\.$/u.test(line) ? 'paragraph' : 'fragment'
  })
  return lines.filter((line, index) => {
    const before = kinds[index - 1]
    const after = kinds[index + 1]
    if (lines.indexOf(line) !== index) return true
    if (kinds[index] === 'rule') return before === undefined || before === 'term'
    if (kinds[index] === 'term') return before !== 'term' && lines[index - 1] !== '## Vocabulary'
    if (kinds[index] === 'paragraph') return before !== 'heading'
    if (kinds[index] === 'fragment') return true
    return index === 0 ? after === undefined : !['rule', 'term', 'paragraph'].includes(after ?? '')
  })
}

test('every SPEC.md is made of headings, rules and whole sentences', () => {
  const wrong = globSync('packages/*/src/**/SPEC.md').flatMap((file) =>
    findDamage(readFileSync(file, 'utf8')).map((line) => [file, line]),
  )
  expect(wrong).toEqual([])
})

test.each([
  ['a fragment between rules', '- A-1 One holds.\nholds however deep it lies./\n- A-2 Two holds.'],
  ['a fragment that is indented', '- A-1 One holds.\n  holds however deep it lies./'],
  ['a rule without its end', '- A-1 One holds and'],
  ['a rule that begins in the middle', '- A-1 and one holds.'],
  ['a term among the rules', '- A-1 One holds.\n- **one**: the first.'],
  ['a rule among the terms', '## Vocabulary\n\n- **one**: the first.\n- A-1 One holds.'],
  ['a sentence after the rules', '- A-1 One holds.\n\nTwo holds as well.'],
  ['a line that stands twice', '- A-1 One holds.\n- A-1 One holds.'],
  ['a heading over nothing', '- A-1 One holds.\n\n## More'],
  ['a heading without its mark', '- A-1 One holds.\n\nMore'],
])('damage of a SPEC.md is found: %s', (_, text) => {
  expect(findDamage(`# Letters\n\n${text}\n`)).toHaveLength(1)
})

test('the rules of a feature begin with its vocabulary', () => {
  const wrong = globSync('packages/domain/src/*/SPEC.md').filter((file) => {
    const [, first] = /^## (.*)$/m.exec(readFileSync(file, 'utf8')) ?? []
    return first !== 'Vocabulary'
  })
  expect(wrong).toEqual([])
})

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
