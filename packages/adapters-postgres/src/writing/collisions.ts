import { Turns } from '../turns/turns.ts'

/** In place of a base, where writes collided that are in none. */
export const anyBase = ''

/** Milliseconds that a write waits at most for others that collided as it did. */
const turnWaitMsMax = 10_000

/** Milliseconds after a collision in which writes to the base take turns: some times what it costs to find one. */
const remembersMs = 5_000

interface Collision {
  readonly turns: Turns
  /** Until when those who write to the base take turns, as `performance.now()` tells it. */
  until: number
  /** Writes that have a turn, or wait for one. */
  users: number
}

/**
 * The bases in which writes were in each other's way lately. PostgreSQL looks for a deadlock after a second only, by default:
 * writers who went on colliding would wait for that again and again.
 */
export class Collisions {
  readonly #bases = new Map<string, Collision>()

  /** Whether writes to the base collided a short while ago. */
  areIn(baseId: string): boolean {
    const found = this.#bases.get(baseId)
    return found !== undefined && performance.now() < found.until
  }

  /** Remembers a collision for a while. */
  note(baseId: string): void {
    this.#of(baseId).until = performance.now() + remembersMs
  }

  /** Whether anybody waits for a turn in the base. */
  isWaitedFor(baseId: string): boolean {
    return this.#bases.get(baseId)?.turns.areWaitedFor ?? false
  }

  /** Runs the work when it is its turn in the base; fails as `Turns` do. */
  async inTurn<T>(baseId: string, work: () => Promise<T>, caller?: string): Promise<T> {
    const base = this.#of(baseId)
    base.users++
    try {
      return await base.turns.take(work, caller)
    } finally {
      base.users--
      this.#forgetPast()
    }
  }

  #of(baseId: string): Collision {
    let found = this.#bases.get(baseId)
    if (!found) {
      found = { turns: new Turns(turnWaitMsMax), until: 0, users: 0 }
      this.#bases.set(baseId, found)
    }
    return found
  }

  #forgetPast(): void {
    const now = performance.now()
    for (const [baseId, { until, users }] of this.#bases) {
      if (users === 0 && until < now) this.#bases.delete(baseId)
    }
  }
}
