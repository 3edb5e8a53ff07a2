import { SqlFailure } from '@gateleg/sql/core/connection'
import { openReader } from '../connection/open-reader.ts'

/** Milliseconds between two looks at a whole file that is damaged: a look reads all of it. */
const lookEveryMs = 60_000

/** Findings that are told: the first ones say what is to be done. */
const findingsTold = 10

/** Reads what a file begins with, and a table. */
const someOfAll = 'select (select count(*) from sqlite_schema), (select id from users limit 1)'

interface FileHealthParts {
  readonly file: string
  /** Reads the whole file, beside all else. Returns what is wrong with it; undefined where it wasn't read to its end. */
  readonly findDamage: () => Promise<readonly string[] | undefined>
  /** Hears what was found. */
  readonly onDamage: (failure: SqlFailure) => void
  /** Milliseconds by a clock that never goes back. */
  readonly now: () => number
}

/**
 * Knows whether a file can be read. After a read has failed, the file counts as damaged until all of it was read
 * without a finding.
 */
export class FileHealth {
  readonly #parts: FileHealthParts
  #failure: SqlFailure | undefined
  #isLooking = false
  #lookedMs = Number.NEGATIVE_INFINITY

  constructor(parts: FileHealthParts) {
    this.#parts = parts
  }

  /** Takes note of a read or write that failed, if it says something about the file. */
  note(error: unknown): void {
    if (!(error instanceof SqlFailure) || error.kind !== 'unreadable') return
    this.#failure ??= error
    this.#look()
  }

  /** Reads some of the file anew, past all that is remembered of it. Fails with SqlFailure, `unreadable`. */
  async check(): Promise<void> {
    if (this.#failure) this.#look()
    if (this.#failure) throw this.#failure
    const connection = openReader(this.#parts.file)
    try {
      await connection.rows(someOfAll, [])
    } catch (error) {
      this.note(error)
      throw error
    } finally {
      connection.close()
    }
  }

  #look(): void {
    const { findDamage, now, onDamage } = this.#parts
    if (this.#isLooking || now() - this.#lookedMs < lookEveryMs) return
    this.#isLooking = true
    findDamage()
      .then((findings) => {
        if (!findings) return
        this.#failure = toFailure(findings)
        if (this.#failure) onDamage(this.#failure)
      })
      .catch((error) => this.#parts.onDamage(error))
      .finally(() => {
        this.#lookedMs = now()
        this.#isLooking = false
      })
  }
}

function toFailure(findings: readonly string[]): SqlFailure | undefined {
  if (findings.length === 0) return undefined
  const told = findings.slice(0, findingsTold).join('; ')
  return new SqlFailure('unreadable', `The file is damaged: ${told}`, undefined)
}
