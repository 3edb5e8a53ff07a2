/** Sets of members that are remembered: records of one list differ in few ways in which cells they have. */
const samplesMax = 8

/** A set of members, and an object that has them. */
interface Sample {
  /** Whether the member of each name is in it. */
  readonly has: readonly boolean[]
  /** The places of the names that are. */
  readonly places: readonly number[]
  readonly object: Readonly<Record<string, unknown>>
}

/**
 * Makes objects that mostly have the same members, in the same order: each as a copy of an earlier one, with other values.
 * An object that gets its members one by one is moved to more memory again and again as it grows, which takes several times
 * as much as it needs in the end.
 */
export class AlikeObjects {
  readonly #names: readonly string[]
  readonly #samples: Sample[] = []

  /** Takes the names of all members that there may be. */
  constructor(names: readonly string[]) {
    this.#names = names
  }

  /** An object of the values, one for each name; it has no member where that is undefined. */
  make(values: readonly unknown[]): Record<string, unknown> {
    const names = this.#names
    for (const { has, places, object } of this.#samples) {
      if (!areThere(values, has)) continue
      const made = { ...object }
      for (const place of places) made[names[place] as string] = values[place]
      return made
    }
    const made: Record<string, unknown> = {}
    const places: number[] = []
    for (const [place, name] of names.entries()) {
      if (values[place] === undefined) continue
      made[name] = values[place]
      places.push(place)
    }
    if (this.#samples.length < samplesMax) {
      const has = names.map((_, place) => values[place] !== undefined)
      this.#samples.push({ has, places, object: made })
    }
    return made
  }
}

function areThere(values: readonly unknown[], has: readonly boolean[]): boolean {
  for (let place = 0; place < has.length; place++) {
    if ((values[place] !== undefined) !== has[place]) return false
  }
  return true
}
