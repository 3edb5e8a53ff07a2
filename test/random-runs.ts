import fc from 'fast-check'

/** Where every random test begins when nobody says otherwise: two runs of the test command do the same. */
export const committedSeed = 20_261_122

/** What environment variables say of random tests. */
export interface RandomRuns {
  readonly seed: number
  /** The way to one failing case and its shrinking, as a failure told it; only this case is run. */
  readonly path?: string
}

/**
 * Where random tests begin: at the committed seed, or where RANDOM_SEED says, at RANDOM_PATH if that is
 * given as well. Throws on values that no failure told.
 */
export function readRandomRuns(env: Readonly<Record<string, string | undefined>>): RandomRuns {
  const { RANDOM_SEED: seed, RANDOM_PATH: path } = env
  if (seed === undefined && path !== undefined) {
    throw new Error('RANDOM_PATH is good for nothing without RANDOM_SEED')
  }
  if (seed !== undefined && (!/^-?\d{1,10}$/.test(seed) || Number(seed) !== (Number(seed) | 0))) {
    throw new Error(`RANDOM_SEED is "${seed}": it takes an integer of 32 bits`)
  }
  if (path !== undefined && !/^\d+(:\d+)*$/.test(path)) {
    throw new Error(`RANDOM_PATH is "${path}": it takes numbers with colons between them`)
  }
  return { seed: Number(seed ?? committedSeed), ...(path !== undefined && { path }) }
}

/**
 * Has all properties of fast-check begin there, those that are to fail again without being shrunk anew.
 * What they say of a failure has all of it, also where a report leaves out what an error was caused by.
 */
export function beginRandomRunsAt({ seed, path }: RandomRuns): void {
  fc.configureGlobal({
    ...fc.readConfigureGlobal(),
    seed,
    includeErrorInReport: true,
    ...(path !== undefined && { path, endOnFailure: true }),
  })
}
