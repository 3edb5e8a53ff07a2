import { parseArgs } from 'node:util'
import type { Benchmark } from './benchmark.ts'
import { benchmarks } from './benchmarks.ts'
import { type StorageUnderTest, storages } from './storages.ts'

export interface Options {
  readonly selected: readonly Benchmark[]
  readonly storages: readonly StorageUnderTest[]
  readonly rounds: number
  /** Where to write profiles of our server; undefined for none. */
  readonly profiles: string | undefined
  /** Whether our server runs from its sources rather than as it is shipped. */
  readonly runsSources: boolean
  /** The file that the measurements are written to; undefined for none. */
  readonly save: string | undefined
  /** The file of an earlier run, beside which this one is shown; undefined for none. */
  readonly compare: string | undefined
}

const roundsDefault = 7

/** Those that run only where they are named. */
const long = benchmarks.filter(({ isLong }) => isLong).map(({ name }) => name)

/** How the command is called. */
export const usage = `pnpm bench [--only NAME] [--storage NAME] [--rounds N] [--sources] [--profiles FOLDER] [--save FILE] [--compare FILE]
--only: ${benchmarks.map(({ name }) => name).join(', ')}; may be given more than once, all but ${long.join(', ')} when not given
--storage: ${storages.map(({ name }) => name).join(', ')}; may be given more than once, all when not given
--rounds: a whole number from 1, ${roundsDefault} when not given
--sources: our server runs from its sources, not from the packages that are built of them
--profiles: the folder that processor profiles of the server are written to, none when not given
--save: the file that the measurements are written to
--compare: a file that an earlier run saved, whose figures are shown beside these`

/** Reads the command line; throws with a sentence that says what is expected. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true },
      storage: { type: 'string', multiple: true },
      rounds: { type: 'string', default: String(roundsDefault) },
      sources: { type: 'boolean', default: false },
      profiles: { type: 'string' },
      save: { type: 'string' },
      compare: { type: 'string' },
    },
  })
  const rounds = Number(values.rounds)
  const ordinary = benchmarks.map(({ name }) => name).filter((name) => !long.includes(name))
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds is a whole number from 1')
  return {
    selected: select('only', benchmarks, values.only ?? ordinary),
    storages: select('storage', storages, values.storage),
    rounds,
    runsSources: values.sources,
    profiles: values.profiles,
    save: values.save,
    compare: values.compare,
  }
}

/** Those of all that are named, all of them when none is. */
function select<T extends { readonly name: string }>(
  option: string,
  all: readonly T[],
  names: readonly string[] | undefined,
): readonly T[] {
  if (names === undefined) return all
  const known = all.map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new Error(`--${option} is one of ${known.join(', ')}, and may be given more than once`)
  }
  return all.filter(({ name }) => names.includes(name))
}
