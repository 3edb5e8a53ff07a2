import { NameCount } from './name-count.ts'

const quote = 34
const backslash = 92
const openBracket = 91
const closeBracket = 93
const openBrace = 123
const closeBrace = 125
const comma = 44
const colon = 58

/** A list that is a member of the text's outermost object, by the places of its characters. */
export interface JsonList {
  /** The first character after the opening bracket. */
  readonly start: number
  /** The closing bracket. */
  end: number
  /** Commas between its items, each so many characters after the one before at least. */
  readonly cuts: number[]
  /** The values of all its items. */
  values: number
  /** The largest of its items. */
  readonly mostOfItem: JsonSize
  /** The quotes of its name. */
  readonly name: readonly [start: number, end: number]
}

/** How much a part of a text is. */
export interface JsonSize {
  values: number
  /** In characters. */
  length: number
}

/** What goes beyond what a text may have. */
export type JsonExcess = 'depth' | 'values' | 'members' | 'names' | 'text'

interface JsonScanOptions {
  /** Levels of lists and objects that it may have. */
  readonly depth: number
  readonly values: number
  /** Members that one object may have. */
  readonly members: number
  /** Different names that its members may have together. */
  readonly names: number
  /** Characters that one string may have, as it is written. */
  readonly textLength: number
  /** Strings of the outermost object that are noted. */
  readonly strings: number
  /** Characters between two cuts of a list, at least. */
  readonly cutLength: number
  /** Values between two cuts after which there is a cut however few characters they are. */
  readonly cutValues: number
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
  #commas = 0
  #containers = 0
  #namesLength = 0
  /** The members so far of each object that is open, by its depth. */
  readonly #members: Int32Array
  /** None for a text that is too short to have too many: a member takes four characters. */
  readonly #names: NameCount | undefined
  #list: JsonList | undefined
  /** Values before the item of the list, and before the last cut; and where the item begins. */
  #valuesBeforeItem = 0
  #valuesBeforePiece = 0
  #itemStart = 0
  #lastString: [start: number, end: number] = [0, 0]
  #lastStart = 0
  #lastLength = 0
  #excess: JsonExcess | undefined
  /** In the order of the text. Those that had no end are among them, their end at 0. */
  readonly lists: JsonList[] = []
  /** The strings of the outermost object, names foremost, by their quotes. */
  readonly strings: [start: number, end: number][] = []

  constructor(text: string, options: JsonScanOptions) {
    this.#text = text
    this.#options = options
    if (text.length > 4 * options.names) this.#names = new NameCount(text, options.names)
    this.#members = new Int32Array(options.depth + 2)
  }

  get values(): number {
    return 1 + this.#commas + this.#containers
  }

  /** Lists and objects. */
  get containers(): number {
    return this.#containers
  }

  /** Characters of the names of all members together. */
  get namesLength(): number {
    return this.#namesLength
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
        if (code === comma) this.#endItem(index)
        else this.#enter(code, index)
        if (this.values > this.#options.values) this.#excess = 'values'
      } else if (code === colon) this.#nameMember()
      else if (code === closeBracket || code === closeBrace) this.#leave(code, index)
      if (this.#excess) return false
    }
    this.#index = index
    return index < text.length
  }

  #passString(start: number): number {
    const { textLength } = this.#options
    const end = endOfString(this.#text, start, textLength)
    this.#lastStart = start
    this.#lastLength = end - start
    if (this.#lastLength > textLength + 1) this.#excess = 'text'
    if (this.#depth === 1) {
      this.#lastString = [start, end]
      if (this.strings.length < this.#options.strings) this.strings.push(this.#lastString)
    }
    return end
  }

  /** At a colon, which only names have behind them. */
  #nameMember(): void {
    this.#namesLength += this.#lastLength
    const members = (this.#members[this.#depth] ?? 0) + 1
    this.#members[this.#depth] = members
    if (members > this.#options.members) this.#excess = 'members'
    if (!this.#names) return
    this.#names.add(this.#lastStart + 1, this.#lastStart + this.#lastLength)
    if (this.#names.count > this.#options.names) this.#excess = 'names'
  }

  #enter(code: number, index: number): void {
    this.#containers++
    this.#depth++
    this.#members[this.#depth] = 0
    if (this.#depth > this.#options.depth) this.#excess = 'depth'
    if (this.#depth !== 2 || code !== openBracket) return
    const mostOfItem = { values: 0, length: 0 }
    const name = this.#lastString
    this.#list = { start: index + 1, end: 0, cuts: [], values: this.values, mostOfItem, name }
    this.#valuesBeforePiece = this.values
    this.#beginItem(index)
    this.lists.push(this.#list)
  }

  #leave(code: number, index: number): void {
    if (this.#depth === 2 && this.#list) {
      if (code === closeBracket) this.#list.end = index
      this.#measureItem(this.#list, index)
      this.#list.values = this.values - this.#list.values
      this.#list = undefined
    }
    this.#depth--
  }

  #endItem(index: number): void {
    this.#commas++
    if (this.#depth !== 2 || !this.#list) return
    this.#measureItem(this.#list, index)
    this.#beginItem(index)
    const { start, cuts } = this.#list
    const { cutLength, cutValues } = this.#options
    const isLong = index - (cuts.at(-1) ?? start) >= cutLength
    if (!isLong && this.values - this.#valuesBeforePiece < cutValues) return
    cuts.push(index)
    this.#valuesBeforePiece = this.values
  }

  #beginItem(index: number): void {
    this.#valuesBeforeItem = this.values
    this.#itemStart = index
  }

  #measureItem({ mostOfItem }: JsonList, end: number): void {
    mostOfItem.values = Math.max(mostOfItem.values, this.values - this.#valuesBeforeItem)
    mostOfItem.length = Math.max(mostOfItem.length, end - this.#itemStart)
  }
}

/** The closing quote, or a quote beyond the most characters: where a string is too long, it is passed no further. */
function endOfString(text: string, start: number, most: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && end - start <= most && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, index: number): boolean {
  let first = index
  while (text.charCodeAt(first - 1) === backslash) first--
  return (index - first) % 2 === 1
}
