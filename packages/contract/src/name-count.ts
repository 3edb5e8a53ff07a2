/** Places that are looked at for a name before it counts as one more, so that names made to collide cost no more. */
const probes = 32

/**
 * Counts the different names in a text by their places in it, without making strings of them. Names that
 * collide more than chance allows are counted again and again.
 */
export class NameCount {
  readonly #text: string
  readonly #mask: number
  /** Where each name that is known begins and ends; 0 for a free place. */
  readonly #starts: Int32Array
  readonly #ends: Int32Array
  /** The names so far. */
  count = 0

  /** Has room for so many names, with three free places for each. */
  constructor(text: string, most: number) {
    const places = 2 ** Math.ceil(Math.log2(4 * most))
    this.#text = text
    this.#mask = places - 1
    this.#starts = new Int32Array(places)
    this.#ends = new Int32Array(places)
  }

  /** Counts the name between the two places, if it is a new one. The start is greater than 0. */
  add(start: number, end: number): void {
    let place = this.#hash(start, end)
    for (let probe = 0; probe < probes; probe++) {
      place &= this.#mask
      if (this.#starts[place] === 0) {
        this.#starts[place] = start
        this.#ends[place] = end
        break
      }
      if (this.#isAt(place, start, end)) return
      place++
    }
    this.count++
  }

  #hash(start: number, end: number): number {
    let hash = end - start
    for (let index = start; index < end; index++) {
      hash = Math.imul(hash ^ this.#text.charCodeAt(index), 0x9e3779b1)
      hash ^= hash >>> 15
    }
    return hash
  }

  #isAt(place: number, start: number, end: number): boolean {
    const known = this.#starts[place] ?? 0
    if ((this.#ends[place] ?? 0) - known !== end - start) return false
    for (let index = start; index < end; index++) {
      if (this.#text.charCodeAt(index) !== this.#text.charCodeAt(known + index - start))
        return false
    }
    return true
  }
}
