/** Places that are looked at for a name before it counts as one more, so that names made to collide cost no more. */
const probes = 32

/** Places at first: 16 kB, for a text that repeats up to 500 names. */
const firstPlaces = 2_048

/**
 * Counts the different names in a text by their places in it, without making strings of them. Names that
 * collide more than chance allows are counted again and again.
 */
export class NameCount {
  readonly #text: string
  /** Places that there are at most. */
  readonly #most: number
  #mask: number
  /** Where each name that is known begins and ends; 0 for a free place. */
  #starts: Int32Array
  #ends: Int32Array
  /** The names so far. */
  count = 0

  /** Counts up to so many names, with three free places for each: few at first, as most texts repeat few names. */
  constructor(text: string, most: number) {
    this.#text = text
    this.#most = 2 ** Math.ceil(Math.log2(4 * most))
    const places = Math.min(firstPlaces, this.#most)
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
    const places = this.#mask + 1
    if (4 * this.count > places && places < this.#most) this.#grow(4 * places)
  }

  /** Makes room for more names. One that finds no place counts as a new one when it comes again. */
  #grow(wanted: number): void {
    const [starts, ends] = [this.#starts, this.#ends]
    const places = Math.min(wanted, this.#most)
    this.#mask = places - 1
    this.#starts = new Int32Array(places)
    this.#ends = new Int32Array(places)
    for (const [known, start] of starts.entries()) {
      const end = ends[known] ?? 0
      if (start === 0) continue
      let place = this.#hash(start, end) & this.#mask
      for (let probe = 0; probe < probes && this.#starts[place] !== 0; probe++) {
        place = (place + 1) & this.#mask
      }
      if (this.#starts[place] !== 0) continue
      this.#starts[place] = start
      this.#ends[place] = end
    }
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
