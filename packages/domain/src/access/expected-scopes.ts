import { limits } from '../limits.ts'
import type { Store } from '../store.ts'
import { WeightedCache } from '../structures/weighted-cache.ts'
import { type Actor, isKnown } from './actor.ts'
import type { Guard } from './guard.ts'

/** What guards found lately of places for users, whom they let in; see `FoundLately`. */
class ExpectedScopes {
  readonly #scopes = new WeightedCache<string, object>(limits.expectedScopesBytes)

  /** What the guard will most likely find; undefined where that isn't known, or the caller would not pass by it. */
  find<Input>(guard: Guard<Input, object>, actor: Actor, input: Input): object | undefined {
    const place = placeOf(guard, actor, input)
    const scope = place && this.#scopes.get(place.key)
    return scope && place.lately.wouldPass(place.actor, scope) ? scope : undefined
  }

  /** Remembers what the guard found. */
  note<Input>(guard: Guard<Input, object>, actor: Actor, input: Input, found: object): void {
    const place = placeOf(guard, actor, input)
    if (place) this.#scopes.keep(place.key, found, place.lately.bytesOf(found))
  }

  /** Forgets what the guard found before it refused. */
  forget<Input>(guard: Guard<Input, object>, actor: Actor, input: Input): void {
    const place = placeOf(guard, actor, input)
    if (place) this.#scopes.forget(place.key)
  }
}

/** Where what the guard finds is remembered; undefined where it isn't. */
function placeOf<Input>({ lately }: Guard<Input, object>, actor: Actor, input: Input) {
  if (!lately || !isKnown(actor)) return undefined
  return { lately, actor, key: `${actor.userId} ${lately.placeOf(input)}` }
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
