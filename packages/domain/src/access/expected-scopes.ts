import { limits } from '../limits.ts'
import type { Store } from '../store.ts'
import { WeightedCache } from '../weighted-cache.ts'
import type { Actor, KnownActor } from './actor.ts'
import type { Guard } from './guard.ts'

/** What guards found lately of places for users, whom they let in; see `FoundLately`. */
export class ExpectedScopes {
  readonly #scopes = new WeightedCache<string, object>(limits.expectedScopesBytes)

  /** What the guard will most likely find; undefined where that isn't known, or the caller would not pass by it. */
  find<Input>(guard: Guard<Input, object>, actor: Actor, input: Input): object | undefined {
    const { lately } = guard
    if (!lately || !isKnown(actor)) return undefined
    const scope = this.#scopes.get(keyOf(actor, lately.placeOf(input)))
    return scope && lately.wouldPass(actor, scope) ? scope : undefined
  }

  /** Remembers what the guard found. */
  note<Input>(guard: Guard<Input, object>, actor: Actor, input: Input, found: object): void {
    const { lately } = guard
    if (lately && isKnown(actor))
      this.#scopes.keep(keyOf(actor, lately.placeOf(input)), found, lately.bytesOf(found))
  }

  /** Forgets what the guard found before it refused. */
  forget<Input>({ lately }: Guard<Input, object>, actor: Actor, input: Input): void {
    if (lately && isKnown(actor)) this.#scopes.forget(keyOf(actor, lately.placeOf(input)))
  }
}

function isKnown(actor: Actor): actor is KnownActor {
  return actor.kind === 'user' || actor.kind === 'token'
}

function keyOf({ userId }: KnownActor, place: string): string {
  return `${userId} ${place}`
}

const ofStores = new WeakMap<Store, ExpectedScopes>()

/** Those that are remembered for the store. */
export function expectedScopesOf(store: Store): ExpectedScopes {
  let scopes = ofStores.get(store)
  if (!scopes) {
    scopes = new ExpectedScopes()
    ofStores.set(store, scopes)
  }
  return scopes
}
