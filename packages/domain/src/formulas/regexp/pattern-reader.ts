const countPattern = /\{(\d{1,6})(?:(,)(\d{1,6})?)?\}/y

/** Walks through the source of a search pattern. */
export class PatternReader {
  readonly #source: string
  #index = 0

  constructor(source: string) {
    this.#source = source
  }

  get isAtEnd(): boolean {
    return this.#index >= this.#source.length
  }

  /** The next character, '' at the end. */
  get peek(): string {
    const character = this.#source.codePointAt(this.#index)
    return character === undefined ? '' : String.fromCodePoint(character)
  }

  startsWith(text: string): boolean {
    return this.#source.startsWith(text, this.#index)
  }

  takeIf(text: string): boolean {
    if (!this.startsWith(text)) return false
    this.#index += text.length
    return true
  }

  /** Steps past the next character, which there must be, and answers it. */
  take(): number {
    const character = this.#source.codePointAt(this.#index) ?? 0
    this.#index += character > 0xffff ? 2 : 1
    return character
  }

  /** Steps past what a pattern matches here, and answers it; the pattern must be sticky. */
  takeMatch(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#index
    const found = pattern.exec(this.#source) ?? undefined
    if (found) this.#index += found[0].length
    return found
  }

  /** How often the item before is repeated, if here stands `*`, `+`, `?`, `{2}`, `{2,}` or `{2,3}`. */
  takeCount(): readonly [min: number, max: number] | undefined {
    if (this.takeIf('*')) return [0, Number.POSITIVE_INFINITY]
    if (this.takeIf('+')) return [1, Number.POSITIVE_INFINITY]
    if (this.takeIf('?')) return [0, 1]
    const found = this.takeMatch(countPattern)
    if (!found) return undefined
    const [, min, comma, max] = found
    if (!comma) return [Number(min), Number(min)]
    return [Number(min), max === undefined ? Number.POSITIVE_INFINITY : Number(max)]
  }

  peekCount(): readonly [min: number, max: number] | undefined {
    const index = this.#index
    const count = this.takeCount()
    this.#index = index
    return count
  }
}
