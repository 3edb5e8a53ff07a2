import { formsOf } from './secret-forms.ts'

/** A secret in one of its forms. */
interface Needle {
  readonly secret: string
  readonly form: string
  readonly bytes: Buffer
  readonly isKeptDigest: boolean
}

/** What was found, and where. */
export interface Found {
  readonly secret: string
  readonly form: string
  readonly place: string
  /** What stands before and behind it. */
  readonly before: string
  readonly behind: string
  /** Whether it is the digest of what a server has drawn, by which it knows that again. */
  readonly isKeptDigest: boolean
}

/** Looks for all secrets in bytes, but for those that they are there to show. */
export type Seek = (place: string, bytes: Buffer | string, shown?: ReadonlySet<string>) => Found[]

/** Bytes of a needle by which it is found first. */
const startLength = 3
const aroundLength = 60

/** Searches bytes for many secrets in all their forms, in one walk. */
export class SecretSearch {
  /** Names by secret. */
  readonly #names = new Map<string, string>()
  /** Those that a server has drawn: nobody can guess them, so that it may keep their digests. */
  readonly #drawn = new Set<string>()
  readonly #codes = new Map<string, string>()
  #bytes = 0

  /** Remembers a secret; one that is known keeps its first name. */
  add(name: string, secret: string): string {
    if (secret.length < 8) throw new Error(`${name} is too short to be told from other text`)
    if (!this.#names.has(secret)) this.#names.set(secret, name)
    return secret
  }

  /** Remembers a code of few digits, which is looked for only where no letter or digit is beside it. */
  addCode(name: string, digits: string): string {
    if (!/^\d{6}$/.test(digits)) throw new Error(`${name} is no code: ${digits}`)
    this.#codes.set(digits, name)
    return digits
  }

  /** Remembers a secret that a server has drawn. */
  addDrawn(name: string, secret: string): string {
    this.#drawn.add(secret)
    return this.add(name, secret)
  }

  /** Forgets what is no secret after all. */
  forget(secret: string): void {
    this.#names.delete(secret)
  }

  get secrets(): readonly string[] {
    return [...this.#names.values(), ...this.#codes.values()]
  }

  /** Bytes that were searched so far. */
  get bytes(): number {
    return this.#bytes
  }

  /** Begins to search with what is known now. */
  begin(): Seek {
    const starts = new Uint8Array(1 << (8 * startLength))
    const needlesByStart = new Map<number, Needle[]>()
    for (const needle of this.#needles()) {
      const start = needle.bytes.readUIntBE(0, startLength)
      starts[start] = 1
      needlesByStart.set(start, [...(needlesByStart.get(start) ?? []), needle])
    }
    return (place, given, shown = new Set()) => {
      const bytes = Buffer.from(given)
      this.#bytes += bytes.length
      const found: Found[] = []
      let start = 0
      for (let at = 0; at < bytes.length; at++) {
        start = ((start << 8) | (bytes[at] ?? 0)) & 0xffffff
        if (starts[start] === 0 || at < startLength - 1) continue
        const first = at - startLength + 1
        for (const needle of needlesByStart.get(start) ?? []) {
          if (shown.has(needle.secret) || !isAt(bytes, first, needle)) continue
          found.push({ ...toFound(needle, bytes, first), place })
        }
      }
      return [...found, ...this.#codesIn(place, bytes, shown)]
    }
  }

  *#needles(): Generator<Needle> {
    for (const [secret, name] of this.#names) {
      for (const { name: form, bytes, isDigest } of formsOf(secret)) {
        const isKeptDigest = isDigest && this.#drawn.has(secret)
        yield { secret, form: `${name}, ${form}`, bytes, isKeptDigest }
      }
    }
    // Whoever has a digest of so few digits has the digits.
    for (const [secret, name] of this.#codes) {
      for (const { name: form, bytes } of formsOf(secret)) {
        yield { secret, form: `${name}, ${form}`, bytes, isKeptDigest: false }
      }
    }
  }

  #codesIn(place: string, bytes: Buffer, shown: ReadonlySet<string>): Found[] {
    const text = bytes.toString('latin1')
    return [...text.matchAll(standingDigits)].flatMap(({ 0: secret, index }) => {
      const form = this.#codes.get(secret)
      if (form === undefined || shown.has(secret)) return []
      const needle = { secret, form, bytes: Buffer.from(secret), isKeptDigest: false }
      return [{ ...toFound(needle, bytes, index), place }]
    })
  }
}

/** Six digits with no letter or digit beside them; behind a point they are a fraction of a second. */
const standingDigits = /(?<![0-9A-Za-z.-])\d{6}(?![0-9A-Za-z])/g

function isAt(bytes: Buffer, first: number, { bytes: needle }: Needle): boolean {
  const end = Math.min(first + needle.length, bytes.length)
  return bytes.compare(needle, 0, needle.length, first, end) === 0
}

function toFound(
  { secret, form, bytes: needle, isKeptDigest }: Needle,
  bytes: Buffer,
  first: number,
) {
  const end = first + needle.length
  const show = (from: number, to: number) =>
    bytes.toString('latin1', Math.max(0, from), to).replace(/[^\x20-\x7e]+/g, ' ')
  const before = show(first - aroundLength, first)
  return { secret, form, before, behind: show(end, end + aroundLength), isKeptDigest }
}
