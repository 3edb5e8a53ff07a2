import { sha256 } from '../values/bytes/sha256.ts'

/** Characters that are digested at a time: some milliseconds. */
const lengthAtOnce = 50_000

/** Tells by a short text whether things hold what they held: by their lines, in whatever parts these come. */
export class ContentDigest {
  #digest = ''
  #lines: string[] = []
  #length = 0

  /** Adds what one of them holds, as JSON. */
  add(line: unknown): void {
    this.addJson(JSON.stringify(line))
  }

  /** Adds what one of them holds. */
  addJson(json: string): void {
    this.#lines.push(json)
    this.#length += json.length
    if (this.#length >= lengthAtOnce) this.#digestLines()
  }

  /** The digest of all lines; none is added after it. */
  end(): string {
    this.#digestLines()
    return this.#digest
  }

  #digestLines(): void {
    this.#digest = sha256([this.#digest, ...this.#lines].join('\n'))
    this.#lines = []
    this.#length = 0
  }
}
