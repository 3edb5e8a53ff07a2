const quote = 34
const backslash = 92
const openBracket = 91
const closeBracket = 93
const openBrace = 123
const closeBrace = 125
const comma = 44

/** A list that is a member of the text's outermost object, by the places of its characters. */
export interface JsonList {
  /** The first character after the opening bracket. */
  readonly start: number
  /** The closing bracket. */
  end: number
  /** Commas between its items, each so many characters after the one before at least. */
  readonly cuts: number[]
  /** The quotes of its name. */
  readonly name: readonly [start: number, end: number]
}

/** What goes beyond what a text may have. */
export type JsonExcess = 'depth' | 'values'

export interface JsonScanOptions {
  /** Levels of lists and objects that it may have. */
  readonly depth: number
  readonly values: number
  /** Strings of the outermost object that are noted. */
  readonly strings: number
  /** Characters between two cuts of a list, at least. */
  readonly cutLength: number
}

/**
 * Goes through JSON text in one pass: counts values by the brackets and commas outside of strings, and finds
 * the lists that the outermost object has for members, and where they can be cut. Of malformed text it may
 * find anything.
 */
export class JsonScan {
  readonly #text: string
  readonly #options: JsonScanOptions
  #index = 0
  #depth = 0
  #values = 1
  #list: JsonList | undefined
  #lastString: [start: number, end: number] = [0, 0]
  #excess: JsonExcess | undefined
  /** In the order of the text. Those that had no end are among them, their end at 0. */
  readonly lists: JsonList[] = []
  /** The strings of the outermost object, names foremost, by their quotes. */
  readonly strings: [start: number, end: number][] = []

  constructor(text: string, options: JsonScanOptions) {
    this.#text = text
    this.#options = options
  }

  get values(): number {
    return this.#values
  }

  /** What is too much; what follows is not looked at then. */
  get excess(): JsonExcess | undefined {
    return this.#excess
  }

  /** Goes on for so many characters, and to the end of a string that begins there. Answers whether there are more. */
  goOn(characters: number): boolean {
    const text = this.#text
    const until = Math.min(text.length, this.#index + characters)
    let index = this.#index
    for (; index < until; index++) {
      const code = text.charCodeAt(index)
      if (code === quote) index = this.#passString(index)
      else if (code === comma || code === openBracket || code === openBrace) {
        if (++this.#values > this.#options.values) this.#excess = 'values'
        if (code === comma) this.#cut(index)
        else this.#enter(code, index)
        if (this.#excess) return false
      } else if (code === closeBracket || code === closeBrace) this.#leave(code, index)
    }
    this.#index = index
    return index < text.length
  }

  #passString(start: number): number {
    const end = endOfString(this.#text, start)
    if (this.#depth === 1) {
      this.#lastString = [start, end]
      if (this.strings.length < this.#options.strings) this.strings.push(this.#lastString)
    }
    return end
  }

  #enter(code: number, index: number): void {
    this.#depth++
    if (this.#depth > this.#options.depth) this.#excess = 'depth'
    if (this.#depth !== 2 || code !== openBracket) return
    this.#list = { start: index + 1, end: 0, cuts: [], name: this.#lastString }
    this.lists.push(this.#list)
  }

  #leave(code: number, index: number): void {
    if (this.#depth === 2 && this.#list) {
      if (code === closeBracket) this.#list.end = index
      this.#list = undefined
    }
    this.#depth--
  }

  #cut(index: number): void {
    if (this.#depth !== 2 || !this.#list) return
    const { start, cuts } = this.#list
    if (index - (cuts.at(-1) ?? start) >= this.#options.cutLength) cuts.push(index)
  }
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, index: number): boolean {
  let first = index
  while (text.charCodeAt(first - 1) === backslash) first--
  return (index - first) % 2 === 1
}
