import { limits } from '../limits.ts'

/** How long, in milliseconds, what was looked up is taken for what there is. */
const lookedUpMs = 5_000
/** The same of what took passing over all records. */
const countedMs = 60_000

/** What is known of the amount of one thing in a space. */
export interface Estimate {
  /** No less than there was when it was looked up. */
  readonly most: number
  /** What this engine has added since; it may have been undone. */
  added: number
  readonly lookedUpAt: number
  /** How far `most` was above what there was, as far as that is known. */
  readonly excess: number
  readonly countedAt: number
}

/**
 * What was found out of how much spaces have, so that it isn't found out again at every write. An estimate may miss
 * what other servers added in the last five seconds, and count what was deleted in the last minute.
 */
export class SpaceEstimates {
  readonly #byKey = new Map<string, Estimate>()

  /** The estimate as long as it holds. */
  find(key: string, nowMs: number): Estimate | undefined {
    const known = this.#byKey.get(key)
    return known && nowMs - known.lookedUpAt < lookedUpMs ? known : undefined
  }

  /**
   * What is known of the excess of an estimate, however old the rest of it is; nothing where there was more when it was
   * looked up last: a table that is gone took its part of the excess along.
   */
  excessOf(key: string, nowMs: number, most: number): Pick<Estimate, 'excess' | 'countedAt'> {
    const known = this.#byKey.get(key)
    const isFresh = known && most >= known.most && nowMs - known.countedAt < countedMs
    const { excess, countedAt } = isFresh
      ? known
      : { excess: 0, countedAt: Number.NEGATIVE_INFINITY }
    return { excess, countedAt }
  }

  /** Remembers an estimate. Those of more spaces than fit are found out anew when they are asked for. */
  keep(key: string, estimate: Estimate): Estimate {
    if (this.#byKey.size >= limits.spacesEstimated) this.#byKey.clear()
    this.#byKey.set(key, estimate)
    return estimate
  }
}

/** How much there is, as far as the estimate tells. */
export function amountOf({ most, added, excess }: Estimate): number {
  return Math.max(0, most + added - excess)
}

/** Whether counting again may tell more than the estimate does. */
export function mayCountAgain({ countedAt }: Estimate, nowMs: number): boolean {
  return nowMs - countedAt >= lookedUpMs
}
