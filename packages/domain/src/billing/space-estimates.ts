import { limits } from '../limits.ts'
import type { WriteTx } from '../store.ts'

/** How long, in milliseconds, what was looked up is taken for what there is. */
const lookedUpMs = 5_000
/** How long, in milliseconds, what took passing over all records is taken for what there is. */
const countedMs = 60_000

/** A transaction that adds, as far as it is told from others. */
type Adding = Partial<Pick<WriteTx, 'onEnd'>>

/** What was found out of the amount of one thing in a space. */
export interface Estimate {
  /** No less than there was when it was looked up, but for what was under way. */
  readonly most: number
  /** What this engine had added by then that `most` doesn't lack, of all that it has added. */
  readonly addedBefore: number
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
  readonly #byKey = new Map<string, SpaceAmount>()

  /** What is known of the amount of the key; nothing, at first. Those of more spaces than fit are found out anew. */
  of(key: string): SpaceAmount {
    const known = this.#byKey.get(key)
    if (known) return known
    if (this.#byKey.size >= limits.spacesEstimated) this.#forgetIdle()
    const amount = new SpaceAmount()
    this.#byKey.set(key, amount)
    return amount
  }

  #forgetIdle(): void {
    for (const [key, amount] of this.#byKey) if (!amount.isBeingAdded()) this.#byKey.delete(key)
  }
}

/** The amount of one thing in a space: what was looked up, and what this engine adds. */
export class SpaceAmount {
  #estimate: Estimate | undefined
  /** All that was ever added by this engine, but for what has failed. */
  #added = 0
  /** What transactions have added that haven't ended. */
  readonly #underWay = new Map<Adding, number>()

  /** The estimate as long as it holds. */
  find(nowMs: number): Estimate | undefined {
    const known = this.#estimate
    return known && nowMs - known.lookedUpAt < lookedUpMs ? known : undefined
  }

  /**
   * What is known of the excess of an estimate, however old the rest of it is; nothing where there was more when it was
   * looked up last: a table that is gone took its part of the excess along.
   */
  excessOf(nowMs: number, most: number): Pick<Estimate, 'excess' | 'countedAt'> {
    const known = this.#estimate
    const isFresh = known && most >= known.most && nowMs - known.countedAt < countedMs
    const { excess, countedAt } = isFresh
      ? known
      : { excess: 0, countedAt: Number.NEGATIVE_INFINITY }
    return { excess, countedAt }
  }

  /** What goes into an estimate that the transaction is about to look up: it doesn't see what others haven't committed. */
  addedBefore(tx: Adding): number {
    return this.#added - this.#underWayBeside(tx)
  }

  keep(estimate: Estimate): Estimate {
    this.#estimate = estimate
    return estimate
  }

  /** Has it looked up anew by who asks next. */
  forget(): void {
    this.#estimate = undefined
  }

  /** How much there is, as far as the estimate tells, with all that others are adding. */
  by({ most, addedBefore, excess }: Estimate): number {
    return Math.max(0, most + this.#added - addedBefore - excess)
  }

  /** Whether nothing was added since the look-up that may be missing in it. */
  isAsLookedUp({ addedBefore }: Estimate): boolean {
    return this.#added === addedBefore
  }

  /** Whether a transaction adds that has not ended, another one than that which is given. */
  isBeingAdded(tx?: Adding): boolean {
    return tx ? this.#underWayBeside(tx) > 0 : this.#underWay.size > 0
  }

  /** Notes what the transaction adds. */
  add(tx: Adding, more: number): void {
    this.#added += more
    const before = this.#underWay.get(tx)
    this.#underWay.set(tx, (before ?? 0) + more)
    if (before === undefined) tx.onEnd?.((isKept) => this.#end(tx, isKept))
  }

  #end(tx: Adding, isKept: boolean): void {
    if (!isKept) this.#added -= this.#underWay.get(tx) ?? 0
    this.#underWay.delete(tx)
  }

  #underWayBeside(tx: Adding): number {
    let sum = 0
    for (const [other, added] of this.#underWay) if (other !== tx) sum += added
    return sum
  }
}

/** Whether counting again may tell more than the estimate does. */
export function mayCountAgain({ countedAt }: Estimate, nowMs: number): boolean {
  return nowMs - countedAt >= lookedUpMs
}
