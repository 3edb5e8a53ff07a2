import { parseArgs } from 'node:util'
import { randomSuites } from './random-suites.ts'

/** What to explore, and for how long. */
export interface ExploreOptions {
  readonly suites: readonly string[]
  readonly minutes: number
}

const minutesUsually = 10
const minutesMax = 7 * 24 * 60

/** How the command is called. */
export const usage = `pnpm explore [suite ...] [--minutes N]
suites: ${Object.keys(randomSuites).join(', ')}; all of them in turn when none is named
--minutes: 0 to ${minutesMax}, ${minutesUsually} when not given; a round that has begun is finished`

/** Reads the arguments of the command. Throws with a sentence on what is none of them. */
export function readExploreOptions(args: readonly string[]): ExploreOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { minutes: { type: 'string', default: String(minutesUsually) } },
  })
  const unknown = positionals.filter((name) => !Object.hasOwn(randomSuites, name))
  if (unknown.length > 0) throw new Error(`there is no suite "${unknown.join('", "')}"`)
  const minutes = Number(values.minutes)
  if (!/^\d+(\.\d+)?$/.test(values.minutes) || minutes > minutesMax) {
    throw new Error(`--minutes is "${values.minutes}": it takes a number from 0 to ${minutesMax}`)
  }
  const named = [...new Set(positionals)]
  return { suites: named.length > 0 ? named : Object.keys(randomSuites), minutes }
}
