import type { AnswerRecord } from './answer-record.ts'
import type { Found, SecretSearch, Seek } from './secret-search.ts'
import type { Stored } from './stored-bytes.ts'

/** What stands before an id or a member that a caller sent, in the refusal that tells the caller that there is none. */
const namesBack = /(?:There is no [a-z ]+|must not have the member) (?:\\+"|&#34;)$/

/** What was searched: the bytes of each kind of place, and what was found that should not be there. */
export class SearchedPlaces {
  readonly bytes: Record<string, number> = {}
  readonly found: Found[] = []
  readonly #seek: Seek

  /** For all secrets that are known by now. */
  constructor(search: SecretSearch) {
    this.#seek = search.begin()
  }

  /** Looks where no secret may be. */
  look(kind: string, place: string, text: string): void {
    this.found.push(...this.#findIn(kind, place, text))
  }

  /** Looks through what is kept, where the digests are by which a server knows its tokens again. */
  lookThroughStored(kind: string, all: readonly Stored[]): void {
    for (const { place, bytes } of all) {
      const found = this.#findIn(kind, place, bytes)
      this.found.push(...found.filter(({ isKeptDigest }) => !isKeptDigest))
    }
  }

  /** Looks through answers, of which some are there to show a secret, and refusals name what a caller sent. */
  lookThroughAnswers({ answers }: AnswerRecord): void {
    for (const { place, status, text, shown } of answers) {
      const found = this.#findIn('answers', `${place} ${status}`, text, shown)
      this.found.push(...found.filter(({ before }) => status < 400 || !namesBack.test(before)))
    }
  }

  #findIn(kind: string, place: string, given: Buffer | string, shown?: ReadonlySet<string>) {
    const bytes = Buffer.from(given)
    this.bytes[kind] = (this.bytes[kind] ?? 0) + bytes.length
    return this.#seek(`${kind}: ${place}`, bytes, shown)
  }
}
