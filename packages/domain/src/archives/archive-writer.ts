import { toCanonicalJson } from '../bases/canonical-form.ts'
import type { Digester } from '../secrets.ts'
import type { Archived, LineKind } from './archive-line.ts'

/** Makes the lines of an archive: counts them, and takes their digest. */
export class ArchiveWriter {
  #lines = 0
  readonly #digester: Digester

  /** Takes what makes the digest. */
  constructor(digester: Digester) {
    this.#digester = digester
  }

  /** A line that says something of one kind, its members sorted: of two equal bases the same is said. */
  said<Kind extends LineKind>(kind: Kind, content: Archived<Kind>): string {
    return this.#add(toCanonicalJson({ [kind]: content }))
  }

  /** A line of any value. */
  line(value: unknown): string {
    return this.#add(JSON.stringify(value))
  }

  #add(json: string): string {
    const line = `${json}\n`
    this.#lines++
    this.#digester.add(line)
    return line
  }

  /** The last line: nothing follows it. */
  end(): string {
    const end = { lines: this.#lines, sha256: this.#digester.end() }
    return `${JSON.stringify({ end })}\n`
  }
}
