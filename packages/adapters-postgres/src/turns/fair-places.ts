import { setTimeout } from 'node:timers'
import { FairQueue, ownCaller } from '@gateleg/domain/structures/fair-queue'

interface FairPlacesOptions {
  /** Places there are. */
  readonly size: number
  /** Places that one caller has at most; the program itself may have all. */
  readonly ofOneCaller: number
  /** The last places, which only callers get who hold none; none when it isn't said. */
  readonly kept?: number
  /** Milliseconds that anybody waits at most. */
  readonly waitMsMax: number
  /** What those fail with who have waited for so long. */
  readonly tooLate: () => Error
}

/** Lends a limited number of places; callers who wait for one take turns, and none has more than a part of them. */
export class FairPlaces {
  readonly #options: FairPlacesOptions
  readonly #waiting = new FairQueue<{ readonly caller: string; readonly enter: () => void }>()
  readonly #heldBy = new Map<string, number>()
  #held = 0

  constructor(options: FairPlacesOptions) {
    this.#options = options
  }

  /** A place until `leave`: at once (undefined is answered), or when it is the caller's turn. */
  enter(caller: string): Promise<void> | undefined {
    return this.tryEnter(caller) ? undefined : this.#wait(caller)
  }

  /** A place until `leave` where there is one at once; else nothing is waited for, and false is answered. */
  tryEnter(caller: string): boolean {
    if (!this.#hasRoom || !this.#mayHaveOne(caller)) return false
    this.#hold(caller)
    return true
  }

  /** Whether anybody waits for a place. */
  get isWaitedFor(): boolean {
    return this.#waiting.size > 0
  }

  /** Gives a place of the caller back. */
  leave(caller: string): void {
    this.#held--
    const others = this.#heldOf(caller) - 1
    if (others === 0) this.#heldBy.delete(caller)
    else this.#heldBy.set(caller, others)
    this.#letIn()
  }

  /** Those who wait while there is room have their part already. */
  get #hasRoom(): boolean {
    return this.#held < this.#options.size
  }

  readonly #mayHaveOne = (caller: string): boolean => {
    const held = this.#heldOf(caller)
    if (caller === ownCaller || held === 0) return true
    const { size, kept = 0, ofOneCaller } = this.#options
    return held < ofOneCaller && this.#held < size - kept
  }

  #heldOf(caller: string): number {
    return this.#heldBy.get(caller) ?? 0
  }

  #hold(caller: string): void {
    this.#held++
    this.#heldBy.set(caller, this.#heldOf(caller) + 1)
  }

  async #wait(caller: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer)
        resolve()
      }
      const one = { caller, enter }
      this.#waiting.add(caller, one)
      const timer = setTimeout(() => {
        this.#waiting.remove(caller, one)
        reject(this.#options.tooLate())
      }, this.#options.waitMsMax)
    })
  }

  #letIn(): void {
    if (!this.#hasRoom) return
    const next = this.#waiting.take(this.#mayHaveOne)
    if (!next) return
    this.#hold(next.caller)
    next.enter()
  }
}
