import { toCanonicalJson } from '../../bases/canonical-form.ts'
import { assert } from '../../errors.ts'
import type { Digester } from '../../secrets.ts'
import { type Archived, type LineKind, lineSchemas } from './archive-line.ts'

/** Makes the lines of an archive: counts them, and takes their digest. */
export class ArchiveWriter {
  #lines = 0
  readonly #digester: Digester

  /** Takes what makes the digest. */
  constructor(digester: Digester) {
    this.#digester = digester
  }

  /**
   * A line that says something of one kind, its members sorted: of two equal bases the same is said. Fails for what no
   * reader would take.
   */
  said<Kind extends LineKind>(kind: Kind, content: Archived<Kind>): string {
    const { error } = lineSchemas[kind].safeParse(content)
    const [issue] = error?.issues ?? []
    // No value is told: what doesn't belong in an archive may be a secret.
    assert(!issue, `the ${kind} is as an archive has it: ${issue?.path.join('.')} ${issue?.code}`)
    return this.#add(toCanonicalJson({ [kind]: content }))
  }

  /** A line of any value. */
  line(value: unknown): string {
    return this.#add(JSON.stringify(value))
  }

  /** A line of cells, the members of each sorted: storages keep them in orders of their own. */
  cells(values: readonly unknown[]): string {
    return this.#add(toCanonicalJson(values))
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
