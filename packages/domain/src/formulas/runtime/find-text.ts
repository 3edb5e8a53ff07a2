/**
 * The longest part that is looked for as the platform does it. Its ways of skipping over characters take
 * (characters of the text x characters of the part) steps for texts that are made for that; with so few it
 * is still quick.
 */
const shortLength = 8

/**
 * Finds a part in texts in as many steps as both have characters, whatever they are (the algorithm of
 * Knuth, Morris and Pratt).
 */
export class TextFinder {
  readonly #part: string
  /** By how many characters that match: how many of them could be the beginning of another match. */
  readonly #overlaps: Int32Array | undefined

  constructor(part: string) {
    this.#part = part
    this.#overlaps = part.length > shortLength ? overlapsOf(part) : undefined
  }

  /** Where the part begins first at or after a place, in UTF-16 units; -1 where it doesn't. */
  find(text: string, from = 0): number {
    const part = this.#part
    const overlaps = this.#overlaps
    if (!overlaps) return text.indexOf(part, from)
    let matched = 0
    for (let place = from; place < text.length; place++) {
      const unit = text.charCodeAt(place)
      while (matched > 0 && unit !== part.charCodeAt(matched)) matched = overlaps[matched - 1] ?? 0
      if (unit === part.charCodeAt(matched)) matched++
      if (matched === part.length) return place - matched + 1
    }
    return -1
  }

  /** The texts between the places where the part stands, none of which overlap. */
  split(text: string): readonly string[] {
    if (!this.#overlaps) return text.split(this.#part)
    const texts: string[] = []
    let start = 0
    for (let found = this.find(text); found >= 0; found = this.find(text, start)) {
      texts.push(text.slice(start, found))
      start = found + this.#part.length
    }
    texts.push(text.slice(start))
    return texts
  }
}

function overlapsOf(part: string): Int32Array {
  const overlaps = new Int32Array(part.length)
  let matched = 0
  for (let place = 1; place < part.length; place++) {
    const unit = part.charCodeAt(place)
    while (matched > 0 && unit !== part.charCodeAt(matched)) matched = overlaps[matched - 1] ?? 0
    if (unit === part.charCodeAt(matched)) matched++
    overlaps[place] = matched
  }
  return overlaps
}
