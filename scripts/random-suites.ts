import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Tests that draw what they do, and how much of it one round draws. */
export interface RandomSuite {
  /** Parts of the paths of its files. */
  readonly files: readonly string[]
  /** The variable of the environment by which the tests are told how much a round draws, and how much it is where it isn't set. */
  readonly drawn?: { readonly by: string; readonly usually: number }
  /** For people: what a round runs, by how much it draws. */
  readonly round: string | ((drawn: number) => string)
}

/** Suites with a name of their own. Rounds are short, so that time that is given is kept to. */
const namedSuites: Readonly<Record<string, RandomSuite>> = {
  model: {
    files: ['packages/domain/src/calculations/workspace-model.test.ts'],
    drawn: { by: 'MODEL_SCRIPTS', usually: 300 },
    round: (scripts) =>
      `${toText(scripts)} scripts and three times ${toText(scripts / 5)} in the background on SQLite, a tenth of that on others, and known ones`,
  },
  differential: {
    files: ['test/differential.test.ts'],
    drawn: { by: 'DIFFERENTIAL_SCRIPTS', usually: 25 },
    round: (scripts) => `${toText(scripts)} scripts of 100 steps on two storages, and known ones`,
  },
  undo: {
    files: ['packages/domain/src/undo/'],
    drawn: { by: 'UNDO_SEQUENCES', usually: 300 },
    round: (sequences) => `${toText(sequences * 2)} sequences of undo and redo on each storage`,
  },
  trash: {
    files: [
      'packages/domain/src/trash/trash.test.ts',
      'packages/domain/src/trash/trash-sequences.test.ts',
    ],
    drawn: { by: 'TRASH_SEQUENCES', usually: 3_000 },
    round: (sequences) =>
      `${toText(sequences)} sequences of what is deleted, restored, purged and undone on SQLite, a fifteenth of that on others`,
  },
  restore: {
    files: ['packages/domain/src/trash/restore-large.test.ts'],
    drawn: { by: 'RESTORED_RECORDS', usually: 50_000 },
    round: (records) =>
      `a table of ${toText(records)} linked records that comes back on each storage`,
  },
  formulas: {
    files: [
      'packages/domain/src/formulas/',
      'packages/testing/src/models/values/model-formula.test.ts',
    ],
    round: 'every property of formulas as often as in the test command',
  },
  fields: {
    files: ['packages/domain/src/fields/'],
    round: 'every property of fields and cells as often as in the test command',
  },
  records: {
    files: ['packages/domain/src/records/', 'packages/domain/src/bases/bases.test.ts'],
    round: 'every property of records and bases as often as in the test command',
  },
  archives: {
    files: [
      'packages/domain/src/archives/archive-model.test.ts',
      'packages/domain/src/archives/trash-in-archives.test.ts',
      'packages/domain/src/archives/trash-model.test.ts',
    ],
    drawn: { by: 'ARCHIVE_SCRIPTS', usually: 100 },
    round: (scripts) =>
      `${toText(scripts)} scripts whose bases are archived, as many whose deleted records are, and twice as many whose trash is, from each storage to each`,
  },
  files: {
    files: ['test/kept-files.test.ts'],
    drawn: { by: 'FILE_DEEDS', usually: 10_000 },
    round: (deeds) =>
      `${toText(deeds)} deeds with files on a disk and as many in a bucket on SQLite, a hundredth of that on others`,
  },
  tree: {
    files: ['packages/domain/src/tree/tree.test.ts'],
    round: 'every property of the tree as often as in the test command',
  },
  http: {
    files: ['packages/http-express/src/', 'packages/contract/src/', 'test/injection.test.ts'],
    round: 'every property of requests as often as in the test command',
  },
  storage: {
    files: [
      'packages/adapters-sqlite/src/',
      'packages/adapters-postgres/src/',
      'test/concurrent-links.test.ts',
      'test/many-writers.test.ts',
    ],
    round: 'every property of storages, and plans of many writers',
  },
  crash: {
    files: ['packages/server/src/crashes/crash.test.ts'],
    round: 'one plan of twenty lives',
  },
}

/** Tests of what makes tests random. */
const testsOfThis = ['test/explore.test.ts', 'test/random-runs.test.ts']

/** The suites that can be explored: together they have every test that draws what it does. */
export const randomSuites: Readonly<Record<string, RandomSuite>> = {
  ...namedSuites,
  others: {
    files: randomTestsBesides([
      ...testsOfThis,
      ...Object.values(namedSuites).flatMap(({ files }) => files),
    ]),
    round: 'all other properties as often as in the test command',
  },
}

/** What the environment says of how much a round of the suite draws, and what one runs then. */
export function roundOf(
  { drawn, round }: RandomSuite,
  env: Readonly<Record<string, string | undefined>>,
): { readonly env: Readonly<Record<string, string>>; readonly text: string } {
  // Whoever says how much a round draws has it so.
  const amount = drawn ? (env[drawn.by] ?? String(drawn.usually)) : ''
  return {
    env: drawn ? { [drawn.by]: amount } : {},
    text: typeof round === 'string' ? round : round(Number(amount)),
  }
}

function toText(amount: number): string {
  return Math.ceil(amount).toLocaleString('en')
}

/** The files with tests that draw what they do, but those whose paths begin so. */
function randomTestsBesides(known: readonly string[]): readonly string[] {
  const root = join(import.meta.dirname, '..')
  const files = globSync(['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })
  return files.filter((file) => {
    if (known.some((beginning) => file.startsWith(beginning))) return false
    return /\bfc\.(assert|check)\(/.test(readFileSync(join(root, file), 'utf8'))
  })
}
